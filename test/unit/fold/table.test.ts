/** What the compiler checks in the tables of kinds. `@ts-expect-error` fails the type check once the mistake compiles. */
import assert from 'node:assert/strict';
import { decisions } from '../../../src/core/decision/decisions.ts';
import { shownElsewhere, type Decision, type Decisions } from '../../../src/core/decision/decision.ts';
import { effects } from '../../../src/core/fold/fold.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { noEffect, type Deciding, type Effects } from '../../../src/core/state/effect.ts';

const needsSignature = ({ keyid }: Deciding) => {
  assert.ok(keyid);
};

describe('the tables of kinds', () => {
  it('have each kind exactly once, signed kinds among the decisions', () => {
    const signed = anyRecord.kinds.filter((kind) => anyRecord.isSigned(kind));
    assert.deepEqual(Object.keys(decisions).sort(), signed.sort());
    assert.deepEqual([...Object.keys(effects), ...signed].sort(), anyRecord.kinds.toSorted());
  });

  it('do not compile with a missing or an unknown kind', () => {
    // @ts-expect-error `wait.noted` is missing
    const missing: Effects<'outcome.offered' | 'wait.noted'> = { 'outcome.offered': noEffect };
    // @ts-expect-error this kind does not exist
    const unknown: Effects<'wait.noted'> = { 'wait.noted': noEffect, 'wait.forgotten': noEffect };
    // @ts-expect-error `key.retired` is missing
    const undecided: Decisions<'key.trusted' | 'key.retired'> = { 'key.trusted': decisions['key.trusted'] };
    assert.equal(Object.keys({ ...missing, ...unknown, ...undecided }).length, 4);
  });

  it('do not compile without one of the parts of a decision', () => {
    const { shown, problem, ruled, attested } = shownElsewhere;
    // @ts-expect-error whether the policy's rules are about it is missing
    const unruled: Decision<'key.trusted'> = { shown, problem, attested, apply: needsSignature };
    // @ts-expect-error what is shown is missing
    const unseen: Decision<'key.trusted'> = { problem, ruled, attested, apply: needsSignature };
    assert.notDeepEqual(unruled, unseen);
  });

  it('pass a payload only to the effects of signed kinds', () => {
    // @ts-expect-error an unsigned record has no payload
    const unsigned: Effects<'question.raised'> = { 'question.raised': needsSignature };
    assert.ok(unsigned);
  });
});
