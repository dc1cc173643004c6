/**
 * Earlier questions like this one, whose answers a human may want to give again. They only fill in the form: a human reads
 * and signs all the same. Pure.
 */
import { isAnsweredByHuman } from './question.ts';
import { isWhole, raisedOf, type OpenQuestion, type Question, type State } from '../state/state.ts';

const shownAtMost = 3;
/** Of more answers, only the latest are compared. */
const lookedAtMost = 300;
const textAtMost = 400;
const leastAlike = 0.5;
/** What the same work and the same choices add to that share. */
const sameAdds = 0.2;

/** The most alike first, of equal ones the latest. Empty unless the question is open. */
export function earlierAnswers(state: Pick<State, 'questions' | 'readRaised'>, question: Question): OpenQuestion[] {
  if (question.resolution !== null || !isWhole(question)) return [];
  const found: { readonly earlier: OpenQuestion; readonly alike: number }[] = [];
  let looked = 0;
  for (const one of [...state.questions.values()].reverse()) {
    if (looked === lookedAtMost) break;
    if (!isAnsweredByHuman(one) || one.revoked !== null || one.facts.type !== question.facts.type) continue;
    looked += 1;
    const earlier = { ...one, raised: raisedOf(state, one) };
    if (!fits(earlier, question)) continue;
    const share = shareOf(wordsOf(earlier), wordsOf(question));
    if (share < leastAlike) continue;
    const sameWork = question.work !== null && earlier.work === question.work ? sameAdds : 0;
    found.push({ earlier, alike: share + sameWork + (hasSameChoices(earlier, question) ? sameAdds : 0) });
  }
  return found
    .sort((a, b) => b.alike - a.alike)
    .slice(0, shownAtMost)
    .map(({ earlier }) => earlier);
}

/** Whether the form could give this answer. */
function fits({ resolution }: OpenQuestion, { raised }: OpenQuestion): boolean {
  const { choices = [], text } = resolution?.answer ?? {};
  if (choices.length > 1 && !raised.multiple) return false;
  const offered = new Set(raised.choices.map(({ label }) => label));
  if (!choices.every((label) => offered.has(label))) return false;
  return choices.length > 0 || ((text ?? '') !== '' && (raised.choices.length === 0 || raised.freeText));
}

function hasSameChoices({ raised: a }: OpenQuestion, { raised: b }: OpenQuestion): boolean {
  return a.choices.length === b.choices.length && a.choices.every(({ label }, at) => label === b.choices[at]?.label);
}

function wordsOf({ raised }: OpenQuestion): ReadonlySet<string> {
  return new Set(
    raised.text
      .slice(0, textAtMost)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
