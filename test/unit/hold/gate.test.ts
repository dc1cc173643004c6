import assert from 'node:assert/strict';
import { openAtMost } from '../../../src/core/hold/holds.ts';
import { bindingsOnWork, gate, type GateQuery } from '../../../src/core/hold/gate.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import { flow, makeLab, noon, question, update, work, type Lab } from '../../support/store/lab.ts';
import { rule } from '../../support/store/rulings.ts';

const asker: Actor = { kind: 'agent', id: 'copilot-001', session: 's-1', worktree: '.' };
const other = { agent: 'claude-002', id: 's-2' };
const self = { agent: 'copilot-001', id: 's-1' };
const design = {
  title: 'Tokens',
  sections: [{ key: 'summary', heading: 'Summary', text: 'Short.' }],
  questions: [],
};

describe('the gate', () => {
  interface Given {
    readonly records: readonly object[];
    readonly actor?: Actor;
  }

  /** @param reasons each as `code subject Q-…`; an empty list means that the gate allows */
  function check(
    name: string,
    query: Partial<GateQuery>,
    reasons: readonly string[],
    { records, actor = asker }: Given,
  ): void {
    it(name, () => {
      const lab = makeLab();
      assert.deepEqual(lab.write(records, actor, noon).refused, []);
      const found = gate(lab.state, { worktree: '.', ignoreCase: false, ...query });
      assert.deepEqual(
        found.reasons.map(({ code, subject, holder }) => `${code} ${subject} ${holder?.id ?? '-'}`),
        reasons,
      );
      assert.equal(found.verdict, reasons.length === 0 ? 'allow' : 'deny');
    });
  }

  describe('asked about work', () => {
    const records = [
      flow('W1'),
      work('T1', { workflow: 'W1' }),
      work('T2', { dependsOn: ['T1'] }),
      work('T3'),
      question(1, { work: 'T1' }),
    ];
    check('denies held work', { work: 'T1' }, ['held_work T1 Q-1'], { records });
    check('denies work that depends on held work', { work: 'T2' }, ['held_work T2 Q-1'], { records });
    check('allows work that is not held', { work: 'T3' }, [], { records });
    check('allows a workflow that is not held', { work: 'W1' }, [], { records });
    check('denies unknown work', { work: 'T9' }, ['unknown_work T9 -'], { records });
    check('denies held work in any worktree or none', { work: 'T1', worktree: 'wt/one' }, ['held_work T1 Q-1'], {
      records,
    });
    check('allows an empty query', {}, [], { records });
  });

  describe('asked about files', () => {
    const records = [
      work('T1', { holds: ['src/a'] }),
      question(1, { work: 'T1' }),
      work('T2', { holds: ['src/b'] }),
      question(2, { work: 'T2', holds: ['docs'] }),
    ];
    check('denies the files of held work', { files: ['src/a/x.ts'] }, ['held_file src/a/x.ts Q-1'], { records });
    check('denies the files of the question itself', { files: ['docs/x.md'] }, ['held_file docs/x.md Q-2'], {
      records,
    });
    check('allows the files of the work item when the question names its own', { files: ['src/b/x.ts'] }, [], {
      records,
    });
    check(
      'reports each held file',
      { files: ['src/a', 'docs', 'lib'] },
      ['held_file src/a Q-1', 'held_file docs Q-2'],
      { records },
    );
    check('allows files of another worktree', { files: ['src/a/x.ts'], worktree: 'wt/one' }, [], { records });
    check(
      'denies files in any worktree when the question names none',
      { files: ['src/a'], worktree: 'wt/one' },
      ['held_file src/a Q-1'],
      { records, actor: { kind: 'agent', id: 'copilot-001' } },
    );
    check(
      'denies a folder that contains held files, and mentions these',
      { files: ['src', '.'] },
      ['held_file src/a Q-1', 'held_file docs Q-2'],
      { records },
    );
    check('allows a file whose name begins like a held folder', { files: ['sr', 'src/ab'] }, [], { records });
    const inner = [...records, question(3, { holds: ['inner/src'] })];
    check(
      'denies a file in a nested worktree',
      { files: ['src/x.ts'], worktree: 'inner' },
      ['held_file src/x.ts Q-3'],
      { records: inner },
    );
    check('allows a file beside it in a nested worktree', { files: ['docs/x.ts'], worktree: 'inner' }, [], {
      records: inner,
    });
    const deep: Actor = { ...asker, worktree: '.agents/one' };
    check(
      'denies a file that a nested worktree holds',
      { files: ['.agents/one/src/a/x', 'src/a/x'] },
      ['held_file .agents/one/src/a/x Q-1'],
      { records, actor: deep },
    );
    check(
      'denies a folder that contains a nested worktree with held files',
      { files: ['.agents'] },
      ['held_file src/a Q-1', 'held_file docs Q-2'],
      { records, actor: deep },
    );
    const beside: Actor = { ...asker, worktree: '../linked' };
    check('allows files of the root when a question of an outside worktree holds them', { files: ['src/a', '.'] }, [], {
      records,
      actor: beside,
    });
    check(
      'denies held files in a worktree outside the root',
      { files: ['src/a'], worktree: '../linked' },
      ['held_file src/a Q-1'],
      { records, actor: beside },
    );
    check('allows a path in another case', { files: ['SRC/A'] }, [], { records });
    check(
      'denies a path in another case where that is the same file',
      { files: ['SRC/A'], ignoreCase: true },
      ['held_file SRC/A Q-1'],
      { records },
    );
    check('denies files that were added later', { files: ['lib/x'] }, ['held_file lib/x Q-2'], {
      records: [...records, { kind: 'question.widened', v: 1, id: 'Q-2', addHolds: ['lib'] }],
    });
    check('allows files that are only related', { files: ['src/a'] }, [], {
      records: [question(1, { files: [{ path: 'src/a' }] })],
    });
  });

  describe('asked about sessions', () => {
    const started = (id: string) => work(id, { status: 'in_progress', assignee: 'copilot-001' });
    check('denies the asker on held work', { session: self }, ['held_session copilot-001 Q-1'], {
      records: [started('T1'), question(1, { work: 'T1' })],
    });
    check('allows the asker on other work', { session: self }, [], {
      records: [work('T1'), question(1, { work: 'T1' }), started('T2')],
    });
    check('denies the asker without work', { session: self }, ['held_session copilot-001 Q-1'], {
      records: [work('T1'), question(1, { work: 'T1' })],
    });
    check('denies the asker that is back on held work', { session: self }, ['held_session copilot-001 Q-1'], {
      records: [started('T1'), started('T2'), update('T1', { status: 'in_progress' }), question(1, { work: 'T1' })],
    });
    check(
      'denies the asker of a question without work, on other work',
      { session: self },
      ['held_session copilot-001 Q-1'],
      { records: [question(1), started('T2')] },
    );
    check(
      'denies the asker of a question without work, for other work',
      { session: self, work: 'T2' },
      ['held_session copilot-001 Q-1'],
      { records: [question(1), work('T2')] },
    );
    check('allows the asker without work, for other work', { session: self, work: 'T2' }, [], {
      records: [work('T1'), question(1, { work: 'T1' }), work('T2')],
    });
    check(
      'denies the asker under another name in the same session',
      { session: { agent: 'claude-002', id: 's-1' } },
      ['held_session claude-002 Q-1'],
      { records: [question(1)] },
    );
    check('allows another agent', { session: other }, [], { records: [question(1)] });
    check('denies another agent on held work', { session: other }, ['held_session claude-002 Q-1'], {
      records: [work('T1', { status: 'in_progress', assignee: 'claude-002' }), question(1, { work: 'T1' })],
    });
    check('allows the asker of an async question', { session: self }, [], {
      records: [question(1, { mode: 'async' })],
    });
    check('denies the asker of an expired question', { session: self }, ['held_session copilot-001 Q-1'], {
      records: [question(1), { kind: 'question.expired', v: 1, id: 'Q-1' }],
    });
    check('denies an unknown session', { session: 'unknown' }, ['held_session this session Q-1'], {
      records: [work('T1'), question(1, { work: 'T1' })],
    });
    check('allows an unknown session in another worktree', { session: 'unknown', worktree: '../linked' }, [], {
      records: [question(1)],
    });
    check(
      'denies an unknown session in a nested worktree',
      { session: 'unknown', worktree: 'wt/one' },
      ['held_session this session Q-1'],
      { records: [question(1)] },
    );
    const nowhere: Actor = { kind: 'agent', id: 'copilot-001', session: 's-1' };
    check(
      'denies an unknown session when the question names no worktree',
      { session: 'unknown', worktree: '../linked' },
      ['held_session this session Q-1'],
      { records: [question(1)], actor: nowhere },
    );
    const ofAda: Actor = { ...asker, id: 'Ada/copilot-001' };
    const herAgent = { kind: 'agent.registered', v: 1, id: 'Grace/claude-001', type: 'claude', host: 'x', label: 'x' };
    for (const [person, records, reasons] of [
      ['Grace', [question(1)], []],
      ['Ada', [question(1)], ['held_session this session Q-1']],
      [null, [question(1)], ['held_session this session Q-1']],
      [
        'Grace',
        [herAgent, work('T1', { status: 'in_progress', assignee: 'Grace/claude-001' }), question(1, { work: 'T1' })],
        ['held_session this session Q-1'],
      ],
    ] as const)
      check(
        `an unknown session of ${person ?? 'anybody'}: ${reasons.join() || 'allowed'}, ${String(records.length)}`,
        { session: 'unknown', person },
        reasons,
        { records, actor: ofAda },
      );
    check(
      'denies the asker in another session of its own',
      { session: { agent: 'copilot-001', id: 's-9' } },
      ['held_session copilot-001 Q-1'],
      { records: [question(1)] },
    );
    check('allows another agent where neither names its session', { session: { agent: 'claude-002' } }, [], {
      records: [question(1)],
      actor: { kind: 'agent', id: 'copilot-001', worktree: '.' },
    });
    const proposed = { kind: 'rfc.proposed', v: 1, id: 'RFC-1', document: design, tasks: ['T1'] };
    check('allows the author of an open RFC', { session: self }, [], { records: [work('T1'), proposed] });

    it('denies an agent over the limit of open questions, by the oldest, whatever it works on', () => {
      const lab = makeLab();
      lab.write([work('T1'), work('T2')], asker);
      const asked = (from: number, to: number) =>
        lab.write(
          Array.from({ length: to - from }, (_, index) => question(from + index, { work: 'T1' })),
          asker,
        );
      const held = (session: { agent: string; id: string }) =>
        gate(lab.state, { worktree: '.', ignoreCase: false, work: 'T2', session }).reasons.map(
          ({ code, holder }) => `${code} ${holder?.id ?? '-'}`,
        );
      asked(1, openAtMost.holders);
      assert.deepEqual(held(self), []);
      asked(openAtMost.holders, openAtMost.holders + 1);
      assert.deepEqual(held(self), ['held_session Q-1']);
      assert.deepEqual(held(other), []);
    });
  });

  describe('returns the conditions', () => {
    const named = { kind: 'rfc.proposed', v: 1, id: 'RFC-1', document: design };
    function approved(more: object, ...before: readonly object[]): Lab {
      const lab = makeLab();
      const records = [flow('W1'), work('T1', { holds: ['src/one'] }), work('T2', { holds: ['src/two'] }), ...before];
      const submitted = { kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 };
      assert.deepEqual(lab.write([...records, { ...named, ...more }, submitted], asker).refused, []);
      assert.deepEqual(rule(lab, 'RFC-1', 'approve').refused, []);
      return lab;
    }
    const of = (lab: Lab, query: Partial<GateQuery>) =>
      gate(lab.state, { worktree: '.', ignoreCase: false, ...query }).conditions;
    const both = ['Limit the rate.'];

    it('of an RFC that names the queried item or file among others', () => {
      const lab = approved({ tasks: ['T1', 'T2'] });
      assert.deepEqual(of(lab, { work: 'T1' }), both);
      assert.deepEqual(of(lab, { work: 'T2' }), both);
      assert.deepEqual(of(lab, { work: 'W1' }), []);
      assert.deepEqual(of(lab, { files: ['README.md', 'src/two'] }), both);
      assert.deepEqual(of(lab, { files: ['README.md'] }), []);
      assert.deepEqual(of(lab, {}), []);
    });

    it('of the agent’s current item, unless the query names another', () => {
      const on = work('T3', { status: 'in_progress', assignee: 'copilot-001' });
      const lab = approved({ tasks: ['T3'] }, on);
      assert.deepEqual(of(lab, { session: self }), both);
      assert.deepEqual(of(lab, { session: other }), []);
      assert.deepEqual(of(lab, { session: 'unknown' }), []);
      assert.deepEqual(of(lab, { session: self, work: 'T1' }), []);
    });

    it('of one item', () => {
      const lab = approved({ tasks: ['T1'] });
      assert.deepEqual(bindingsOnWork(lab.state, 'T1'), { conditions: both, constraints: [] });
      assert.deepEqual(bindingsOnWork(lab.state, 'T2'), { conditions: [], constraints: [] });
    });
  });
});
