/** Effects of signed decisions about the scope of a hold. The signature was already verified (signature.ts). */
import { save } from '../question/fold.ts';
import { saveRfc } from '../rfc/fold.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { shownQuestion } from '../question/question.ts';
import { isHoldingRfc, shownRfc } from '../rfc/rfc.ts';
import type { Deciding, Effects } from '../state/effect.ts';
import { isOpenHold } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { Widening, WideningRecord } from '../records/widening.ts';

export const wideningEffects: Effects<WideningRecord['kind']> = {
  'hold.widened': applyWidening,
  'hold.narrowed': applyWidening,
};

/** What a form shows of a question or RFC when a human changes its scope; null for an unknown id. */
export function shownHolder(state: State, id: string): object | null {
  const question = state.questions.get(id);
  if (question) return shownQuestion(state, question);
  const rfc = state.rfcs.get(id);
  return rfc ? shownRfc(state, rfc) : null;
}

/** Why the scope cannot be changed now; null when it can. */
export function wideningProblem(state: State, { kind, id }: Pick<WideningRecord, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  const rfc = state.rfcs.get(id);
  const holder = question && isOpenHold(question) ? question : rfc && isHoldingRfc(rfc) ? rfc : null;
  if (holder === null) return `${id} holds nothing`;
  const wanted = kind === 'hold.widened';
  if (wanted === (holder.widened === null)) return null;
  return wanted ? `${id} already holds every file` : `${id} holds what was named only`;
}

/** No program of ours writes a record that does not fit, so it is an attempted forgery. */
function applyWidening({ state, change, trust, payload, keyid }: Deciding, record: WideningRecord): void {
  const { kind, id } = record;
  const shown = shownHolder(state, id);
  if (shown === null || payload.shown !== trust.hash(shown))
    throw new Inadmissible(`${id} is not what was shown`, 'forgery');
  const problem = wideningProblem(state, record);
  if (problem !== null) throw new Inadmissible(problem, 'forgery');
  const widened: Widening | null = kind === 'hold.widened' ? { by: payload.by, keyid, at: payload.at } : null;
  const question = state.questions.get(id);
  const rfc = state.rfcs.get(id);
  if (question) save(state, change, { ...question, widened });
  else if (rfc) saveRfc(state, change, { ...rfc, widened });
}
