import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { formatProblem } from '../../../src/core/fold/formatProblem.ts';
import { format, lastOfDevelopment } from '../../../src/core/records/format.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { blocksOf, currentWork } from '../../../src/core/hold/holds.ts';
import { runs } from '../../support/runs.ts';
import { flow, makeLab, question, update, work, type Lab } from '../../support/store/lab.ts';
import { heldFacts } from '../../support/store/model.ts';

describe('the fold', () => {
  interface Case {
    readonly given?: readonly object[];
    readonly record: unknown;
    /** The reason why the record has no effect; null if it has an effect. */
    readonly why: RegExp | null;
    readonly reason?: 'invalid' | 'held' | 'forgery';
  }

  function check(name: string, { given = [], record, why, reason = 'invalid' }: Case): void {
    it(name, () => {
      const lab = makeLab();
      assert.deepEqual(lab.write(given.length > 0 ? given : [work('T0')]).refused, []);
      const before = structuredClone(lab.state);
      const { admitted, refused } = lab.write([record]);
      if (why === null) {
        assert.deepEqual(refused, []);
        assert.equal(admitted.length, 1);
        return;
      }
      assert.equal(refused.length, 1);
      assert.match(refused[0]!.why, why);
      assert.equal(refused[0]!.reason, reason);
      assert.deepEqual({ ...lab.state, refusals: [], starts: 0 }, { ...before, refusals: [], starts: 0 });
    });
  }

  describe('of workspace records', () => {
    check('starts a workspace once', {
      record: {
        kind: 'workspace.created',
        v: 1,
        workspace: '00000000-0000-4000-8000-000000000000',
        minReader: 1,
        minWriter: 1,
      },
      why: /already exists/,
    });
    check('refuses unknown kinds', {
      record: { kind: 'work.forgotten', v: 1, id: 'T0' },
      why: /a kind this program does not know \(work.forgotten\)/,
    });
    check('refuses a record without a kind', { record: { v: 1 }, why: /does not know \(none\)/ });
    check('refuses a record that is not an object', { record: 'question.released', why: /does not know \(none\)/ });
    check('refuses a later version', { record: { ...work('T1'), v: 2 }, why: /version 2 of work\.registered.*update/ });
    check('refuses an invalid version', { record: { ...work('T1'), v: 0 }, why: /is malformed: v/ });

    it('reads no more of a line after ten refused records, and keeps few of many', () => {
      const lab = makeLab();
      lab.write([work('T0')]);
      const { admitted, refused } = lab.write([work('T1'), ...Array.from({ length: 500 }, () => ({})), work('T2')]);
      assert.equal(admitted.length, 1);
      assert.equal(refused.length, 11);
      assert.match(refused[10]!.why, /is one of 491 further records after 10 refused ones in a line/);
      for (let line = 0; line < 150; line++) lab.write(Array.from({ length: 10 }, () => ({})));
      assert.equal(lab.state.refusals.length, 1_000);
      const forged = { kind: 'question.released', v: 1, id: 'Q-1' };
      lab.write([...Array.from({ length: 500 }, () => ({})), forged]);
      assert.equal(lab.state.refusals.at(-1)?.reason, 'forgery', 'a forgery among the rest is noticed');
    });

    it('refuses every record before the workspace starts', () => {
      const { trust } = makeLab();
      const records = [
        work('T1'),
        question(1),
        update('T1', { title: 'x' }),
        { kind: 'format.changed', v: 1, minReader: 1, minWriter: 1 },
      ];
      const line = {
        at: 0,
        prev: '0'.repeat(64),
        op: '',
        time: '',
        actor: { kind: 'agent', id: 'a' } as const,
        records,
        hash: '',
        end: 9,
      };
      const state = emptyState();
      assert.equal(applyLine(state, line, trust).refused.length, 4);
      assert.equal(formatProblem(state), null);
    });

    it('raises the required format and never lowers it', () => {
      const lab = makeLab();
      const asks = (minReader: number, minWriter: number) => {
        lab.write([{ kind: 'format.changed', v: 1, minReader, minWriter }]);
        return formatProblem(lab.state);
      };
      lab.write([question(1)]);
      const held = heldFacts(lab.state);
      const later = lastOfDevelopment + 1;
      for (let one = 1; one <= lastOfDevelopment; one++) assert.equal(asks(one, one), null, 'of development');
      assert.equal(lab.state.workspace?.minReader, format.current);
      assert.equal(asks(1, later), 'writer');
      assert.equal(asks(1, 1), 'writer');
      assert.equal(asks(later, 1), 'reader');
      assert.equal(asks(1, 1), 'reader');
      assert.deepEqual(heldFacts(lab.state), held);
    });
  });

  describe('of work records', () => {
    const given = [
      flow('W1'),
      flow('W2'),
      work('T1', { workflow: 'W1', holds: ['src/a'], dependsOn: ['W2'], assignee: 'copilot-001' }),
      work('T2', { dependsOn: ['T1'] }),
      work('T3'),
    ];
    const held = [...given, question(1, { work: 'T1' })];
    const refusedHeld = (change: object, why: RegExp): Case => ({
      given: held,
      record: update('T1', change),
      why,
      reason: 'held',
    });

    check('registers an ID once', { given, record: work('T1'), why: /already registered/ });
    check('refuses to register a held ID again', { given: held, record: work('T1'), why: /already registered/ });
    check('requires a known workflow', {
      given,
      record: work('T9', { workflow: 'W9' }),
      why: /workflow W9 is not registered/,
    });
    check('requires a workflow, not a task, as the workflow', {
      given,
      record: work('T9', { workflow: 'T1' }),
      why: /T1 is a task, not a workflow/,
    });
    check('refuses an item that is its own workflow', {
      given,
      record: flow('W9', { workflow: 'W9' }),
      why: /its own workflow/,
    });
    check('requires known dependencies', {
      given,
      record: work('T9', { dependsOn: ['T8'] }),
      why: /dependency T8 is not registered/,
    });
    check('refuses a dependency on itself', {
      given,
      record: work('T9', { dependsOn: ['T9'] }),
      why: /depend on itself/,
    });
    check('refuses a dependency on itself added later', {
      given,
      record: update('T1', { addDependsOn: ['T1'] }),
      why: /depend on itself/,
    });
    check('refuses a cycle of two items', {
      given,
      record: update('T1', { addDependsOn: ['T2'] }),
      why: /T2 already waits for T1/,
    });
    check('refuses a cycle through a workflow', {
      given,
      record: update('W2', { addDependsOn: ['T1'] }),
      why: /T1 already waits for W2/,
    });
    check('refuses a cycle of workflows', {
      given: [...given, update('W1', { workflow: 'W2' })],
      record: update('W2', { workflow: 'W1' }),
      why: /W1 already waits for W2/,
    });
    check('refuses an update of an unknown item', {
      given,
      record: update('T9', { title: 'x' }),
      why: /work item T9 is not registered/,
    });
    check('starts an item that is not held', { given, record: update('T3', { status: 'in_progress' }), why: null });
    check('registers a todo item under a held workflow', {
      given: [...given, question(1, { work: 'W1' })],
      record: work('T9', { workflow: 'W1' }),
      why: null,
    });
    check('registers no started item under a held workflow', {
      given: [...given, question(1, { work: 'W1' })],
      record: work('T9', { workflow: 'W1', status: 'in_progress' }),
      why: /cannot be registered as started or finished while Q-1 holds it/,
      reason: 'held',
    });
    check('registers no done item that depends on held work', {
      given: held,
      record: work('T9', { dependsOn: ['T1'], status: 'done' }),
      why: /cannot be registered as started/,
      reason: 'held',
    });

    check(
      'does not start a held item',
      refusedHeld({ status: 'in_progress' }, /T1 cannot make progress while Q-1 holds it/),
    );
    check('does not finish a held item', refusedHeld({ status: 'done' }, /cannot make progress/));
    check('does not cancel a held item', refusedHeld({ status: 'cancelled' }, /cannot make progress/));
    check('does not change the step of a held item', refusedHeld({ step: 'tests' }, /cannot make progress/));
    check('does not start an item that depends on a held one', {
      given: held,
      record: update('T2', { status: 'in_progress' }),
      why: /T2 cannot make progress while Q-1/,
      reason: 'held',
    });
    check(
      'removes no dependency from a held item',
      refusedHeld({ removeDependsOn: ['W2'] }, /cannot lose a dependency/),
    );
    check('removes no dependency from an item that depends on a held one', {
      given: held,
      record: update('T2', { removeDependsOn: ['T1'] }),
      why: /cannot lose a dependency/,
      reason: 'held',
    });
    check(
      'removes no file scope from a held item',
      refusedHeld({ removeHolds: ['src/a'] }, /cannot lose a file scope/),
    );
    check(
      'does not take a held item out of its workflow',
      refusedHeld({ workflow: null }, /cannot leave its workflow/),
    );
    check(
      'does not move a held item to another workflow',
      refusedHeld({ workflow: 'W2' }, /cannot leave its workflow/),
    );
    check('does not reassign a held item', refusedHeld({ assignee: 'claude-002' }, /cannot be reassigned/));
    check('does not unassign a held item', refusedHeld({ assignee: null }, /cannot be reassigned/));
    check('adds dependencies and files to a held item', {
      given: held,
      record: update('T1', { addDependsOn: ['T3'], addHolds: ['src/b'] }),
      why: null,
    });
    check('sets a held item back to todo', { given: held, record: update('T1', { status: 'todo' }), why: null });
    check('lets an agent give up a held item', { given: held, record: update('T1', { status: 'failed' }), why: null });
    check('renames a held item', { given: held, record: update('T1', { title: 'Other' }), why: null });
    check('accepts the removal of something that a held item does not have', {
      given: held,
      record: update('T1', { removeHolds: ['src/z'], removeDependsOn: ['T3'] }),
      why: null,
    });

    it('takes the item that an agent started last as its current item', () => {
      const lab = makeLab();
      const on = () => currentWork(lab.state, 'copilot-001')?.id ?? null;
      assert.equal(on(), null);
      lab.write([
        work('T1'),
        work('T2', { status: 'in_progress' }),
        work('T3', { assignee: 'claude-002', status: 'in_progress' }),
      ]);
      assert.equal(on(), 'T2');
      lab.write([update('T1', { status: 'in_progress' })]);
      assert.equal(on(), 'T1');
      lab.write([update('T1', { title: 'T one' })]);
      assert.equal(on(), 'T1');
      lab.write([update('T1', { status: 'done' })]);
      assert.equal(on(), 'T2');
    });
  });

  describe('of question records', () => {
    const given = [work('T1'), question(1, { work: 'T1', text: 'Which way?' })];
    const decided = (lab: Lab) => lab.write([lab.signed({ kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'x' })]);

    check('requires consecutive numbers', { given, record: question(3), why: /the next question is Q-2, not Q-3/ });
    check('refuses a number that is in use', { given, record: question(1), why: /the next question is Q-2, not Q-1/ });
    check('requires known work', { given, record: question(2, { work: 'T9' }), why: /work item T9 is not registered/ });
    check('refuses an async approval', {
      given,
      record: question(2, { type: 'approval', mode: 'async' }),
      why: /always sync/,
    });
    check('recognizes the same question by its normalized text', {
      given,
      record: question(2, { work: 'T1', text: ' which \n WAY? ' }),
      why: /Q-1 asks the same/,
    });
    check('treats the same text on other work as another question', {
      given,
      record: question(2, { text: 'Which way?' }),
      why: null,
    });
    check('refuses two choices with the same label', {
      given,
      record: question(2, { choices: [{ label: 'A' }, { label: 'A ' }] }),
      why: /choices name a choice twice/,
    });
    check('refuses to offer an outcome before there is one', {
      given,
      record: { kind: 'outcome.offered', v: 1, id: 'Q-1', agent: 'copilot-001' },
      why: /has no outcome yet/,
    });
    check('refuses to acknowledge an outcome before there is one', {
      given,
      record: { kind: 'outcome.acknowledged', v: 1, id: 'Q-1', agent: 'copilot-001' },
      why: /has no outcome yet/,
    });
    for (const kind of ['question.widened', 'question.escalated', 'question.expired', 'outcome.offered'])
      check(`refuses ${kind} of an unknown question`, {
        given,
        record: { kind, v: 1, id: 'Q-7', agent: 'copilot-001' },
        why: /there is no question Q-7/,
      });

    it('changes nothing about a closed question', () => {
      for (const end of [decided, (lab: Lab) => lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }])]) {
        const lab = makeLab();
        lab.write(given);
        end(lab);
        const before = structuredClone(lab.state.questions);
        for (const kind of ['question.widened', 'question.escalated', 'question.expired'])
          assert.match(
            lab.write([{ kind, v: 1, id: 'Q-1', mode: kind === 'question.widened' ? 'sync' : undefined }]).refused[0]
              ?.why ?? '',
            /Q-1 is (cancelled|expired)/,
          );
        assert.deepEqual(lab.state.questions, before);
      }
    });

    it('accepts the same question again once the first is closed', () => {
      const lab = makeLab();
      lab.write(given);
      decided(lab);
      assert.deepEqual(lab.write([question(2, { work: 'T1', text: 'Which way?' })]).refused, []);
      assert.deepEqual(
        blocksOf(lab.state, 'T1').map(({ holder }) => holder.id),
        ['Q-2'],
      );
    });
  });

  it('never throws, whatever a line contains', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.anything(), fc.object({ key: fc.constantFrom('kind', 'v', 'id', 'envelope') })), {
          minLength: 1,
          maxLength: 5,
        }),
        (records) => {
          const lab = makeLab();
          const written: unknown = JSON.parse(
            JSON.stringify(records, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
          );
          assert.equal(lab.write(written as unknown[]).admitted.length, 0);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
