/** A journal in memory with one answered question, whose answer becomes a precedent. */
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownPrecedent } from '../../../src/core/precedent/matching.ts';
import type { PrecedentTerms } from '../../../src/core/precedent/matching.ts';
import type { Folded } from '../../../src/core/fold/fold.ts';
import { precedentFormat } from '../../../src/core/records/precedent.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { bot, flow, makeLab, noon, question, work } from './lab.ts';
import type { Lab, Signing } from './lab.ts';

export const asksForPrecedents = {
  ...{ kind: 'format.changed', v: 1, minReader: precedentFormat, minWriter: precedentFormat },
} as const;

/** A question of the class: T1 of the workflow W1 holds `src/app`. */
export function asked(number: number, more: object = {}): object {
  return question(number, {
    text: `Add dependency \`lib${String(number)}\`?`,
    type: 'decision',
    work: 'T1',
    holds: ['src/app/package.json'],
    choices: [{ label: 'Add it' }, { label: 'Leave it' }],
    background: `Needed ${String(number)} times.`,
    expiresAt: '2026-04-03T12:00:00.000Z',
    ...more,
  });
}

export function terms(more: Partial<PrecedentTerms> = {}): PrecedentTerms {
  return {
    id: 'P-1',
    from: 'Q-1',
    work: ['W1'],
    globs: ['src/app/**'],
    type: 'decision',
    text: 'Add dependency `{name: word}`?',
    more: { background: 'Needed {n: number 1-50} times.' },
    choices: [
      { label: 'Add it', recommended: false },
      { label: 'Leave it', recommended: false },
    ],
    multiple: false,
    freeText: true,
    answer: { choices: ['Add it'], effect: 'proceed' },
    until: '2026-03-12T12:00:00.000Z',
    uses: 3,
    ...more,
  };
}

export function human(lab: Lab): Actor {
  return { kind: 'human', id: lab.human.name };
}

/** Signs these terms on what they would have answered; `changes` make the signature another. */
export function setPrecedent(lab: Lab, more: Partial<PrecedentTerms> = {}, changes: Partial<Signing> = {}): Folded {
  const said = terms(more);
  const record = { kind: 'precedent.set', v: 1, ...said } as const;
  const shown = hashOf(shownPrecedent(lab.state, said));
  return lab.write([lab.signed(record, { shown, ...changes })], human(lab));
}

/** @returns why the use has no effect; empty if it has one */
export function use(lab: Lab, id: string, precedent = 'P-1', time = noon): string {
  return lab
    .write([{ kind: 'precedent.used', v: 1, id, precedent }], bot, time)
    .refused.map(({ reason, why }) => `${reason}: ${why}`)
    .join();
}

/** Q-1 is answered; `src/app` is held by nothing. */
export function precedentLab(lab: Lab = makeLab()): Lab {
  for (const records of [
    [asksForPrecedents, flow('W1'), flow('W2'), work('T1', { workflow: 'W1' }), work('T2', { workflow: 'W2' })],
    [asked(1)],
  ])
    requireNone(lab.write(records));
  const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: ['Add it'] } };
  requireNone(lab.write([lab.signed(answer)], human(lab)));
  return lab;
}

export function requireNone({ refused }: Folded): void {
  if (refused.length > 0) throw new Error(refused[0]?.why);
}
