/**
 * Recovery from UNKNOWN, for humans only: restore the editor's copy, continue without a damaged or missing part, or start over. Nothing
 * is deleted: replaced files are renamed. Each act is signed and recorded in the resulting journal.
 */
import { noLine } from '../../core/records/parts.ts';
import { beginningOf, type CountedLine, type LineBody } from '../../core/records/records.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import { replaceJournal } from '../../store/journal/journalFile.ts';
import { openLedger } from '../../store/journal/ledger.ts';
import { encodeLine } from '../../store/journal/line.ts';
import { openJournal } from '../../store/journal/openJournal.ts';
import type { Damage, Problem } from '../../store/journal/problem.ts';
import { journalPath } from '../../store/journal/files.ts';
import { noAnchor, type Anchor, isJoined } from '../../store/journal/stateFile.ts';
import { requireReadableRing, shortenRetirements } from '../keys/enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import { humanActor, signRecord, type Unsigned, type KeySigner } from '../decision/decisions.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Diagnosis {
  readonly problem: Problem;
  /** The editor's copy: time of its last act and number of acts; or why it cannot be restored. */
  readonly copy: { readonly lastAct: string; readonly acts: number } | { readonly why: string };
  /** The damaged range, if it can be skipped; or why not. */
  readonly damage: Damage | { readonly why: string };
  /** Number of readable acts that starting over would abandon; or why it is not possible. */
  readonly startAnew: { readonly loses: number } | { readonly why: string };
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
  if (problem.code === 'git') return { why: 'Repair or remove the worktree instead: its repository is missing.' };
  if (problem.code === 'unsafe') return { why: 'Remove the link first: .holdpoint must be a plain folder.' };
  // The journal is the server's; a local one in its place would be another.
  const joined = isJoined(workspace.options.fs, workspace.stateFile.path);
  if (joined && problem.code === 'newer') return { why: 'Update Holdpoint instead: the journal is intact.' };
  if (joined || problem.code === 'disconnected')
    return { why: 'Connect to the team’s server instead: this machine copies the journal and the keys from there.' };
  return null;
}

function inspectCopy(workspace: Workspace, copyFile: string | null): Diagnosis['copy'] {
  const copy = copyFile === null ? null : inspect(workspace, copyFile);
  if (!copy) return { why: 'This editor has no copy of this workspace.' };
  if (!copy.sound || copy.workspace === null) return { why: 'The copy in this editor is damaged too.' };
  return { lastAct: copy.lastAct, acts: copy.acts };
}

/** The range of a journal that ends before its anchor. What comes before it can be read, and is whole. */
function missingPart(workspace: Workspace): Diagnosis['damage'] {
  const file = journalPath(workspace.location.root);
  const known = readAnchor(workspace);
  const readable = inspect(workspace, file);
  if (!known || !readable?.sound || readable.workspace !== known.workspace || readable.position >= known.position)
    return { why: 'Nothing of this workspace can be read before the missing part.' };
  const { position: from, head: resumes } = readable;
  return { from, to: known.position, bytesHash: sha256(readJournal(workspace, file, from)), resumes };
}

function inspectDamage(workspace: Workspace, problem: Problem): Diagnosis['damage'] {
  if (problem.code === 'shorter') return missingPart(workspace);
  if (!problem.damage && problem.code === 'damaged')
    return { why: 'The damage may include the end of a journal file, and later records are in the next file.' };
  if (problem.code === 'newer') return { why: 'Only a newer version of Holdpoint can read that line.' };
  if (!problem.damage) return { why: 'No single damaged line was found.' };
  const ledger = openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: problem.damage });
  const after = ledger.problem;
  const known = ledger.state.workspace !== null;
  ledger.close();
  if (!known) return { why: 'The damage is in the very first line.' };
  // A second damaged range needs a second round; any other problem rules this option out.
  return after === null || after.damage ? problem.damage : { why: after.message };
}

/** @param to default: its end */
function readJournal(workspace: Workspace, file: string, from: number, to?: number): Buffer {
  const journal = openJournal(workspace.options.fs, file);
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

interface Prepared {
  readonly place: Place;
  readonly record: Unsigned;
  readonly write: (act: SignedAct) => void;
}

type Place = Parameters<typeof signRecord>[0];
type SignedAct = Pick<LineBody, 'op' | 'time' | 'actor' | 'records'>;

/**
 * Carries out and signs one recovery option, then opens the workspace again.
 * @throws AppError `conflict` when the diagnosis has changed, `bad_input` when the option is not available
 */
export async function recover(workspace: Workspace, signer: KeySigner, choice: Choice): Promise<void> {
  const diagnosis = currentDiagnosis(workspace, choice);
  const prepared = prepare(workspace, choice, diagnosis);
  prepared.write(signedAct(workspace, signer, prepared, diagnosis));
  workspace.reopen();
  await workspace.store();
}

function currentDiagnosis(workspace: Workspace, { shown, copyFile }: Choice): Diagnosis {
  const diagnosis = diagnose(workspace, copyFile);
  if (!diagnosis) throw new AppError('conflict', 'the journal is intact again: nothing was changed');
  if (shownDiagnosis(diagnosis) !== shown)
    throw new AppError('conflict', 'the damage has changed since it was shown: check it again');
  return diagnosis;
}

function prepare(workspace: Workspace, { way, copyFile }: Choice, diagnosis: Diagnosis): Prepared {
  switch (way) {
    case 'setAside':
      return diagnosis.problem.code === 'shorter'
        ? replacing(workspace, beginningFromJournal(workspace, diagnosis.damage))
        : settingAside(workspace, diagnosis.damage);
    case 'restore':
      return replacing(workspace, beginningFromCopy(workspace, diagnosis.copy, copyFile));
    case 'startAnew':
      return replacing(workspace, startedAnew(workspace, diagnosis.startAnew));
  }
}

/** The act becomes the last line, signed for exactly this position. */
function replacing(workspace: Workspace, next: Beginning): Prepared {
  const { fs, newId } = workspace.options;
  const { root } = workspace.location;
  const { workspace: workspaceId, position, head } = next;
  return {
    place: { workspaceId, position: { position, head } },
    record: next.record,
    write(act) {
      const end = encodeLine({ at: next.bytes.length, prev: head, ...act });
      const bytes = Buffer.concat([next.bytes, end.bytes]);
      replaceJournal(fs, root, bytes, newId);
      workspace.stateFile.replace({ v: 1, root, workspace: workspaceId, position: bytes.length - 1, head: end.hash });
      shortenRetirements(workspace, workspaceId, bytes.length - 1);
    },
  };
}

interface Beginning {
  readonly bytes: Buffer;
  readonly workspace: string;
  readonly position: number;
  readonly head: string;
  readonly record: Unsigned;
}

function beginningFromCopy(workspace: Workspace, chosen: Diagnosis['copy'], copyFile: string | null): Beginning {
  if ('why' in chosen) throw new AppError('bad_input', chosen.why);
  const copy = copyFile === null ? null : inspect(workspace, copyFile);
  if (copyFile === null || !copy?.sound || copy.workspace === null)
    throw new AppError('bad_input', 'the copy in this editor is damaged too');
  const had = inspect(workspace, journalPath(workspace.location.root));
  return {
    bytes: readJournal(workspace, copyFile, 0, copy.position),
    workspace: copy.workspace,
    position: copy.position,
    head: copy.head,
    record: { kind: 'journal.restored', v: 1, lost: had && had.acts >= copy.acts ? had.acts - copy.acts : -1 },
  };
}

/** What can be read of the present journal continues; the anchor is replaced, so the act cannot simply be appended. */
function beginningFromJournal(workspace: Workspace, damage: Diagnosis['damage']): Beginning {
  if ('why' in damage) throw new AppError('bad_input', damage.why);
  const file = journalPath(workspace.location.root);
  const had = inspect(workspace, file);
  if (!had?.workspace || had.position !== damage.from || had.head !== damage.resumes)
    throw new AppError('conflict', 'the journal has changed: check again');
  const { workspace: id, position, head } = had;
  const bytes = readJournal(workspace, file, 0, position);
  return { bytes, workspace: id, position, head, record: { kind: 'journal.lineSetAside', v: 1, ...damage } };
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
  const record = {
    kind: 'journal.startedAnew',
    v: 1,
    formerWorkspace: readAnchor(workspace)?.workspace ?? null,
  } as const;
  return { bytes, workspace: id, position: bytes.length - 1, head: hash, record };
}

function settingAside(workspace: Workspace, damage: Diagnosis['damage']): Prepared {
  if ('why' in damage) throw new AppError('bad_input', damage.why);
  const open = () => openLedger({ ...ledgerParts(workspace), stateFile: workspace.stateFile, assumeAside: damage });
  const ledger = open();
  const { position, head } = ledger;
  const workspaceId = ledger.state.workspace?.id ?? null;
  ledger.close();
  return {
    place: { workspaceId, position: { position, head } },
    record: { kind: 'journal.lineSetAside', v: 1, ...damage },
    write(act) {
      const again = open();
      try {
        const { line, bytes } = again.encode(act);
        const isSame = again.position === position && again.head === head;
        if (!isSame || again.append(bytes, line.at).outcome !== 'won')
          throw new AppError('conflict', 'the journal has changed: check again');
      } finally {
        again.close();
      }
    },
  };
}

/** @throws AppError `denied` for an unpinned key, before anything changes */
function signedAct(
  workspace: Workspace,
  signer: KeySigner,
  { place, record }: Prepared,
  diagnosis: Diagnosis,
): SignedAct {
  const { newId } = workspace.options;
  const time = workspace.now();
  const signed = signRecord(place, signer, record, { shown: shownDiagnosis(diagnosis), nonce: newId(), at: time });
  const verified = createTrust(workspace.pins).verify(signed.envelope);
  if ('why' in verified) {
    requireReadableRing(workspace);
    throw new AppError('denied', `nothing was changed: the decision ${verified.why}`);
  }
  return { op: newId(), time, actor: humanActor(signer), records: [signed] };
}

function readAnchor(workspace: Workspace): Anchor | null {
  try {
    return workspace.stateFile.read();
  } catch {
    return null;
  }
}

function ledgerParts({ location: { root }, options: { fs }, pins }: Workspace) {
  return { root, fs, trust: createTrust(pins) };
}

/** What can be read of a journal; null without one. */
function inspect(workspace: Workspace, file: string) {
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
    // Up to the line that only a newer version can read.
    sound: problem === null || problem.code === 'newer',
    acts,
    lastAct,
    open: [...state.holders],
  };
}
