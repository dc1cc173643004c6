/** Effects of records about changed held files. None holds or releases anything. */
import { fileScopes, isOpenHolder, isRfc } from '../hold/holds.ts';
import type { Holder } from '../hold/holds.ts';
import { shownSubject } from '../question/question.ts';
import { heldChangesAtMost } from '../records/heldChanges.ts';
import type { HeldChangeKind } from '../records/heldChanges.ts';
import type { RecordOf } from '../records/records.ts';
import { shownRfc } from '../rfc/rfc.ts';
import type { Deciding, Effects, Folding } from '../state/effect.ts';
import { isChanged, noHeldFiles, ofCopy } from '../state/heldChanges.ts';
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
  const { id, part, hash, scopes, copy } = record;
  const known = requireHeld(state, id);
  const { baselines } = ofCopy(known, copy);
  if (part !== baselines.length + 1)
    throw new Inadmissible(`${id} has ${String(baselines.length)} parts of a baseline`);
  if (scopes !== trust.hash(fileScopes(state, requireHolder(state, id))))
    throw new Inadmissible(`the baseline is not about what ${id} holds`);
  if (baselines.at(-1)?.scopes === scopes) throw new Inadmissible(`${id} has this baseline already`);
  change.set(state.heldFiles, id, { ...known, baselines: [...known.baselines, { hash, scopes, ...of(copy) }] });
}

function noteChanges({ state, change, line }: Folding, record: RecordOf<'hold.violated'>): void {
  const { id, files, lost, call = null, copy } = record;
  const known = requireHeld(state, id);
  if (ofCopy(known, copy).baselines.length === 0) throw new Inadmissible(`${id} has no baseline`);
  const changes = new Map(known.changes.map((one) => [keyOf(one), one]));
  for (const { path, was, is } of files) {
    const noted = { path, was, is, at: line.time, call, ...of(copy) };
    changes.set(keyOf(noted), noted);
  }
  const isTooMuch = changes.size > heldChangesAtMost;
  const noted: HeldChange[] = [...changes.values()].slice(0, heldChangesAtMost);
  const lostNow = lost === true || isTooMuch ? { at: line.time, call, ...of(copy) } : null;
  change.set(state.heldFiles, id, { ...known, changes: noted, lost: lostOf(known.lost, lostNow) });
}

/** Of several copies, it counts for all. */
function lostOf(before: HeldFiles['lost'], now: HeldFiles['lost']): HeldFiles['lost'] {
  if (before === null || now === null) return before ?? now;
  return before.copy === now.copy ? before : { at: before.at, call: before.call };
}

/** Absent for the one copy of a journal that no team shares. */
function of(copy: string | undefined): { readonly copy?: string } {
  return copy === undefined ? {} : { copy };
}

function keyOf({ path, copy = '' }: { readonly path: string; readonly copy?: string | undefined }): string {
  return `${copy} ${path}`;
}

/** Only while it is held: a later change of the file is found again. */
function noteRestored({ state, change }: Folding, { id, paths, copy }: RecordOf<'hold.fileRestored'>): void {
  const known = requireHeld(state, id);
  const restored = new Set(paths.map((path) => keyOf({ path, copy })));
  change.set(state.heldFiles, id, { ...known, changes: known.changes.filter((one) => !restored.has(keyOf(one))) });
}

/** Only what was shown, as it was shown. */
function accept({ state, change, trust, payload }: Deciding, record: RecordOf<'hold.changeAccepted'>): void {
  const { id, files, lost, newBaseline } = record;
  const holder = requireHolder(state, id);
  const known = state.heldFiles.get(id) ?? noHeldFiles;
  if (payload.shown !== trust.hash(shownWithChanges(state, holder)))
    throw new Inadmissible('the changes are not what was shown', 'forgery');
  const problem = acceptProblem(known, record);
  if (problem !== null) throw new Inadmissible(problem, 'forgery');
  const taken = files.map(({ path, is, copy }) => ({ path, is, ...of(copy) }));
  const keys = new Set(taken.map(keyOf));
  const after: HeldFiles = {
    ...known,
    changes: known.changes.filter((one) => !keys.has(keyOf(one))),
    accepted: [...known.accepted.filter((one) => !keys.has(keyOf(one))), ...taken],
    lost: lost === true ? null : known.lost,
    // The one that was lost would be found to be lost again.
    baselines: newBaseline === true ? known.baselines.filter(isOfOther(known.lost?.copy)) : known.baselines,
  };
  if (isOpenHolder(holder) || isChanged(after)) change.set(state.heldFiles, id, after);
  else change.unset(state.heldFiles, id);
}

/** Whether a baseline is of another copy than the one whose was lost. */
function isOfOther(lost: string | undefined): (one: { readonly copy?: string }) => boolean {
  return ({ copy }) => lost !== undefined && copy !== lost;
}

type Accepting = Pick<RecordOf<'hold.changeAccepted'>, 'files' | 'lost' | 'newBaseline'>;

/** Why these changes cannot be accepted; null when they can. */
export function acceptProblem(
  { changes, lost: isLost }: HeldFiles,
  { files, lost, newBaseline }: Accepting,
): string | null {
  if (files.length === 0 && lost !== true) return 'nothing is accepted';
  if (newBaseline === true && lost !== true) return 'only a lost baseline is taken again';
  // Later looks compare with the new baseline, so that it would hide every change that this leaves out.
  if (newBaseline === true && !changes.every((one) => files.some((file) => keyOf(file) === keyOf(one))))
    return 'there are changes besides these';
  if (lost === true && isLost === null) return 'its baseline is not lost';
  const missing = files.find(
    (file) => !changes.some((one) => keyOf(one) === keyOf(file) && one.was === file.was && one.is === file.is),
  );
  return missing ? `${missing.path} has not changed like this` : null;
}

/** What a form shows when a human accepts changes of the files that it holds. */
export function shownWithChanges(state: State, holder: Holder): object {
  return isRfc(holder) ? shownRfc(state, holder) : shownSubject(state, holder);
}

function requireHolder(state: State, id: string): Holder {
  const holder = state.questions.get(id) ?? state.rfcs.get(id);
  if (!holder) throw new Inadmissible(`there is no question or RFC ${id}`);
  return holder;
}

function requireHeld(state: State, id: string): HeldFiles {
  const holder = requireHolder(state, id);
  if (!isOpenHolder(holder)) throw new Inadmissible(`${id} holds nothing`);
  return state.heldFiles.get(id) ?? noHeldFiles;
}
