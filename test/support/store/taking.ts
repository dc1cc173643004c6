/** Applies one of the random acts of `actsOnGraph` in a lab: records of agents, or a human's decision. */
import { numbered, type Acting } from './arbitraries.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import type { AnswerEffect } from '../../../src/core/kit/words.ts';
import { setHeld, type Lab } from './lab.ts';
import { rule } from './rulings.ts';

export function take(lab: Lab, acting: Acting) {
  if ('records' in acting)
    return lab.write(
      acting.records.map((record) => numbered(record, lab.state)),
      acting.actor,
      acting.time,
    );
  if ('rules' in acting) return rule(lab, `RFC-${String(acting.on)}`, acting.rules);
  if ('widens' in acting) return setHeld(lab, acting.widens, acting.files);
  if ('answers' in acting) return answer(lab, `Q-${String(acting.answers)}`, acting.effect);
  if ('lifts' in acting) {
    const record = { kind: 'refusal.lifted', v: 1, id: `Q-${String(acting.lifts)}`, reason: 'After all.' } as const;
    return lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
  }
  const id = `Q-${String(acting.decides)}`;
  const record =
    acting.how === 'question.cancelled'
      ? ({ kind: 'question.cancelled', v: 1, id, reason: 'Done.' } as const)
      : ({ kind: 'question.released', v: 1, id, note: 'Go on.' } as const);
  return lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
}

function answer(lab: Lab, id: string, effect: AnswerEffect) {
  const record: Unsigned = { kind: 'question.answered', v: 1, id, answer: { text: 'Like this.', choices: [], effect } };
  return lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
}
