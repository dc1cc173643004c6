/** A journal in memory with a policy that asks for two of three people under `payments`. */
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import type { Folded } from '../../../src/core/fold/fold.ts';
import { gate } from '../../../src/core/hold/gate.ts';
import type { QuorumRule } from '../../../src/core/records/policy.ts';
import { flow, makeLab, question, work, type Lab, type Signing } from './lab.ts';
import { makeHuman, type Human } from './people.ts';

export const twoOfThree: QuorumRule = { globs: ['payments/**'], people: ['ada', 'grace', 'linus'], count: 2 };
export interface People {
  readonly ada: Human;
  /** Her second key, with the same name in the ring. */
  readonly adasLaptop: Human;
  readonly grace: Human;
  readonly linus: Human;
  /** In the ring, but in no rule. */
  readonly bob: Human;
}

export function makePeople(): People {
  const named = makeHuman;
  return {
    ada: named('ada'),
    adasLaptop: named('ada'),
    grace: named('grace'),
    linus: named('linus'),
    bob: named('bob'),
  };
}

export function policyRecord(rules: readonly QuorumRule[], questionLifeHours = 24): Unsigned {
  return {
    kind: 'policy.changed',
    v: 1,
    questionLifeHours,
    onExpiry: 'expire',
    quorum: { rules },
  } as Unsigned;
}

export function signAs(lab: Lab, signer: Human, record: Unsigned, changes: Partial<Signing> = {}): Folded {
  return lab.write([lab.signed(record, { signer, ...changes })], { kind: 'human', id: signer.name });
}

/** Q-1 holds `payments/api` of T1, which is part of the workflow W1 with T4; Q-2 holds `docs`, RFC-1 holds `payments/rfc`. */
export function quorumLab(people: People, rules: readonly QuorumRule[] = [twoOfThree]): Lab {
  const { ada, ...others } = people;
  const lab = makeLab(ada, Object.values(others));
  const { refused } = lab.write([
    flow('W1'),
    work('T1', { workflow: 'W1' }),
    work('T4', { workflow: 'W1' }),
    work('T2'),
    work('T3'),
    question(1, { work: 'T1', holds: ['payments/api'], choices: [{ label: 'JWT' }, { label: 'No' }] }),
    question(2, { work: 'T2', holds: ['docs'] }),
    {
      kind: 'rfc.proposed',
      v: 1,
      id: 'RFC-1',
      document: { title: 'Refunds', sections: [{ key: 'summary', heading: 'Summary', text: 'Short.' }], questions: [] },
      tasks: ['T3'],
      holds: ['payments/rfc'],
    },
    { kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 },
  ]);
  if (refused.length > 0) throw new Error(refused[0]?.why);
  const set = signAs(lab, ada, policyRecord(rules));
  if (set.refused.length > 0) throw new Error(set.refused[0]?.why);
  return lab;
}

export function isHeld(lab: Lab, file: string): boolean {
  return gate(lab.state, { files: [file], worktree: '.', ignoreCase: false }).verdict === 'deny';
}

export function isWorkHeld(lab: Lab, item: string): boolean {
  return gate(lab.state, { work: item, worktree: '.', ignoreCase: false }).verdict === 'deny';
}

export const jwt: Unsigned = {
  kind: 'question.answered',
  v: 1,
  id: 'Q-1',
  answer: { choices: ['JWT'], effect: 'proceed' },
};
export const no: Unsigned = {
  kind: 'question.answered',
  v: 1,
  id: 'Q-1',
  answer: { choices: ['No'], effect: 'do_not' },
};
export const releaseIt: Unsigned = { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' };
export const liftIt: Unsigned = { kind: 'refusal.lifted', v: 1, id: 'Q-1', reason: 'Settled.' };
