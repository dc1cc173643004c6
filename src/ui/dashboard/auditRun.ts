/** An audit that follows a journal in slices, so that verifying thousands of signatures does not block the editor. */
import { journalBytes, openAudit } from '../../app/audit/audit.ts';
import { savedStateFault } from '../../app/audit/savedState.ts';
import type { Audit } from '../../app/audit/audit.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Closable } from '../kit/disposables.ts';

/** How long signatures are verified before yielding. Milliseconds. */
const sliceMs = 8;

export interface AuditRun extends Closable {
  readonly audit: Audit;
  /** What is wrong with the saved state of this machine; null before all is read. */
  readonly savedFault: string | null;
  /** Percentage read; 100 when complete. */
  readonly checked: number;
  /** Reads new lines; starts over if earlier results may no longer be valid. */
  look(): void;
  restart(): void;
}

/** All is read, and it is one unbroken journal of a workspace. */
export function isExportable({ checked, audit }: AuditRun): boolean {
  return checked === 100 && audit.walk.fault === null && audit.summary().workspace !== null;
}

/** @param changed called on progress and completion */
export function startAudit(workspace: Workspace, changed: () => void): AuditRun {
  let audit = openAudit(createTrust(workspace.pins));
  let steps: Generator<number, void> | null = null;
  let next: NodeJS.Immediate | undefined;
  let size = 0;
  let reported = 0;
  /** Whether lines may have been added since it began to read. */
  let isBehind = false;
  let savedFault: string | null = null;
  /** Hash of the saved state that was compared with the journal. */
  let compared: string | null = null;
  /** What the verdict depends on besides new lines. */
  let basis = '';

  function basisNow(): string {
    const { problem } = workspace.standing();
    return JSON.stringify([problem?.code ?? null, workspace.pins()]);
  }

  function restart(): void {
    stop();
    basis = basisNow();
    audit = openAudit(createTrust(workspace.pins));
    reported = 0;
    savedFault = null;
    compared = null;
    begin();
  }

  function begin(): void {
    isBehind = false;
    const bytes = journalBytes(workspace, audit.walk.scanned);
    size = audit.walk.scanned + bytes.length;
    steps = audit.follow(bytes);
    next = setImmediate(slice);
  }

  function slice(): void {
    next = undefined;
    const until = Date.now() + sliceMs;
    while (steps && Date.now() < until) if (steps.next().done) steps = null;
    if (steps) next = setImmediate(slice);
    else if (isBehind) begin();
    else compareSaved();
    const percent = checked();
    if (steps && percent < reported + 5) return;
    reported = percent;
    changed();
  }

  /** Reads the whole state, so only once for each saved state. */
  function compareSaved(): void {
    const hash = workspace.stateFile.read()?.snapshot?.stateHash ?? null;
    if (hash === compared) return;
    const fault = savedStateFault(workspace, audit.walk);
    if (fault === undefined) return;
    compared = hash;
    savedFault = fault;
  }

  function checked(): number {
    return steps ? Math.min(99, Math.floor((audit.walk.scanned / Math.max(size, 1)) * 100)) : 100;
  }

  function stop(): void {
    clearImmediate(next);
    next = undefined;
    steps = null;
  }

  restart();
  return {
    get audit() {
      return audit;
    },
    get savedFault() {
      return savedFault;
    },
    get checked() {
      return checked();
    },
    look() {
      if (basis !== basisNow()) restart();
      else if (steps) isBehind = true;
      else if (!audit.walk.fault) begin();
    },
    restart,
    dispose: stop,
  };
}
