/**
 * Recovery from UNKNOWN, for humans only: restore the editor's copy, set a damaged line aside, or start over. Nothing
 * is deleted: replaced files are renamed. Each act is signed and recorded in the resulting journal.
 */
import { beginningOf, noLine } from '../../core/records/records.ts';
import type { CountedLine, LineBody } from '../../core/records/records.ts';
import { hashOf } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import { makeFolderOf, readOrNull, replaceFile } from '../../store/journal/files.ts';
import { replaceJournal } from '../../store/journal/journalFile.ts';
import { openLedger } from '../../store/journal/ledger.ts';
import { encodeLine } from '../../store/journal/line.ts';
import { openJournal } from '../../store/journal/openJournal.ts';
import type { Damage, Problem } from '../../store/journal/problem.ts';
import { journalPath, namedSegments, segmentPath } from '../../store/journal/segments.ts';
import { noAnchor } from '../../store/journal/stateFile.ts';
import { shortenRetirements } from '../keys/enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import { humanActor, signRecord } from '../decision/decisions.ts';
import type { Unsigned } from '../decision/decisions.ts';
import type { Signer } from '../decision/signer.ts';
import { isJoined } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Diagnosis {
  readonly problem: Problem;
  /** The editor's copy: time of its last act and number of acts; or why it cannot be restored. */
  readonly copy: { readonly lastAct: string; readonly acts: number } | { readonly why: string };
  /** The damaged range, if it can be skipped; or why not. */
  readonly damage: Damage | { readonly why: string };
  /** Number of readable acts that starting over would abandon; or why it is not possible. */
  readonly startAnew: { readonly loses: number } | { readonly why: string };
  /** Open questions in the readable part. */
  readonly openQuestions: readonly string[];
}

/** The problem and the recovery options; null when there is no problem. */
export function diagnose(workspace: Workspace, copyFile: string | null): Diagnosis | null {
  const standing = workspace.standing();
  if (!standing.problem) return null;
  const { problem } = standing;
  const readable = inspect(workspace, journalPath(workspace.location.root));
  const closed = noWayOut(workspace, problem);
  return {
    problem,
    copy: closed ?? inspectCopy(workspace, copyFile),
    damage: closed ?? inspectDamage(workspace, problem),
    startAnew: closed ?? { loses: readable?.acts ?? 0 },
    openQuestions: readable?.open ?? [],
  };
}

/** What a recovery form shows and a human signs. */
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

/** Problems that changing the journal cannot fix. */
function noWayOut(workspace: Workspace, problem: Problem): { why: string } | null {
  if (problem.code === 'newer') return { why: 'Update Holdpoint instead: the store is healthy.' };
  if (problem.code === 'git') return { why: 'Repair or remove the worktree instead: its repository is missing.' };
  if (problem.code === 'unsafe') return { why: 'Remove the link first: the store must be a plain folder.' };
  // The journal is the server's; a local one in its place would be another.
  if (problem.code === 'disconnected' || isJoined(workspace.options.fs, workspace.stateFile.path))
    return { why: 'Connect to the team’s server instead: this machine copies the journal and the keys from there.' };
  return null;
}

function inspectCopy(workspace: Workspace, copyFile: string | null): Diagnosis['copy'] {
  const copy = copyFile === null ? null : inspect(workspace, copyFile);
  if (!copy) return { why: 'This editor has no copy of this workspace.' };
  if (!copy.sound || copy.workspace === null) return { why: 'The copy in this editor is damaged too.' };
  return { lastAct: copy.lastAct, acts: copy.acts };
}

function inspectDamage(workspace: Workspace, problem: Problem): Diagnosis['damage'] {
  if (!problem.damage && problem.code === 'damaged')
    return { why: 'The damage may include the end of a journal file, and later records are in the next file.' };
  if (!problem.damage) return { why: 'No single damaged line was found.' };
  const ledger = openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: problem.damage });
  const after = ledger.problem;
  const known = ledger.state.workspace !== null;
  ledger.close();
  if (!known) return { why: 'The damage is in the very first line.' };
  // A second damaged range needs a second round; any other problem rules this option out.
  return after === null || after.damage ? problem.damage : { why: after.message };
}

/**
 * Updates the editor's copy from the journal, file by file; unchanged files are not rewritten. Does nothing while the
 * store is UNKNOWN. If the journal does not continue the copy (after starting over or restoring), the copy is kept
 * under other names.
 */
export function updateCopy(workspace: Workspace, copyFile: string): void {
  const { fs, newId } = workspace.options;
  const standing = workspace.standing();
  const journal = journalPath(workspace.location.root);
  if (standing.problem || !fs.existsSync(journal)) return;
  const { seals } = standing.state;
  const copies = [0, ...seals].map((base, index) => ({
    file: segmentPath(copyFile, index + 1, base),
    bytes: readJournal(workspace, journal, { ends: seals, from: base, to: seals[index] }),
  }));
  const states = copies.map(({ file, bytes }) => continues(bytes, readOrNull(fs, file)));
  const gaps = states.some(
    (state, index) => state !== 'same' && states.slice(index + 1).some((later) => later !== 'none'),
  );
  if (gaps || states.includes('other')) {
    const old = [copyFile, ...namedSegments(fs, copyFile).map(({ file }) => file)];
    for (const file of old) if (fs.existsSync(file)) fs.renameSync(file, `${file}.aside-${newId()}`);
    states.fill('none');
  }
  makeFolderOf(fs, copyFile);
  for (const [index, { file, bytes }] of copies.entries())
    if (states[index] !== 'same') replaceFile(fs, file, bytes, `${file}.${newId()}.tmp`);
}

/** How a file of the copy relates to the journal's: missing, a prefix, identical, or different. */
function continues(bytes: Buffer, copy: Buffer | null): 'none' | 'beginning' | 'same' | 'other' {
  if (!copy) return 'none';
  if (copy.equals(bytes)) return 'same';
  return copy.equals(bytes.subarray(0, copy.length)) ? 'beginning' : 'other';
}

/** A stretch of a journal, to its end where none is given. */
interface Stretch {
  readonly ends: readonly number[];
  readonly from: number;
  readonly to?: number | undefined;
}

function readJournal(workspace: Workspace, file: string, { ends, from, to }: Stretch): Buffer {
  const journal = openJournal(workspace.options.fs, file, ends);
  try {
    const size = journal?.size();
    if (!journal || typeof size !== 'number') throw new Error(`${file} is missing or has changed`);
    return journal.read(from, to ?? size);
  } finally {
    journal?.close();
  }
}

export type WayOut = 'restore' | 'setAside' | 'startAnew';

export interface Choice {
  readonly way: WayOut;
  /** Hash of the diagnosis the form showed. */
  readonly shown: string;
  /** The editor's copy of the journal, if it keeps one. */
  readonly copyFile: string | null;
}

/** Who signs, and for what. */
interface Signing {
  readonly signer: Signer;
  readonly shown: string;
}

/**
 * Carries out and signs one recovery option, then opens the workspace again.
 * @throws AppError `conflict` when the diagnosis has changed, `bad_input` when the option is not available
 */
export async function recover(workspace: Workspace, signer: Signer, { way, shown, copyFile }: Choice): Promise<void> {
  const signing = { signer, shown };
  const diagnosis = diagnose(workspace, copyFile);
  if (!diagnosis) throw new AppError('conflict', 'the store is sound again: nothing was changed');
  if (shownDiagnosis(diagnosis) !== shown)
    throw new AppError('conflict', 'what is wrong has changed since it was shown: check it again');
  if (way === 'setAside') setAside(workspace, signing, diagnosis.damage);
  else if (way === 'restore') replace(workspace, signing, restored(workspace, diagnosis.copy, copyFile));
  else replace(workspace, signing, startedAnew(workspace, diagnosis.startAnew));
  workspace.reopen();
  await workspace.store();
}

function replace(workspace: Workspace, signing: Signing, next: Beginning): void {
  const { fs, newId } = workspace.options;
  const { root } = workspace.location;
  const { bytes, position, head } = withSignedEnd(workspace, signing, next);
  replaceJournal(fs, root, { bytes, ends: next.ends }, newId);
  workspace.stateFile.replace({ v: 1, root, workspace: next.workspace, position, head });
  shortenRetirements(workspace, next.workspace, position);
}

/** A new journal, and the record that explains it. */
interface Beginning {
  /** Bytes of all segments in order, and where each but the last ends. */
  readonly bytes: Buffer;
  readonly ends: readonly number[];
  readonly workspace: string;
  readonly position: number;
  readonly head: string;
  readonly record: Unsigned;
}

function restored(workspace: Workspace, chosen: Diagnosis['copy'], copyFile: string | null): Beginning {
  if ('why' in chosen) throw new AppError('bad_input', chosen.why);
  const copy = copyFile === null ? null : inspect(workspace, copyFile);
  if (copyFile === null || !copy?.sound || copy.workspace === null)
    throw new AppError('bad_input', 'the copy in this editor is damaged too');
  const had = inspect(workspace, journalPath(workspace.location.root));
  return {
    bytes: readJournal(workspace, copyFile, { ends: copy.ends, from: 0, to: copy.position }),
    ends: copy.ends,
    workspace: copy.workspace,
    position: copy.position,
    head: copy.head,
    record: { kind: 'journal.restored', v: 1, lost: had && had.acts >= copy.acts ? had.acts - copy.acts : -1 },
  };
}

function startedAnew(workspace: Workspace, chosen: Diagnosis['startAnew']): Beginning {
  if ('why' in chosen) throw new AppError('bad_input', chosen.why);
  const id = workspace.options.newId();
  const { bytes, hash } = encodeLine({
    at: 0,
    prev: noLine,
    op: workspace.options.newId(),
    time: workspace.now(),
    actor: { kind: 'system', id: 'holdpoint' },
    records: [beginningOf(id)],
  });
  const record = { kind: 'journal.startedAnew', v: 1, formerWorkspace: formerWorkspace(workspace) } as const;
  return { bytes, ends: [], workspace: id, position: bytes.length - 1, head: hash, record };
}

/** Appends the last line: the act itself, signed for exactly this position. */
function withSignedEnd(
  workspace: Workspace,
  signing: Signing,
  beginning: Beginning,
): { bytes: Buffer; position: number; head: string } {
  const { workspace: workspaceId, position, head } = beginning;
  const place = { workspaceId, position: { position, head } };
  const end = encodeLine({
    at: beginning.bytes.length,
    prev: head,
    ...signedAct(workspace, signing, place, beginning.record),
  });
  const bytes = Buffer.concat([beginning.bytes, end.bytes]);
  return { bytes, position: bytes.length - 1, head: end.hash };
}

function setAside(workspace: Workspace, signing: Signing, damage: Diagnosis['damage']): void {
  if ('why' in damage) throw new AppError('bad_input', damage.why);
  const ledger = openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: damage });
  try {
    const { position, head } = ledger;
    const place = { workspaceId: ledger.state.workspace?.id ?? null, position: { position, head } };
    const record = { kind: 'journal.lineSetAside', v: 1, ...damage } as const;
    const { line, bytes } = ledger.encode(signedAct(workspace, signing, place, record));
    const done = ledger.append(bytes, line.at);
    if (done.outcome !== 'won') throw new AppError('conflict', 'the journal has changed: check again');
  } finally {
    ledger.close();
  }
}

/**
 * The records of a recovery.
 * @throws AppError `denied` for an unpinned key, before anything changes
 */
function signedAct(
  workspace: Workspace,
  { signer, shown }: Signing,
  place: Parameters<typeof signRecord>[0],
  record: Unsigned,
): Pick<LineBody, 'op' | 'time' | 'actor' | 'records'> {
  const { newId } = workspace.options;
  const time = workspace.now();
  const signed = signRecord(place, signer, record, { shown, nonce: newId(), at: time });
  const verified = createTrust(workspace.pins).verify(signed.envelope);
  if ('why' in verified) throw new AppError('denied', `nothing was changed: the decision ${verified.why}`);
  return { op: newId(), time, actor: humanActor(signer), records: [signed] };
}

function formerWorkspace(workspace: Workspace): string | null {
  try {
    return workspace.stateFile.read()?.workspace ?? null;
  } catch {
    return null;
  }
}

function ledgerParts(workspace: Workspace): {
  root: string;
  fs: Workspace['options']['fs'];
  trust: ReturnType<typeof createTrust>;
} {
  return { root: workspace.location.root, fs: workspace.options.fs, trust: createTrust(workspace.pins) };
}

interface Inspected {
  readonly workspace: string | null;
  readonly position: number;
  readonly ends: readonly number[];
  readonly head: string;
  readonly sound: boolean;
  readonly acts: number;
  readonly lastAct: string;
  readonly open: readonly string[];
}

/**
 * What can be read of a journal; null without one.
 * @param file its first file
 */
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
    ends: state.seals,
    head,
    sound: problem === null,
    acts,
    lastAct,
    open: [...state.holders],
  };
}
