/** A person who has answered questions of one shape together signs that the next ones are answered the same way. */
import { shownPrecedent } from '../../../src/core/precedent/matching.ts';
import type { PrecedentTerms } from '../../../src/core/precedent/matching.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import type { Lab } from '../store/lab.ts';

/** Signs for the next 20 questions of this working day. */
const uses = 20;
const hours = 8;

/** @returns whether one was signed: not while one for these questions is in force */
export function signPrecedent(lab: Lab, from: string, now: string): boolean {
  const { raised } = lab.state.questions.get(from)!;
  const terms: PrecedentTerms = {
    ...{ id: `P-${String(lab.state.precedents.size + 1)}`, from, work: null, globs: [], type: raised.type },
    text: raised.text.replace(/lib\d+/, '{name: word}'),
    ...{ more: {}, choices: raised.choices, multiple: raised.multiple, freeText: raised.freeText },
    answer: { choices: ['Yes'], effect: 'proceed' },
    ...{ until: new Date(Date.parse(now) + hours * 3_600_000).toISOString(), uses },
  };
  for (const { set, ended, uses: used } of lab.state.precedents.values())
    if (set.text === terms.text && ended === null && used.length < set.uses) return false;
  const shown = hashOf(shownPrecedent(lab.state, terms));
  const record = lab.signed({ kind: 'precedent.set', v: 1, ...terms }, { shown, at: now });
  const { refused } = lab.write([record], { kind: 'human', id: lab.human.name }, now);
  if (refused.length > 0) throw new Error(refused[0]?.why);
  return true;
}
