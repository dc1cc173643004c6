import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyLine, effects, formatProblem } from '../../../src/core/fold/fold.ts';
import { emptyState, isHolding } from '../../../src/core/state/state.ts';
import { blocksOf } from '../../../src/core/hold/holds.ts';
import { runs } from '../../support/runs.ts';
import { bot, flow, type Lab, makeLab, question, update, work } from '../../support/store/lab.ts';
import { heldFacts } from '../../support/store/model.ts';
import { decisions } from '../../../src/core/decision/decisions.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { format, lastOfDevelopment, noLine } from '../../../src/core/records/parts.ts';

describe('the fold', () => {
  interface Given {
    readonly given?: readonly object[];
    readonly reason?: 'invalid' | 'held' | 'forgery';
  }

  /** @param why the record has no effect; null if it has one */
  function check(
    name: string,
    record: unknown,
    why: RegExp | null,
    { given = [], reason = 'invalid' }: Given = {},
  ): void {
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
    check(
      'starts a workspace once',
      {
        kind: 'workspace.created',
        v: 1,
        workspace: '00000000-0000-4000-8000-000000000000',
        minReader: 1,
        minWriter: 1,
      },
      /already exists/,
    );
    check(
      'refuses unknown kinds',
      { kind: 'work.forgotten', v: 1, id: 'T0' },
      /a kind this program does not know \(work.forgotten\)/,
    );
    check('refuses a record without a kind', { v: 1 }, /does not know \(none\)/);
    check('refuses a record that is not an object', 'question.released', /does not know \(none\)/);
    check('refuses a later version', { ...work('T1'), v: 2 }, /version 2 of work\.registered.*update/);
    check('refuses an invalid version', { ...work('T1'), v: 0 }, /is malformed: v/);

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
    const refused = (name: string, change: object, why: RegExp): void => {
      check(name, update('T1', change), why, { given: held, reason: 'held' });
    };

    check('registers an ID once', work('T1'), /already registered/, { given });
    check('refuses to register a held ID again', work('T1'), /already registered/, { given: held });
    check('requires a known workflow', work('T9', { workflow: 'W9' }), /workflow W9 is not registered/, { given });
    check(
      'requires a workflow, not a task, as the workflow',
      work('T9', { workflow: 'T1' }),
      /T1 is a task, not a workflow/,
      { given },
    );
    check('refuses an item that is its own workflow', flow('W9', { workflow: 'W9' }), /its own workflow/, { given });
    check('requires known dependencies', work('T9', { dependsOn: ['T8'] }), /dependency T8 is not registered/, {
      given,
    });
    check('refuses a dependency on itself', work('T9', { dependsOn: ['T9'] }), /depend on itself/, { given });
    check('refuses a dependency on itself added later', update('T1', { addDependsOn: ['T1'] }), /depend on itself/, {
      given,
    });
    check('refuses a cycle of two items', update('T1', { addDependsOn: ['T2'] }), /T2 already waits for T1/, { given });
    check('refuses a cycle through a workflow', update('W2', { addDependsOn: ['T1'] }), /T1 already waits for W2/, {
      given,
    });
    check('refuses a cycle of workflows', update('W2', { workflow: 'W1' }), /W1 already waits for W2/, {
      given: [...given, update('W1', { workflow: 'W2' })],
    });
    check('refuses an update of an unknown item', update('T9', { title: 'x' }), /work item T9 is not registered/, {
      given,
    });
    check('starts an item that is not held', update('T3', { status: 'in_progress' }), null, { given });
    check('registers a todo item under a held workflow', work('T9', { workflow: 'W1' }), null, {
      given: [...given, question(1, { work: 'W1' })],
    });
    check(
      'registers no started item under a held workflow',
      work('T9', { workflow: 'W1', status: 'in_progress' }),
      /cannot be registered as started or finished while Q-1 holds it/,
      { given: [...given, question(1, { work: 'W1' })], reason: 'held' },
    );
    check(
      'registers no done item that depends on held work',
      work('T9', { dependsOn: ['T1'], status: 'done' }),
      /cannot be registered as started/,
      { given: held, reason: 'held' },
    );

    refused('does not start a held item', { status: 'in_progress' }, /T1 cannot make progress while Q-1 holds it/);
    refused('does not finish a held item', { status: 'done' }, /cannot make progress/);
    refused('does not cancel a held item', { status: 'cancelled' }, /cannot make progress/);
    refused('does not change the step of a held item', { step: 'tests' }, /cannot make progress/);
    check(
      'does not start an item that depends on a held one',
      update('T2', { status: 'in_progress' }),
      /T2 cannot make progress while Q-1/,
      { given: held, reason: 'held' },
    );
    refused('removes no dependency from a held item', { removeDependsOn: ['W2'] }, /cannot lose a dependency/);
    check(
      'removes no dependency from an item that depends on a held one',
      update('T2', { removeDependsOn: ['T1'] }),
      /cannot lose a dependency/,
      { given: held, reason: 'held' },
    );
    refused('removes no file scope from a held item', { removeHolds: ['src/a'] }, /cannot lose a file scope/);
    refused('does not take a held item out of its workflow', { workflow: null }, /cannot leave its workflow/);
    refused('does not move a held item to another workflow', { workflow: 'W2' }, /cannot leave its workflow/);
    refused('does not reassign a held item', { assignee: 'claude-002' }, /cannot be reassigned/);
    refused('does not unassign a held item', { assignee: null }, /cannot be reassigned/);
    check(
      'adds dependencies and files to a held item',
      update('T1', { addDependsOn: ['T3'], addHolds: ['src/b'] }),
      null,
      { given: held },
    );
    check('sets a held item back to todo', update('T1', { status: 'todo' }), null, { given: held });
    check('lets an agent give up a held item', update('T1', { status: 'failed' }), null, { given: held });
    check('renames a held item', update('T1', { title: 'Other' }), null, { given: held });
    check(
      'accepts the removal of something that a held item does not have',
      update('T1', { removeHolds: ['src/z'], removeDependsOn: ['T3'] }),
      null,
      { given: held },
    );
  });

  describe('of question records', () => {
    const given = [work('T1'), question(1, { work: 'T1', text: 'Which way?' })];
    const decided = (lab: Lab) => lab.write([lab.signed({ kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'x' })]);

    check('requires consecutive numbers', question(3), /the next question is Q-2, not Q-3/, { given });
    check('refuses a number that is in use', question(1), /the next question is Q-2, not Q-1/, { given });
    check('requires known work', question(2, { work: 'T9' }), /work item T9 is not registered/, { given });
    check('refuses an async approval', question(2, { type: 'approval', mode: 'async' }), /always sync/, { given });
    check(
      'recognizes the same question by its normalized text',
      question(2, { work: 'T1', text: ' which \n WAY? ' }),
      /Q-1 asks the same/,
      { given },
    );
    check('treats the same text on other work as another question', question(2, { text: 'Which way?' }), null, {
      given,
    });
    check(
      'refuses two choices with the same label',
      question(2, { choices: [{ label: 'A' }, { label: 'A ' }] }),
      /choices name a choice twice/,
      { given },
    );
    check(
      'refuses to offer an outcome before there is one',
      { kind: 'outcome.offered', v: 1, id: 'Q-1', agent: 'copilot-001' },
      /has no outcome yet/,
      { given },
    );
    check(
      'refuses to acknowledge an outcome before there is one',
      { kind: 'outcome.acknowledged', v: 1, id: 'Q-1', agent: 'copilot-001' },
      /has no outcome yet/,
      { given },
    );
    for (const kind of ['question.widened', 'question.escalated', 'question.expired', 'outcome.offered'])
      check(
        `refuses ${kind} of an unknown question`,
        { kind, v: 1, id: 'Q-7', agent: 'copilot-001' },
        /there is no question Q-7/,
        { given },
      );

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
describe('the tables of kinds', () => {
  it('have each kind exactly once, signed kinds among the decisions', () => {
    const signed = anyRecord.kinds.filter((kind) => anyRecord.isSigned(kind));
    assert.deepEqual(decisions.map(({ record }) => record.kind).sort(), signed.sort());
    assert.deepEqual([...Object.keys(effects), ...signed].sort(), anyRecord.kinds.toSorted());
  });
});

/** A program says so if it does not know the version of a record. */
describe('a record of a later version', () => {
  it('asks for an update and has no effect if this program does not know the version', () => {
    const state = emptyState();
    const { refused, admitted } = applyLine(
      state,
      {
        ...{ at: 0, end: 1, prev: noLine, hash: noLine, op: '0d9d6b04-1c0f-4f8e-9a69-000000000000' },
        ...{ time: '2026-01-01T00:00:00.000Z', actor: { kind: 'agent', id: 'a-001' } },
        records: [{ kind: 'workspace.created', v: 2, workspace: 'x', minReader: 1, minWriter: 1 }],
      },
      { hash: () => noLine, verify: () => ({ why: 'no' }), keys: () => null, accepts: () => true, counts: () => false },
    );
    assert.equal(admitted.length, 0);
    assert.match(refused[0]?.why ?? '', /version 2 of workspace\.created.*update/);
  });
});

/** Journals of development versions that had precedents: rules by which they answered questions. */
/** As such a version wrote it, with a signature of some key. */
const set = {
  ...{ kind: 'precedent.set', v: 1, id: 'P-1', from: 'Q-1', work: null, globs: ['src/**'], type: 'decision' },
  ...{ text: 'Add `{name: word}`?', more: {}, choices: [], multiple: false, freeText: true, uses: 3 },
  ...{ answer: { text: 'Yes.', choices: [], effect: 'proceed' }, until: '2026-04-01T12:00:00.000Z' },
  envelope: {
    ...{ payloadType: 'application/vnd.holdpoint.decision+json', payload: 'e30=' },
    signatures: [{ keyid: '0'.repeat(64), sig: 'AA==' }],
  },
};

const used = (id: string) => ({ kind: 'precedent.used', v: 1, id, precedent: 'P-1' });

const ask = (number: number, text: string) => question(number, { text, work: 'T1', holds: ['src'] });

const answer = (id: string) => ({
  kind: 'question.answered' as const,
  v: 1 as const,
  id,
  answer: { text: 'Yes.', choices: [] },
});

describe('what a former precedent answered', () => {
  it('is open and held again until a human signs an answer, and the journal stays readable', () => {
    const lab = makeLab();
    const isHeld = (id: string) => isHolding(lab.state.questions.get(id)!);
    const lines = [[work('T1')], [set], [ask(1, 'Add `vue`?')], [used('Q-1')], [ask(2, 'Add `lit`?')], [used('Q-2')]];
    for (const records of lines) assert.deepEqual(lab.write(records).refused, []);
    assert.deepEqual(['Q-1', 'Q-2'].map(isHeld), [true, true]);
    // Where it was answered, an agent could ask the same again: later questions keep their numbers.
    for (const record of [ask(3, 'Add `vue`?'), ask(4, 'Add `zod`?')])
      assert.deepEqual(lab.write([record], bot).refused, []);
    assert.deepEqual(lab.write([{ kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'No.' }]).refused, []);
    assert.deepEqual(lab.write([lab.signed(answer('Q-2'))]).refused, []);
    assert.deepEqual(['Q-1', 'Q-2', 'Q-3', 'Q-4'].map(isHeld), [true, false, true, true]);
  });
});
