/**
 * The ways out of UNKNOWN, for humans only: put back the editor's copy, set a damaged line aside, start anew. Nothing is
 * ever deleted: what is replaced is renamed. Each act is signed and written into the journal it leads to.
 */
import path from 'node:path';
import { noLine } from '../core/records.ts';
import type { CountedLine } from '../core/records.ts';
import { hashOf } from '../trust/canonical.ts';
import { createTrust } from '../trust/envelope.ts';
import { replaceFile } from '../store/files.ts';
import { createJournal, journalPath, moveJournalAside } from '../store/journalFile.ts';
import { openLedger } from '../store/ledger.ts';
import type { Damage, Problem } from '../store/problem.ts';
import type { StateFile } from '../store/stateFile.ts';
import { AppError } from './errors.ts';
import { humanActor, signRecord } from './decisions.ts';
import type { Signer } from './decisions.ts';
import type { Workspace } from './workspace.ts';

export interface Diagnosis {
  readonly problem: Problem;
  /** The editor's copy: its last act's time and how many acts it has; or why it cannot be put back. */
  readonly copy: { readonly lastAct: string; readonly acts: number } | { readonly why: string };
  /** The damaged stretch, if there is one that can be passed over; or why not. */
  readonly damage: Damage | { readonly why: string };
  /** How many acts can still be read and would be given up; or why this way is closed. */
  readonly startAnew: { readonly loses: number } | { readonly why: string };
  /** Open questions in what can still be read. */
  readonly openQuestions: readonly string[];
}

/** What is wrong and which ways out there are; null when nothing is. */
export function diagnose(workspace: Workspace, copyFile: string | null): Diagnosis | null {
  const standing = workspace.standing();
  if (!standing.problem) return null;
  const { problem } = standing;
  const readable = inspect(workspace, journalPath(workspace.location.root));
  const closed = noWayOut(problem);
  return {
    problem,
    copy: closed ?? inspectCopy(workspace, copyFile),
    damage: closed ?? inspectDamage(workspace, problem),
    startAnew: closed ?? { loses: readable?.acts ?? 0 },
    openQuestions: readable?.open ?? [],
  };
}

/** What a recovery form shows and a human signs for. */
export function shownDiagnosis(diagnosis: Diagnosis): string {
  return hashOf({
    problem: diagnosis.problem.code,
    what: diagnosis.problem.what,
    copy: diagnosis.copy,
    damage: diagnosis.damage,
    startAnew: diagnosis.startAnew,
    open: diagnosis.openQuestions,
  });
}

/** Troubles that no change to the journal can mend. */
function noWayOut(problem: Problem): { why: string } | null {
  if (problem.code === 'newer') return { why: 'Update Holdpoint instead: the store itself is sound.' };
  if (problem.code === 'git') return { why: 'Repair or remove the worktree instead: its repository is missing.' };
  if (problem.code === 'unsafe') return { why: 'Remove the link first: the store must be a plain folder.' };
  return null;
}

function inspectCopy(workspace: Workspace, copyFile: string | null): Diagnosis['copy'] {
  const copy = copyFile === null ? null : inspect(workspace, copyFile);
  if (!copy) return { why: 'This editor has no copy of this workspace.' };
  if (!copy.sound || copy.workspace === null) return { why: 'The copy of this editor is damaged itself.' };
  return { lastAct: copy.lastAct, acts: copy.acts };
}

function inspectDamage(workspace: Workspace, problem: Problem): Diagnosis['damage'] {
  if (!problem.damage) return { why: 'No single damaged line was found.' };
  const ledger = openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: problem.damage });
  const after = ledger.problem;
  const known = ledger.state.workspace !== null;
  ledger.close();
  if (!known) return { why: 'The damage is in the very first line.' };
  // A second damaged stretch is dealt with in a second round; anything else shows that this is not the way out.
  return after === null || after.damage ? problem.damage : { why: after.message };
}

/**
 * Brings the editor's copy up to date with the journal. Does nothing while the store is UNKNOWN. A copy that the journal
 * does not continue (another one was begun or put back) is kept under another name.
 */
export function updateCopy(workspace: Workspace, copyFile: string): void {
  const { fs, newId } = workspace.options;
  const journal = journalPath(workspace.location.root);
  if (workspace.standing().problem || !fs.existsSync(journal)) return;
  const bytes = fs.readFileSync(journal);
  const copy = fs.existsSync(copyFile) ? fs.readFileSync(copyFile) : null;
  if (copy?.equals(bytes)) return;
  if (copy && !copy.equals(bytes.subarray(0, copy.length))) fs.renameSync(copyFile, `${copyFile}.aside-${newId()}`);
  fs.mkdirSync(path.dirname(copyFile), { recursive: true, mode: 0o700 });
  replaceFile(fs, copyFile, bytes, `${copyFile}.${newId()}.tmp`);
}

export type WayOut = 'restore' | 'setAside' | 'startAnew';

/**
 * Takes one way out and signs for it. Afterwards the workspace is opened anew.
 * @param shown hash of the diagnosis the form showed
 * @throws AppError `conflict` when the diagnosis has changed since, `bad_input` when this way is not open
 */
export async function recover(
  workspace: Workspace,
  signer: Signer,
  way: WayOut,
  shown: string,
  copyFile: string | null,
): Promise<void> {
  const diagnosis = diagnose(workspace, copyFile);
  if (!diagnosis) throw new AppError('conflict', 'the store is sound again: nothing was changed');
  if (shownDiagnosis(diagnosis) !== shown)
    throw new AppError('conflict', 'what is wrong has changed since it was shown: look again');
  if (way === 'setAside') {
    if ('why' in diagnosis.damage) throw new AppError('bad_input', diagnosis.damage.why);
    setAside(workspace, signer, diagnosis.damage, shown);
    workspace.reopen();
    return;
  }
  const chosen = way === 'restore' ? diagnosis.copy : diagnosis.startAnew;
  if ('why' in chosen) throw new AppError('bad_input', chosen.why);
  const former = formerWorkspace(workspace);
  const lost = way === 'restore' && copyFile !== null ? restoreFiles(workspace, copyFile) : startAnewFiles(workspace);
  workspace.reopen();
  const store = await workspace.store();
  store.transact(humanActor(signer), ({ now }) => {
    const record =
      way === 'restore'
        ? ({ kind: 'journal.restored', v: 1, lost } as const)
        : ({ kind: 'journal.startedAnew', v: 1, formerWorkspace: former } as const);
    return {
      records: [signRecord(store, signer, record, { shown, nonce: workspace.options.newId(), at: now })],
      result: null,
    };
  });
  store.anchor();
  workspace.changed();
}

function setAside(workspace: Workspace, signer: Signer, damage: Damage, shown: string): void {
  const ledger = openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: damage });
  try {
    const place = {
      workspaceId: ledger.state.workspace?.id ?? null,
      position: { position: ledger.position, head: ledger.head },
    };
    const record = signRecord(
      place,
      signer,
      { kind: 'journal.lineSetAside', v: 1, ...damage },
      { shown, nonce: workspace.options.newId(), at: workspace.now() },
    );
    const { line, bytes } = ledger.encode({
      op: workspace.options.newId(),
      time: workspace.now(),
      actor: humanActor(signer),
      records: [record],
    });
    const done = ledger.append(bytes, line.at);
    if (done.outcome !== 'won') throw new AppError('conflict', 'the journal changed meanwhile: look again');
  } finally {
    ledger.close();
  }
}

function formerWorkspace(workspace: Workspace): string | null {
  try {
    return workspace.stateFile.read()?.workspace ?? null;
  } catch {
    return null;
  }
}

/** Puts the copy in the journal's place. Returns how many acts it lacks, -1 if that cannot be told. */
function restoreFiles(workspace: Workspace, copyFile: string): number {
  const { fs, newId } = workspace.options;
  const { root } = workspace.location;
  const file = journalPath(root);
  const copy = inspect(workspace, copyFile);
  if (!copy?.sound || copy.workspace === null)
    throw new AppError('bad_input', 'the copy of this editor is damaged itself');
  const had = inspect(workspace, file);
  moveJournalAside(fs, root, newId());
  createJournal(fs, root, newId);
  replaceFile(fs, file, fs.readFileSync(copyFile).subarray(0, copy.position), `${file}.${newId()}.tmp`);
  workspace.stateFile.replace({
    v: 1,
    root,
    workspace: copy.workspace,
    position: copy.position,
    head: copy.head,
  });
  return had && had.acts >= copy.acts ? had.acts - copy.acts : -1;
}

function startAnewFiles(workspace: Workspace): number {
  const { fs, newId } = workspace.options;
  const { root } = workspace.location;
  moveJournalAside(fs, root, newId());
  workspace.stateFile.replace({ v: 1, root, workspace: newId(), position: 0, head: noLine });
  return 0;
}

function ledgerParts(workspace: Workspace): {
  root: string;
  fs: Workspace['options']['fs'];
  trust: ReturnType<typeof createTrust>;
} {
  return { root: workspace.location.root, fs: workspace.options.fs, trust: createTrust(workspace.pins) };
}

/** A state file that knows nothing: reads a journal for what it is. */
const noAnchor: StateFile = { path: '', read: () => null, advance: () => undefined, replace: () => undefined };

interface Inspected {
  readonly workspace: string | null;
  readonly position: number;
  readonly head: string;
  readonly sound: boolean;
  readonly acts: number;
  readonly lastAct: string;
  readonly open: readonly string[];
}

/** What a journal file says as far as it can be read; null when there is none. */
function inspect(workspace: Workspace, file: string): Inspected | null {
  let acts = 0;
  let lastAct = '';
  const onLine = (line: CountedLine) => {
    acts++;
    lastAct = line.time;
  };
  const ledger = openLedger({ ...ledgerParts(workspace), file, stateFile: noAnchor, onLine });
  const { state, position, head, problem, fresh } = ledger;
  ledger.close();
  if (fresh) return null;
  return {
    workspace: state.workspace?.id ?? null,
    position,
    head,
    sound: problem === null,
    acts,
    lastAct,
    open: [...state.holders],
  };
}
