/**
 * Decisions on a hold: it holds every file of the workspace until it is decided, or the named files again, or changes of
 * its files are accepted.
 */

import * as z from 'zod';
import { fileScopes, type Holder, holderOf, isOpenHolder, isRfc } from '../hold/holds.ts';
import { limits } from '../kit/limits.ts';
import { save } from '../question/fold.ts';
import { shownQuestion, shownSubject } from '../question/question.ts';
import { heldChange, type HeldChangeKind, holderId, type PlainOf, workspaceCopy } from '../records/plain.ts';
import { saveRfc } from '../rfc/fold.ts';
import { isHoldingRfc, shownRfc } from '../rfc/rfc.ts';
import { type Deciding, type Effects, type Folding, Inadmissible } from '../state/change.ts';
import {
  type HeldChange,
  heldChangesAtMost,
  type HeldFiles,
  isChanged,
  noHeldFiles,
  ofCopy,
  type Widening,
} from '../state/heldChanges.ts';
import { isOpenHold, type Question, type State } from '../state/state.ts';
import { defineDecision, signedBy } from './decision.ts';

/** What a form shows of a question or RFC; null for an unknown id. @param ofQuestion as a question is shown */
function shownHolder(ofQuestion: (state: State, question: Question) => object) {
  return (state: State, { id }: { readonly id: string }): object | null => {
    const question = state.questions.get(id);
    if (question) return ofQuestion(state, question);
    const rfc = state.rfcs.get(id);
    return rfc ? shownRfc(state, rfc) : null;
  };
}

const scope = { shown: shownHolder(shownQuestion), attested: true } as const;

const acceptedChange = heldChange.extend({ copy: workspaceCopy });

export const holdDecisions = [
  /** Holds every file of the workspace, or only what was named again: signed, because narrowing releases files. */
  defineDecision('hold.widened', () => ({ id: holderId }), {
    ...scope,
    ruled: false,
    problem: (state, { id }) => scopeProblem(state, id) ?? (widenedOf(state, id) && `${id} already holds every file`),
    apply(at, { id }) {
      setScope(at, id, signedBy(at));
    },
  }),
  defineDecision('hold.narrowed', () => ({ id: holderId }), {
    ...scope,
    ruled: true,
    problem: (state, { id }) =>
      scopeProblem(state, id) ?? (widenedOf(state, id) ? null : `${id} holds what was named only`),
    apply(at, { id }) {
      setScope(at, id, null);
    },
  }),
  /** Only the displayed content, unchanged. */
  defineDecision(
    'hold.changeAccepted',
    () => ({
      id: holderId,
      files: z.array(acceptedChange).max(limits.listItems),
      lost: z.literal(true).optional(),
      /** The lost baseline is taken again, of the files as they are. Optional: earlier records leave it as it is. */
      newBaseline: z.literal(true).optional(),
    }),
    {
      attested: true,
      ruled: true,
      shown: shownHolder(shownSubject),
      problem: (state, record) => acceptProblem(state.heldFiles.get(record.id) ?? noHeldFiles, record),
      apply({ state, change }, { id, files, lost, newBaseline }) {
        const known = state.heldFiles.get(id) ?? noHeldFiles;
        const taken = files.map(({ path, is, copy }) => ({ path, is, ...ofOneCopy(copy) }));
        const keys = new Set(taken.map(changeKey));
        const after: HeldFiles = {
          ...known,
          changes: known.changes.filter((one) => !keys.has(changeKey(one))),
          accepted: [...known.accepted.filter((one) => !keys.has(changeKey(one))), ...taken],
          lost: lost === true ? null : known.lost,
          // The one that was lost would be found to be lost again.
          baselines: newBaseline === true ? known.baselines.filter(isOfOther(known.lost?.copy)) : known.baselines,
        };
        const holder = holderOf(state, id);
        if ((holder && isOpenHolder(holder)) || isChanged(after)) change.set(state.heldFiles, id, after);
        else change.unset(state.heldFiles, id);
      },
    },
  ),
] as const;

function scopeProblem(state: State, id: string): string | null {
  const holder = holderOf(state, id);
  const holds = holder && (isRfc(holder) ? isHoldingRfc(holder) : isOpenHold(holder));
  return holds ? null : `${id} holds nothing`;
}

function widenedOf(state: State, id: string): Widening | null {
  return holderOf(state, id)?.widened ?? null;
}

function setScope(at: Deciding, id: string, widened: Widening | null): void {
  const question = at.state.questions.get(id);
  const rfc = at.state.rfcs.get(id);
  if (question) save(at, { ...question, widened });
  else if (rfc) saveRfc(at, { ...rfc, widened });
}

/** Whether a baseline is of another copy than the one whose was lost. */
function isOfOther(lost: string | undefined): (one: { readonly copy?: string }) => boolean {
  return ({ copy }) => lost !== undefined && copy !== lost;
}

interface Accepting {
  readonly files: readonly z.infer<typeof acceptedChange>[];
  readonly lost?: true | undefined;
  readonly newBaseline?: true | undefined;
}

function acceptProblem({ changes, lost: isLost }: HeldFiles, { files, lost, newBaseline }: Accepting): string | null {
  if (files.length === 0 && lost !== true) return 'nothing is accepted';
  if (newBaseline === true && lost !== true) return 'only a lost baseline is taken again';
  // Later looks compare with the new baseline, so that it would hide every change that this leaves out.
  if (newBaseline === true && !changes.every((one) => files.some((file) => changeKey(file) === changeKey(one))))
    return 'there are changes besides these';
  if (lost === true && isLost === null) return 'its baseline is not lost';
  const missing = files.find(
    (file) => !changes.some((one) => changeKey(one) === changeKey(file) && one.was === file.was && one.is === file.is),
  );
  return missing ? `${missing.path} has not changed like this` : null;
}

// Effects of records about changed held files. None holds or releases anything.

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
function ofOneCopy(copy: string | undefined): { readonly copy?: string } {
  return copy === undefined ? {} : { copy };
}

function changeKey({ path, copy = '' }: { readonly path: string; readonly copy?: string | undefined }): string {
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
