/** Converts an audit to the view model of its tab. */
import * as l10n from '@vscode/l10n';
import { isUnsignedHuman, openAudit, type AuditEntry, type AuditSummary, type Audit } from '../../app/audit/audit.ts';
import { journalBytes, savedStateFault } from '../../app/audit/savedState.ts';
import { hasItem } from '../../core/waiting/items.ts';
import type { AuditFilter } from './messages.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { problemWords } from '../kit/problemWords.ts';
import type { SignerStanding } from '../surface/standing.ts';
import type { ChosenFolder, SnapshotHead, UnavailableView, ViewOf } from '../kit/view.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { createTrust } from '../../trust/envelope.ts';

export type AuditRow = ViewOf<ReturnType<typeof row>>;

export type AuditView = ViewOf<ReturnType<typeof auditModel>>;

export interface AuditSnapshot extends SnapshotHead {
  view: AuditView | UnavailableView;
  /** The result of the last export. */
  notice?: { good: boolean; text: string } | undefined;
}

export interface AuditModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly run: AuditRun;
  readonly standing: SignerStanding;
  readonly filter: AuditFilter;
  /** Maximum number of rows; the latest are shown. */
  readonly limit: number;
  readonly offered: ChosenFolder;
}

export function auditModel(options: AuditModelOptions) {
  const { folder, run, standing, filter, limit, offered } = options;
  const summary = run.audit.summary();
  const fitting = run.audit.entries.filter((entry) => fits(entry, filter));
  const faults = faultsOf(folder, run, summary.forged);
  const texts = new Map(
    run.audit.entries.flatMap(({ kind, subject, said }) => (begins.has(kind) ? [[subject, said]] : [])),
  );
  return {
    type: 'audit' as const,
    ...offered,
    // Percent of the journal that was read; 100 when done.
    checked: run.checked,
    // All of them. Empty after the check: everything verifies.
    faults,
    acts: summary.acts,
    decisions: summary.decisions,
    signers: summary.signers.map(({ name, keyid, decisions }) => ({ name, key: keyid.slice(0, 16), decisions })),
    filter,
    // How many acts fit the filter; the rows are the latest of them.
    matching: fitting.length,
    rows: fitting
      .slice(-limit)
      .reverse()
      .map((entry): AuditRow => row(options, summary, entry, texts)),
    // The seal covers the displayed summary.
    shown: hashOf(summary),
    export: !isExportable(run)
      ? ('no' as const)
      : standing.kind === 'enrolled'
        ? ('sealed' as const)
        : ('unsealed' as const),
  };
}

function faultsOf({ workspace }: OpenFolder, { audit, savedFault }: AuditRun, forged: number): string[] {
  const { fault } = audit.walk;
  const { problem } = workspace.standing();
  return [
    ...(fault ? [l10n.t('The chain breaks at byte {0}. Later records are not shown.', fault.at)] : []),
    ...(problem ? [problemWords(problem)] : []),
    ...(savedFault === null
      ? []
      : [
          l10n.t(
            'Another program changed the saved copy of the journal that gates and hooks read. Stop all agents, delete the files .holdpoint/holdpoint-* and open the audit trail again.',
          ),
        ]),
    ...(forged > 0 ? [l10n.t('Forged decisions: {0}. They had no effect.', forged)] : []),
  ];
}

function fits(entry: AuditEntry, { scope, text, about }: AuditFilter): boolean {
  const { mark, subject, work, who, actor, said } = entry;
  if (scope === 'decisions' && mark !== 'verified' && mark !== 'forged') return false;
  if (scope === 'attempts' && mark !== 'forged') return false;
  if (about !== undefined && subject !== about && !work.includes(about)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  return [subject, who, actor, said ?? '', entry.kind, ...work].some((part) => part.toLowerCase().includes(wanted));
}

const begins = new Set(['question.raised', 'rfc.proposed', 'event.posted', 'event.postedByHuman', 'request.created']);

/** Text from the journal, where forged records can contain anything, is cut. */
function row(
  { folders, folder, run }: AuditModelOptions,
  summary: AuditSummary,
  entry: AuditEntry,
  texts: ReadonlyMap<string, string | null>,
) {
  const { at, index, time, mark, kind, subject, work, who, keyid, said, why } = entry;
  const isPasskey = entry.signed_with === 'passkey';
  return {
    ...{ at, index, time, mark },
    kind: clipText(kind),
    subject: clipText(subject),
    // Items with a form or review of their own.
    ...(hasItem(run.audit.walk.state, subject) ? { open: folders.keyOf(folder, subject) } : {}),
    // What the item asks or says.
    ...(begins.has(kind) ? {} : { about: texts.get(subject) ?? undefined }),
    work: work.map((id) => ({ id: clipText(id), title: run.audit.walk.state.work.get(id)?.title })),
    who: clipText(who),
    ...(keyid === null ? {} : { key: keyid.slice(0, 16) }),
    // Only its line says that this human did it.
    ...(isUnsignedHuman(entry, summary) ? { unsigned: true as const } : {}),
    // Whose key it is, where the key ring has another name than the signature.
    ...(entry.key_of === null ? {} : { keyOf: clipText(entry.key_of) }),
    ...(isPasskey ? { passkey: true as const } : {}),
    ...(said === null ? {} : { said: clipText(said) }),
    ...(why === null ? {} : { why: clipText(why) }),
  };
}

/** Forged records can contain text of any length. */
function clipText(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

// An audit that follows a journal in slices, so that verifying thousands of signatures does not block the editor.

/** How long signatures are verified before yielding. Milliseconds. */
const sliceMs = 8;

export type AuditRun = ReturnType<typeof startAudit>;

/** All is read, and it is one unbroken journal of a workspace. */
export function isExportable({ checked, audit }: AuditRun): boolean {
  return checked === 100 && audit.walk.fault === null && audit.summary().workspace !== null;
}

/** @param changed called on progress and completion */
export function startAudit(workspace: Workspace, changed: () => void) {
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
    get audit(): Audit {
      return audit;
    },
    /** What is wrong with the saved state of this machine; null before all is read. */
    get savedFault() {
      return savedFault;
    },
    /** Percentage read; 100 when complete. */
    get checked() {
      return checked();
    },
    /** Reads new lines; starts over if earlier results may no longer be valid. */
    look() {
      if (basis !== basisNow()) restart();
      else if (steps) isBehind = true;
      else if (!audit.walk.fault) begin();
    },
    restart,
    dispose: stop,
  };
}
