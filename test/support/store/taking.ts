/** Takes one of the random acts of `actsOnGraph` in a lab: records of agents, or what a human decides. */
import type { Acting } from './arbitraries.ts';
import { numbered } from './arbitraries.ts';
import { setHeld } from './lab.ts';
import type { Lab } from './lab.ts';
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
  const id = `Q-${String(acting.decides)}`;
  const record =
    acting.how === 'question.cancelled'
      ? ({ kind: 'question.cancelled', v: 1, id, reason: 'Done.' } as const)
      : ({ kind: 'question.released', v: 1, id, note: 'Go on.' } as const);
  return lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
}
