/**
 * Decisions on a hold: it holds every file of the workspace until it is decided, or the named files again, or changes of
 * its files are accepted.
 */
import * as z from 'zod';
import { limits } from '../kit/limits.ts';
import { changeKey, ofOneCopy } from '../fold/heldChanges.ts';
import { holderOf, isOpenHolder, isRfc } from '../hold/holds.ts';
import { save } from '../question/fold.ts';
import { shownQuestion, shownSubject } from '../question/question.ts';
import { heldChange, holderId, workspaceCopy } from '../records/plain.ts';
import { type Widening, isChanged, noHeldFiles, type HeldFiles } from '../state/heldChanges.ts';
import { saveRfc } from '../rfc/fold.ts';
import { isHoldingRfc, shownRfc } from '../rfc/rfc.ts';
import type { Deciding } from '../state/change.ts';
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
