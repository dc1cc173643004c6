/** The functions that compute holds, each with its rules. */
import assert from 'node:assert/strict';
import { currentWork, directlyHeld, fileScopes, openHolders, stoppedBy } from '../../../src/core/hold/holds.ts';
import type { State } from '../../../src/core/state/state.ts';
import { flow, type Lab, makeLab, question, update, work } from '../../support/store/lab.ts';
import { rule } from '../../support/store/rulings.ts';

const rfc = (more: object = {}) => ({
  kind: 'rfc.proposed',
  v: 1,
  id: 'RFC-1',
  document: { title: 'Tokens', sections: [{ key: 'summary', heading: 'Summary', text: 'Short.' }], questions: [] },
  ...more,
});

function labWith(...records: readonly object[]): Lab {
  const lab = makeLab();
  for (const record of records) assert.deepEqual(lab.write([record]).refused, []);
  return lab;
}

const asked = (state: State, id: string) => state.questions.get(id)!;

const design = (state: State) => state.rfcs.get('RFC-1')!;

describe('parts of a hold', () => {
  const records = [
    flow('W1'),
    work('T1', { workflow: 'W1', holds: ['src/one'] }),
    work('T2', { holds: ['src/two', 'docs'] }),
    work('T3', { dependsOn: ['T2'] }),
  ];

  it('a critical question also holds its item’s workflow, if there is one', () => {
    const urgency = 'critical';
    const { state } = labWith(
      ...records,
      question(1, { work: 'T1', urgency }),
      question(2, { work: 'T2', urgency }),
      question(3, { urgency }),
      question(4, { work: 'T1' }),
      rfc({ workflows: ['W1'], tasks: ['T2'] }),
    );
    const held = openHolders(state).map((holder) => [holder.id, directlyHeld(state, holder)]);
    assert.deepEqual(held, [
      ['Q-1', ['T1', 'W1']],
      ['Q-2', ['T2']],
      ['Q-3', []],
      ['Q-4', ['T1']],
      ['RFC-1', ['W1', 'T2']],
    ]);
    assert.deepEqual(directlyHeld(state, { ...asked(state, 'Q-1'), work: 'nowhere' }), []);
  });

  it('a holder’s own files replace those of its work; added files always count', () => {
    const { state } = labWith(
      ...records,
      question(1, { work: 'T2' }),
      question(2, { work: 'T2', holds: ['lib'] }),
      question(3),
      question(4, { work: 'T1' }),
      { kind: 'question.widened', v: 1, id: 'Q-4', addHolds: ['lib'] },
      rfc({ workflows: ['W1'], tasks: ['T1', 'T2'] }),
    );
    const files = (id: string) => fileScopes(state, state.questions.get(id) ?? design(state));
    assert.deepEqual(files('Q-1'), ['src/two', 'docs']);
    assert.deepEqual(files('Q-2'), ['lib']);
    assert.deepEqual(files('Q-3'), []);
    assert.deepEqual(files('Q-4'), ['src/one', 'lib']);
    assert.deepEqual(files('RFC-1'), ['src/one', 'src/two', 'docs']);
    assert.deepEqual(fileScopes(state, { ...asked(state, 'Q-1'), work: 'nowhere' }), []);
    assert.deepEqual(fileScopes(state, { ...design(state), workflows: ['nowhere'], tasks: ['T1', 'either'] }), [
      'src/one',
    ]);
  });

  it('a human’s stop covers the item and all its tasks, and nothing else', () => {
    const lab = labWith(...records, rfc({ workflows: ['W1'] }));
    assert.equal(stoppedBy(lab.state, 'T1'), null);
    assert.equal(rule(lab, 'RFC-1', 'stop').refused.length, 0);
    const by = (id: string) => stoppedBy(lab.state, id)?.id ?? null;
    assert.deepEqual(['W1', 'T1', 'T2', 'T3', 'nowhere'].map(by), ['RFC-1', 'RFC-1', null, null, null]);
  });

  it('an agent’s current item is the one in progress that it started last', () => {
    const mine = { assignee: 'copilot-001', status: 'in_progress' };
    const lab = labWith(work('T1', mine));
    const current = () => currentWork(lab.state, 'copilot-001')?.id ?? null;
    assert.equal(current(), 'T1');
    const others = [
      work('T2', mine),
      work('T3', { assignee: 'claude-002', status: 'in_progress' }),
      work('T4', { assignee: 'copilot-001', status: 'todo' }),
      work('T5', { assignee: 'copilot-001', status: 'done' }),
    ];
    assert.deepEqual(lab.write(others).refused, []);
    assert.equal(current(), 'T2');
    lab.write([update('T1', { status: 'todo' }), update('T1', { status: 'in_progress' })]);
    assert.equal(current(), 'T1');
    lab.write([update('T1', { status: 'done' }), update('T2', { status: 'done' })]);
    assert.equal(current(), null);
    assert.equal(currentWork(lab.state, 'claude-002')?.id, 'T3');
  });
});
