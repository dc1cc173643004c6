import assert from 'node:assert/strict';
import { urgencies } from '../../../src/core/kit/words.ts';
import { defaultPolicy, type Policy } from '../../../src/core/state/state.ts';
import { changedPolicy, policyFields, presets, unknownPerson, valuesOf } from '../../../src/ui/answer/policy.ts';

const offered = { isShared: true, people: ['ada', 'grace'], responsibilities: [{ id: 'jane@app', name: 'Jane' }] };
const change = (policy: Policy, values: Record<string, string>) => changedPolicy(policy, values, offered);
const rowOf = (row: object) => JSON.stringify([row]);

/** A text for each value of the form, and the member that is signed for it. */
const others: Readonly<Record<string, readonly [text: string, member: object]>> = {
  'how-low': [
    'now',
    {
      interruptions: {
        urgencies: { critical: 'now', high: 'now', medium: 'silent', low: 'now' },
        ...{ agents: [], digestMinutes: 30, perHour: 0 },
      },
    },
  ],
  'remind-low': ['7', { reminders: { critical: 5, high: 30, medium: 0, low: 7 } }],
  'wait-low': ['1', { questionLife: { critical: 24, high: 24, medium: 72, low: 1 } }],
  end: ['escalate', { onExpiry: 'escalate' }],
  undo: ['', { undo: { seconds: 0 } }],
  rules: [
    rowOf({ covers: 'rfc\ncritical', globs: 'db/**, a/b', needs: 'people', count: '2', people: 'ada\ngrace' }),
    {
      quorum: {
        rules: [
          {
            ...{ urgencies: ['critical'], types: ['rfc'], globs: ['db/**', 'a/b'] },
            ...{ people: ['ada', 'grace'], count: 2 },
          },
        ],
      },
    },
  ],
  perHour: ['7', { interruptions: { ...interruptionsWith({}), perHour: 7 } }],
  agents: [
    rowOf({ agent: ' build-bot ', urgencies: 'low', how: 'silent' }),
    { interruptions: interruptionsWith({ agents: [{ agent: 'build-bot', urgencies: ['low'], how: 'silent' }] }) },
  ],
  'park-low': ['7', { parking: { minutes: { critical: 4, high: 4, medium: 4, low: 7 } } }],
  resume: ['opencode\ncodex', { resuming: { hosts: ['codex', 'opencode'] } }],
  ticked: ['low', { assumptions: { tickedUpTo: 'low' } }],
  overdue: ['escalate', { overdue: { action: 'escalate' } }],
  review: ['model', { review: { onSubmit: true } }],
  days: ['7', { memory: { ageDays: 7 } }],
  tools: [rowOf({ it: 'docs/search' }), { hooks: { readOnlyTools: ['docs/search'] } }],
  lease: ['1', { lease: { seconds: 1, strictGlobs: [] } }],
  after: ['allow', { lease: { seconds: 900, strictGlobs: [], after: 'allow' } }],
  globs: [rowOf({ it: 'payments/**' }), { lease: { seconds: 900, strictGlobs: ['payments/**'] } }],
};

function interruptionsWith(more: object) {
  return {
    urgencies: { critical: 'now', high: 'now', medium: 'silent', low: 'silent' },
    agents: [],
    digestMinutes: 30,
    perHour: 0,
    ...more,
  };
}

describe('the change from a policy form', () => {
  it('is null if nothing differs', () => {
    assert.equal(change(defaultPolicy, {}), null);
    assert.equal(change(defaultPolicy, valuesOf(defaultPolicy, offered)), null);
    for (const [name, [text, member]] of Object.entries(others))
      assert.equal(change({ ...defaultPolicy, ...member }, { [name]: text }), null, name);
  });

  it('contains the one member that differs, and takes it back', () => {
    for (const [name, [text, member]] of Object.entries(others)) {
      assert.deepEqual(change(defaultPolicy, { [name]: text }), { ...defaultPolicy, ...member }, name);
      const policy = { ...defaultPolicy, ...member };
      const back = change(policy, valuesOf(defaultPolicy, offered));
      assert.deepEqual(valuesOf({ ...policy, ...back }, offered), valuesOf(defaultPolicy, offered), name);
    }
  });

  it('has every field of the form in this test', () => {
    const keys = policyFields(offered).map(({ name, type }) =>
      type === 'times' || type === 'ways' ? `${name}-low` : name,
    );
    assert.deepEqual(keys.filter((key) => key !== 'reassign').sort(), Object.keys(others).sort());
  });

  it('shows what an earlier policy gathered in a digest as only in the list, and leaves it as it was signed', () => {
    const agents = [{ agent: 'build-bot', how: 'digest' }];
    const urgencies = { critical: 'now', high: 'digest', medium: 'now', low: 'now' };
    const policy = { ...defaultPolicy, interruptions: interruptionsWith({ urgencies, agents }) } as Policy;
    const values = valuesOf(policy, offered);
    assert.equal(values['how-high'], 'silent');
    assert.match(values['agents'] ?? '', /"how":"silent"/);
    assert.equal(change(policy, values), null);
  });

  it('names an assignee only where requests are reassigned', () => {
    const values = { overdue: 'reassign', reassign: 'jane@app' };
    const policy = { ...defaultPolicy, overdue: { action: 'reassign', reassignTo: 'jane@app' } } as const;
    assert.deepEqual(change(defaultPolicy, values), policy);
    assert.equal(change(policy, values), null);
    assert.deepEqual(change(policy, { overdue: 'alert' }), { ...defaultPolicy, overdue: { action: 'alert' } });
  });

  it('leaves the lease alone where the form has none', () => {
    assert.equal(changedPolicy(defaultPolicy, { lease: '1' }, { ...offered, isShared: false }), null);
  });

  it('is refused for a value that the form would not send', () => {
    const wrong: readonly (readonly [string, string])[] = [
      ...urgencies.flatMap((one) => ['-1', '1441', '0.5', 'x'].map((text) => [`remind-${one}`, text] as const)),
      ...['0', '8761', ''].map((text) => ['wait-high', text] as const),
      ...['61', '-1', '1.5'].map((text) => ['undo', text] as const),
      ['end', 'approve'],
      ['how-high', 'never'],
      ['tools', rowOf({ it: 'search' })],
      ['tools', 'no JSON'],
      ['rules', rowOf({ covers: '', globs: '../x', needs: 'passkey', count: '1', people: '' })],
      ['rules', rowOf({ covers: '', globs: '', needs: 'people', count: '3', people: 'ada\ngrace' })],
      ['rules', rowOf({ covers: '', globs: '', needs: 'people', count: '2', people: 'ada\nAda' })],
      ['agents', rowOf({ agent: 'human', urgencies: '', how: 'silent' })],
    ];
    for (const [name, text] of wrong) assert.throws(() => change(defaultPolicy, { [name]: text }), `${name}: ${text}`);
  });

  it('names people who have no key here', () => {
    const rules = rowOf({ covers: '', globs: '', needs: 'people', count: '1', people: 'mallory' });
    assert.equal(unknownPerson(change(defaultPolicy, { rules }) ?? {}, ['ada']), 'mallory');
    assert.equal(unknownPerson({}, ['ada']), null);
  });

  it('of each preset can be signed', () => {
    const [quiet, standard, strict] = presets(offered).map(({ values }) => change(defaultPolicy, values));
    assert.equal(standard, null);
    assert.equal(quiet?.interruptions?.urgencies.low, 'silent');
    assert.equal(strict?.onExpiry, 'escalate');
    assert.equal(strict.interruptions?.urgencies.low, 'now');
  });
});

describe('rules on passkeys in a policy form', () => {
  it('are rows beside the rules on people, and change only what differs', () => {
    const row = (needs: string, globs: string) => ({
      covers: '',
      globs,
      needs,
      count: '1',
      people: needs === 'people' ? 'ada' : '',
    });
    const rules = JSON.stringify([row('people', 'payments/**'), row('passkey', '')]);
    const quorum = { rules: [{ globs: ['payments/**'], people: ['ada'], count: 1 }] };
    const passkeys = { rules: [{}] };
    assert.deepEqual(change(defaultPolicy, { rules }), { ...defaultPolicy, quorum, passkeys });
    const policy = { ...defaultPolicy, quorum, passkeys };
    assert.equal(change(policy, { rules }), null);
    const without = change(policy, { rules: JSON.stringify([row('people', 'payments/**')]) });
    assert.deepEqual(without, { ...defaultPolicy, passkeys: { rules: [] } });
  });
});
