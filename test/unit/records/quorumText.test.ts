import assert from 'node:assert/strict';
import { formatPasskeyRule, formatRule, parsePasskeyRule, parseRule } from '../../../src/core/records/quorumText.ts';

describe('a rule on people as a line', () => {
  for (const [line, rule] of [
    ['payments/**: 2 of ada, grace, linus', { globs: ['payments/**'], people: ['ada', 'grace', 'linus'], count: 2 }],
    ['everything: 1 of ada', { people: ['ada'], count: 1 }],
    [
      'critical approval rfc db/**: 2 of Ada Lovelace, grace',
      {
        ...{ urgencies: ['critical'], types: ['approval', 'rfc'], globs: ['db/**'] },
        ...{ people: ['Ada Lovelace', 'grace'], count: 2 },
      },
    ],
  ] as const)
    it(line, () => {
      const read = parseRule(line);
      assert.deepEqual(read, rule);
      assert.equal(formatRule(read), line);
    });

  it('may have the number as a word', () => {
    assert.equal(parseRule('payments/**: two of ada, grace')?.count, 2);
  });

  for (const line of [
    '',
    'payments/**',
    ': 2 of ada, grace',
    'payments/**: 3 of ada, grace',
    'payments/**: 0 of ada',
    'payments/**: 2 of ada, Ada',
    'payments/**: 1 of',
    '**: 1 of ada',
    '../x: 1 of ada',
  ])
    it(`is not "${line}"`, () => {
      assert.equal(parseRule(line), null);
    });
});

describe('a rule on passkeys as a line', () => {
  for (const [line, rule] of [
    ['everything: passkey', {}],
    ['critical: passkey', { urgencies: ['critical'] }],
    ['rfc payments/**: passkey', { types: ['rfc'], globs: ['payments/**'] }],
  ] as const)
    it(`is read and written again: ${line}`, () => {
      assert.deepEqual(parsePasskeyRule(line), rule);
      assert.equal(formatPasskeyRule(rule), line);
      assert.equal(parseRule(line), null);
    });

  for (const line of [
    'passkey',
    ': passkey',
    ', ,: passkey',
    'critical: passkeys',
    'critical: 1 of passkey',
    '../b: passkey',
  ])
    it(`is nothing else: "${line}"`, () => {
      assert.equal(parsePasskeyRule(line), null);
    });
});
