/** Decisions on RFCs: each binds to what was displayed, and has only its own effect. */
import assert from 'node:assert/strict';
import { definitionOf } from '../../../src/core/decision/decisions.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownOpenQuestion, shownRevision, shownRfc, shownThread } from '../../../src/core/rfc/rfc.ts';
import type { Rfc } from '../../../src/core/state/items.ts';
import { flow, makeLab, work, type Lab } from '../../support/store/lab.ts';
import { concern, document, proposed, reviewed, revised, submitted } from '../../support/store/rfcRecords.ts';
import { rule, rulingRecord } from '../../support/store/rulings.ts';

const human = { kind: 'human', id: 'Ada' } as const;
const questions = [{ text: 'Which store?', done: false }];
const answers = [{ question: 1, outcome: 'answered', answer: 'SQLite.', evidence: ['docs/db.md'], confidence: 'high' }];

/** Under review, with one blocking thread and one question that the reviewer answered. */
function underReview(): Lab {
  const lab = makeLab();
  const records = [
    flow('W1'),
    flow('W2'),
    work('T1', { workflow: 'W1' }),
    work('T2', { workflow: 'W1', status: 'done' }),
    work('T3', { status: 'in_progress' }),
    work('T4', { dependsOn: ['T3'] }),
    work('T5', { workflow: 'W2' }),
    proposed({ document: document('First.', questions), tasks: ['T3'] }),
    submitted(1),
    concern(),
    reviewed(answers),
  ];
  for (const record of records) assert.deepEqual(lab.write([record]).refused, [], JSON.stringify(record));
  return lab;
}

const rfc = (lab: Lab): Rfc => lab.state.rfcs.get('RFC-1')!;
const decide = (lab: Lab, record: Unsigned, changes: object = {}) => lab.write([lab.signed(record, changes)], human);
const commented: Unsigned = {
  kind: 'rfc.commented',
  v: 1,
  id: 'RFC-1',
  thread: 2,
  revision: 1,
  type: 'question',
  text: 'Why?',
  blocking: false,
} as Unsigned;
const replied: Unsigned = {
  kind: 'rfc.threadReplied',
  v: 1,
  id: 'RFC-1',
  thread: 1,
  reply: 1,
  text: 'It is.',
};

describe('a decision on an RFC', () => {
  it('covers what its form displayed', () => {
    const lab = underReview();
    const shown = (record: Unsigned) => definitionOf(record).shown(lab.state, record);
    assert.deepEqual(shown(commented), shownRevision(rfc(lab), 1));
    assert.deepEqual(shown(replied), shownThread(rfc(lab), 1));
    assert.deepEqual(shown(rulingRecord(lab.state, 'RFC-1', 'resolve')), shownThread(rfc(lab), 1));
    assert.deepEqual(shown(rulingRecord(lab.state, 'RFC-1', 'overrule')), shownOpenQuestion(rfc(lab), 1));
    assert.deepEqual(shown(rulingRecord(lab.state, 'RFC-1', 'approve')), shownRfc(lab.state, rfc(lab)));
    for (const kind of ['rfc.commented', 'rfc.threadReplied', 'rfc.threadResolved', 'rfc.answerOverruled'] as const)
      assert.equal(shown({ kind, v: 1, id: 'RFC-1' } as Unsigned), null, `${kind} about something that does not exist`);
  });

  for (const ruling of ['reject', 'stop', 'send back', 'withdraw', 'resolve', 'overrule'] as const)
    it(`has no effect if another state was displayed: ${ruling}`, () => {
      const lab = underReview();
      const before = structuredClone(rfc(lab));
      const { refused } = decide(lab, rulingRecord(lab.state, 'RFC-1', ruling), { shown: 'f'.repeat(64) });
      assert.deepEqual(
        refused.map(({ why, reason }) => [why, reason]),
        [['RFC-1 has changed since it was shown', 'forgery']],
      );
      assert.deepEqual(rfc(lab), before);
    });

  it('counts and updates the time if it concerns the whole RFC', () => {
    for (const ruling of ['reject', 'stop', 'send back', 'withdraw'] as const) {
      const lab = underReview();
      assert.deepEqual(rule(lab, 'RFC-1', ruling).refused, []);
      assert.deepEqual([rfc(lab).decisions, rfc(lab).updatedAt], [1, '2026-03-02T12:00:00.000Z'], ruling);
    }
    const lab = underReview();
    rule(lab, 'RFC-1', 'resolve');
    assert.equal(rfc(lab).decisions, 0, 'a thread is not the whole RFC');
  });

  it('that adds a comment or a reply resolves nothing', () => {
    const lab = underReview();
    assert.deepEqual(decide(lab, commented).refused, []);
    assert.deepEqual(decide(lab, replied).refused, []);
    assert.deepEqual(
      rfc(lab).threads.map(({ number, blocking, resolved }) => [number, blocking, resolved]),
      [
        [1, true, false],
        [2, false, false],
      ],
    );
  });

  it('resolves a thread once, and no other thread', () => {
    const lab = underReview();
    decide(lab, commented);
    const resolve = rulingRecord(lab.state, 'RFC-1', 'resolve');
    assert.deepEqual(decide(lab, resolve).refused, []);
    assert.deepEqual(
      rfc(lab).threads.map(({ resolved }) => resolved),
      [true, false],
    );
    assert.equal(decide(lab, resolve).refused[0]?.why, 'thread 1 of RFC-1 is already resolved');
  });

  it('overrules a reviewer’s answer once, and the question is then for a human', () => {
    const lab = underReview();
    const overrule = { ...rulingRecord(lab.state, 'RFC-1', 'overrule'), question: 1 } as Unsigned;
    assert.deepEqual(decide(lab, overrule).refused, []);
    const [question] = rfc(lab).questions;
    assert.deepEqual([question?.required, question?.answeredIn], [true, null]);
    assert.equal(decide(lab, overrule).refused[0]?.why, 'question 1 of RFC-1 has no answer of the reviewer');
    assert.ok(
      decide(lab, { ...overrule, question: 9 } as Unsigned).refused.length > 0,
      'nor a question that does not exist',
    );
  });

  it('to stop cancels the named work and unfinished items in its workflows, but not dependants', () => {
    const lab = underReview();
    const [before] = [lab.state.work.get('T2')];
    assert.deepEqual(rule(lab, 'RFC-1', 'stop').refused, []);
    assert.deepEqual(
      [...lab.state.work.values()].map(({ id, status }) => [id, status]),
      [
        ['W1', 'cancelled'],
        ['W2', 'todo'],
        ['T1', 'cancelled'],
        ['T2', 'done'],
        ['T3', 'cancelled'],
        ['T4', 'todo'],
        ['T5', 'todo'],
      ],
    );
    assert.equal(lab.state.work.get('T2'), before, 'finished work stays as it was');
    assert.deepEqual(
      [...lab.state.stopped],
      [
        ['W1', 'RFC-1'],
        ['T3', 'RFC-1'],
      ],
    );
    const ended = rfc(lab).ended;
    assert.deepEqual([ended?.how, ended?.then, ended?.reason, ended?.by], ['rejected', 'stop', 'Not wanted.', 'Ada']);
  });

  it('to take another way cancels nothing; a withdrawal records itself and its reason', () => {
    const lab = underReview();
    assert.deepEqual(rule(lab, 'RFC-1', 'reject').refused, []);
    assert.equal(lab.state.work.get('T1')?.status, 'todo');
    assert.equal(lab.state.stopped.size, 0);
    const other = underReview();
    assert.deepEqual(rule(other, 'RFC-1', 'withdraw').refused, []);
    const { ended, status } = rfc(other);
    assert.deepEqual(
      [status, ended?.how, ended?.then, ended?.reason, ended?.keyid],
      ['withdrawn', 'withdrawn', 'another_way', 'Not now.', other.human.keyid],
    );
  });

  it('to reject an amendment affects only the amendment, and cannot stop its work', () => {
    const lab = underReview();
    rule(lab, 'RFC-1', 'resolve');
    assert.deepEqual(rule(lab, 'RFC-1', 'approve').refused, []);
    assert.deepEqual(lab.write([revised(2, questions)]).refused, []);
    assert.equal(
      rule(lab, 'RFC-1', 'stop').refused[0]?.why,
      'the approved revision of RFC-1 stays in force: its work cannot be stopped with the amendment',
    );
    assert.deepEqual(rule(lab, 'RFC-1', 'reject').refused, []);
    assert.deepEqual([rfc(lab).status, rfc(lab).amendment, rfc(lab).ended], ['approved', null, null]);
  });
});
