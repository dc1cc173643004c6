/** Effects of records about changed held files. None holds or releases anything. */
import { fileScopes, holderOf, isOpenHolder, type Holder } from '../hold/holds.ts';
import type { HeldChangeKind, PlainOf } from '../records/plain.ts';
import { heldChangesAtMost, noHeldFiles, ofCopy, type HeldChange, type HeldFiles } from '../state/heldChanges.ts';
import { type Effects, type Folding, Inadmissible } from '../state/change.ts';
import type { State } from '../state/state.ts';

export const heldChangeEffects: Effects<HeldChangeKind> = {
  'hold.baselineTaken': takeBaseline,
  'hold.violated': noteChanges,
  'hold.fileRestored': noteRestored,
};

/** The first baseline is used, and a further one only where the hold has grown: it cannot vouch for a changed file. */
function takeBaseline({ state, change, trust }: Folding, record: PlainOf<'hold.baselineTaken'>): void {
  const { id, part, hash, scopes, copy } = record;
  const known = requireHeld(state, id);
  const { baselines } = ofCopy(known, copy);
  if (part !== baselines.length + 1)
    throw new Inadmissible(`${id} has ${String(baselines.length)} parts of a baseline`);
  if (scopes !== trust.hash(fileScopes(state, requireHolder(state, id))))
    throw new Inadmissible(`the baseline is not about what ${id} holds`);
  if (baselines.at(-1)?.scopes === scopes) throw new Inadmissible(`${id} has this baseline already`);
  change.set(state.heldFiles, id, { ...known, baselines: [...known.baselines, { hash, scopes, ...ofOneCopy(copy) }] });
}

function noteChanges({ state, change, line }: Folding, record: PlainOf<'hold.violated'>): void {
  const { id, files, lost, call = null, copy } = record;
  const known = requireHeld(state, id);
  if (ofCopy(known, copy).baselines.length === 0) throw new Inadmissible(`${id} has no baseline`);
  const changes = new Map(known.changes.map((one) => [changeKey(one), one]));
  for (const { path, was, is } of files) {
    const noted = { path, was, is, at: line.time, call, ...ofOneCopy(copy) };
    changes.set(changeKey(noted), noted);
  }
  const isTooMuch = changes.size > heldChangesAtMost;
  const noted: HeldChange[] = [...changes.values()].slice(0, heldChangesAtMost);
  const lostNow = lost === true || isTooMuch ? { at: line.time, call, ...ofOneCopy(copy) } : null;
  change.set(state.heldFiles, id, { ...known, changes: noted, lost: lostOf(known.lost, lostNow) });
}

/** If there are several copies, it is valid for all. */
function lostOf(before: HeldFiles['lost'], now: HeldFiles['lost']): HeldFiles['lost'] {
  if (before === null || now === null) return before ?? now;
  return before.copy === now.copy ? before : { at: before.at, call: before.call };
}

/** Absent for the one copy of a journal that no team shares. */
export function ofOneCopy(copy: string | undefined): { readonly copy?: string } {
  return copy === undefined ? {} : { copy };
}

export function changeKey({ path, copy = '' }: { readonly path: string; readonly copy?: string | undefined }): string {
  return `${copy} ${path}`;
}

/** Only while it is held: a later change of the file is found again. */
function noteRestored({ state, change }: Folding, { id, paths, copy }: PlainOf<'hold.fileRestored'>): void {
  const known = requireHeld(state, id);
  const restored = new Set(paths.map((path) => changeKey({ path, copy })));
  change.set(state.heldFiles, id, { ...known, changes: known.changes.filter((one) => !restored.has(changeKey(one))) });
}

function requireHolder(state: State, id: string): Holder {
  const holder = holderOf(state, id);
  if (!holder) throw new Inadmissible(`there is no question or RFC ${id}`);
  return holder;
}

function requireHeld(state: State, id: string): HeldFiles {
  const holder = requireHolder(state, id);
  if (!isOpenHolder(holder)) throw new Inadmissible(`${id} holds nothing`);
  return state.heldFiles.get(id) ?? noHeldFiles;
}
