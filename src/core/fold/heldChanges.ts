/** Effects of records about changed held files. None holds or releases anything. */
import { fileScopes, isOpenHolder, isRfc } from '../hold/holds.ts';
import type { Holder, HolderBrief } from '../hold/holds.ts';
import { shownSubject } from '../question/question.ts';
import { heldChangesAtMost, heldChangesFormat, rfcHeldChangesFormat } from '../records/heldChanges.ts';
import type { HeldChangeKind } from '../records/heldChanges.ts';
import type { RecordOf } from '../records/records.ts';
import { shownRfc } from '../rfc/rfc.ts';
import { hasFormat } from '../state/askForFormat.ts';
import type { Deciding, Effects, Folding } from '../state/effect.ts';
import { isChanged, noHeldFiles } from '../state/heldChanges.ts';
import type { HeldChange, HeldFiles } from '../state/heldChanges.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { State } from '../state/state.ts';

export const heldChangeEffects: Effects<HeldChangeKind> = {
  'hold.baselineTaken': takeBaseline,
  'hold.violated': noteChanges,
  'hold.fileRestored': noteRestored,
  'hold.changeAccepted': accept,
};

/** The first baseline counts, and a further one only where the hold has grown: it cannot vouch for a changed file. */
function takeBaseline({ state, change, trust }: Folding, record: RecordOf<'hold.baselineTaken'>): void {
  const { id, part, hash, scopes } = record;
  const known = requireHeld(state, id);
  const { baselines } = known;
  if (part !== baselines.length + 1)
    throw new Inadmissible(`${id} has ${String(baselines.length)} parts of a baseline`);
  if (scopes !== trust.hash(fileScopes(state, requireHolder(state, id))))
    throw new Inadmissible(`the baseline is not about what ${id} holds`);
  if (baselines.at(-1)?.scopes === scopes) throw new Inadmissible(`${id} has this baseline already`);
  change.set(state.heldFiles, id, { ...known, baselines: [...baselines, { hash, scopes }] });
}

function noteChanges({ state, change, line }: Folding, record: RecordOf<'hold.violated'>): void {
  const { id, files, lost, call = null } = record;
  const known = requireHeld(state, id);
  if (known.baselines.length === 0) throw new Inadmissible(`${id} has no baseline`);
  const changes = new Map(known.changes.map((one) => [one.path, one]));
  for (const { path, was, is } of files) changes.set(path, { path, was, is, at: line.time, call });
  const isTooMuch = changes.size > heldChangesAtMost;
  const noted: HeldChange[] = [...changes.values()].slice(0, heldChangesAtMost);
  const lostNow = lost === true || isTooMuch ? { at: line.time, call } : null;
  change.set(state.heldFiles, id, { ...known, changes: noted, lost: known.lost ?? lostNow });
}

/** Only while it is held: a later change of the file is found again. */
function noteRestored({ state, change }: Folding, { id, paths }: RecordOf<'hold.fileRestored'>): void {
  const known = requireHeld(state, id);
  const restored = new Set(paths);
  change.set(state.heldFiles, id, { ...known, changes: known.changes.filter(({ path }) => !restored.has(path)) });
}

/** Only what was shown, as it was shown. */
function accept({ state, change, trust, payload }: Deciding, record: RecordOf<'hold.changeAccepted'>): void {
  const { id, files, lost } = record;
  const holder = requireHolder(state, id);
  const known = state.heldFiles.get(id) ?? noHeldFiles;
  if (payload.shown !== trust.hash(shownWithChanges(state, holder)))
    throw new Inadmissible('the changes are not what was shown', 'forgery');
  const problem = acceptProblem(known, { files, lost });
  if (problem !== null) throw new Inadmissible(problem, 'forgery');
  const paths = new Set(files.map(({ path }) => path));
  const after: HeldFiles = {
    ...known,
    changes: known.changes.filter(({ path }) => !paths.has(path)),
    accepted: [
      ...known.accepted.filter(({ path }) => !paths.has(path)),
      ...files.map(({ path, is }) => ({ path, is })),
    ],
    lost: lost === true ? null : known.lost,
  };
  if (isOpenHolder(holder) || isChanged(after)) change.set(state.heldFiles, id, after);
  else change.unset(state.heldFiles, id);
}

type Accepting = Pick<RecordOf<'hold.changeAccepted'>, 'files' | 'lost'>;

/** Why these changes cannot be accepted; null when they can. */
export function acceptProblem({ changes, lost: isLost }: HeldFiles, { files, lost }: Accepting): string | null {
  if (files.length === 0 && lost !== true) return 'nothing is accepted';
  if (lost === true && isLost === null) return 'its baseline is not lost';
  const missing = files.find(
    ({ path, was, is }) => !changes.some((one) => one.path === path && one.was === was && one.is === is),
  );
  return missing ? `${missing.path} has not changed like this` : null;
}

/** What a form shows when a human accepts changes of the files that it holds. */
export function shownWithChanges(state: State, holder: Holder): object {
  return isRfc(holder) ? shownRfc(state, holder) : shownSubject(state, holder);
}

/** The format that a workspace must ask for before the files that this holds get a baseline. */
export function formatFor(holder: HolderBrief): number {
  return isRfc(holder) ? rfcHeldChangesFormat : heldChangesFormat;
}

function requireHolder(state: State, id: string): Holder {
  const holder = state.questions.get(id) ?? state.rfcs.get(id);
  if (!holder) throw new Inadmissible(`there is no question or RFC ${id}`);
  return holder;
}

function requireHeld(state: State, id: string): HeldFiles {
  const holder = requireHolder(state, id);
  if (!hasFormat(state, formatFor(holder)))
    throw new Inadmissible(`asks for a workspace of format ${String(formatFor(holder))}`);
  if (!isOpenHolder(holder)) throw new Inadmissible(`${id} holds nothing`);
  return state.heldFiles.get(id) ?? noHeldFiles;
}
