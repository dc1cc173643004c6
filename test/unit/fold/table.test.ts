/** What the compiler checks in the table of effects. `@ts-expect-error` fails the type check once the mistake compiles. */
import assert from 'node:assert/strict';
import { effects } from '../../../src/core/fold/table.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { noEffect } from '../../../src/core/state/effect.ts';
import type { Deciding, Effects } from '../../../src/core/state/effect.ts';

const needsSignature = ({ keyid }: Deciding) => {
  assert.ok(keyid);
};

describe('the table of record effects', () => {
  it('has each kind exactly once', () => {
    assert.deepEqual(Object.keys(effects).sort(), anyRecord.kinds.toSorted());
  });

  it('does not compile with a missing or an unknown kind', () => {
    // @ts-expect-error `key.retired` is missing
    const missing: Effects<'key.trusted' | 'key.retired'> = { 'key.trusted': noEffect };
    // @ts-expect-error this kind does not exist
    const unknown: Effects<'key.trusted'> = { 'key.trusted': noEffect, 'key.forgotten': noEffect };
    assert.equal(Object.keys({ ...missing, ...unknown }).length, 2);
  });

  it('passes a payload only to the effects of signed kinds', () => {
    const signed: Effects<'question.answered'> = { 'question.answered': needsSignature };
    // @ts-expect-error an unsigned record has no payload
    const unsigned: Effects<'question.raised'> = { 'question.raised': needsSignature };
    assert.notDeepEqual(signed, unsigned);
  });
});
