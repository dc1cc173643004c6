/**
 * Earlier questions like this one, whose answers a human may want to give again. They only fill in the form: a human reads
 * and signs all the same. Pure.
 */
import { isAnsweredByHuman } from './question.ts';
import type { Question, State } from '../state/state.ts';

const shownAtMost = 3;
/** Of more answers, only the latest are compared. */
const lookedAtMost = 1_000;
const textAtMost = 400;
/** Share of the words of both that they have in common. */
const leastAlike = 0.5;
/** What the same work and the same choices add to that share. */
const sameAdds = 0.2;

/** The most alike first, of equal ones the latest. Empty unless the question is open. */
export function earlierAnswers({ questions }: Pick<State, 'questions'>, question: Question): Question[] {
  if (question.resolution !== null) return [];
  const found: { readonly earlier: Question; readonly alike: number }[] = [];
  let looked = 0;
  for (const earlier of [...questions.values()].reverse()) {
    if (looked === lookedAtMost) break;
    if (!isAnsweredByHuman(earlier) || earlier.revoked !== null) continue;
    looked += 1;
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
function fits({ raised: earlier, resolution }: Question, { raised }: Question): boolean {
  const { choices = [], text } = resolution?.answer ?? {};
  if (earlier.type !== raised.type || (choices.length > 1 && !raised.multiple)) return false;
  const offered = new Set(raised.choices.map(({ label }) => label));
  if (!choices.every((label) => offered.has(label))) return false;
  return choices.length > 0 || ((text ?? '') !== '' && (raised.choices.length === 0 || raised.freeText));
}

function hasSameChoices({ raised: a }: Question, { raised: b }: Question): boolean {
  return a.choices.length === b.choices.length && a.choices.every(({ label }, at) => label === b.choices[at]?.label);
}

const known = new WeakMap<Question, ReadonlySet<string>>();

function wordsOf(question: Question): ReadonlySet<string> {
  const words =
    known.get(question) ??
    new Set(
      question.raised.text
        .slice(0, textAtMost)
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu),
    );
  known.set(question, words);
  return words;
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
