import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { gate } from '../../../src/core/hold/gate.ts';
import { blocksOf, effectiveStatus } from '../../../src/core/hold/holds.ts';
import { approvalGaps, latestRevision, questionState } from '../../../src/core/rfc/rfc.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { actsOnGraph, type RfcRuling } from '../../support/store/arbitraries.ts';
import type { RecordOf } from '../../../src/core/records/records.ts';
import { bot, flow, makeLab, update, work, type Lab } from '../../support/store/lab.ts';
import { concern, document, proposed, reviewed, revised, submitted } from '../../support/store/rfcRecords.ts';
import { rule, rulingRecord } from '../../support/store/rulings.ts';
import { take } from '../../support/store/taking.ts';

const implemented = { kind: 'rfc.implemented', v: 1, id: 'RFC-1' };
const asked = (question: number, text: string, more: object = {}) => ({
  kind: 'question.raised',
  v: 1,
  id: 'Q-1',
  text,
  type: 'clarification',
  urgency: 'high',
  mode: 'async',
  work: null,
  rfc: { id: 'RFC-1', question },
  expiresAt: '9999-12-31T00:00:00.000Z',
  ...more,
});

function labWith(...records: readonly object[]): Lab {
  const lab = makeLab();
  lab.write([flow('W1', { holds: ['src/auth'] }), work('T1', { workflow: 'W1' }), work('T2')]);
  for (const record of records) assert.deepEqual(lab.write([record]).refused, []);
  return lab;
}

function place(lab: Lab): string {
  const rfc = lab.state.rfcs.get('RFC-1')!;
  return rfc.amendment === null ? rfc.status : `${rfc.status} + ${rfc.amendment}`;
}

/** Every status of an RFC, and how to reach it. */
const ways: Record<string, (lab: Lab) => void> = {
  draft: () => undefined,
  under_review: (lab) => lab.write([submitted(1)]),
  approved: (lab) => {
    ways['under_review']!(lab);
    rule(lab, 'RFC-1', 'approve');
  },
  'approved + under_review': (lab) => {
    ways['approved']!(lab);
    lab.write([revised(2)]);
  },
  'approved + draft': (lab) => {
    ways['approved + under_review']!(lab);
    rule(lab, 'RFC-1', 'send back');
  },
  rejected: (lab) => rule(lab, 'RFC-1', 'reject'),
  withdrawn: (lab) => rule(lab, 'RFC-1', 'withdraw'),
  implemented: (lab) => {
    ways['approved']!(lab);
    lab.write([implemented]);
  },
};

/** The status after each act, by the status before; missing entries are refused. */
const transitions: Record<string, Record<string, string>> = {
  revise: {
    draft: 'draft',
    under_review: 'under_review',
    approved: 'approved + under_review',
    'approved + under_review': 'approved + under_review',
    'approved + draft': 'approved + draft',
  },
  submit: { draft: 'under_review', 'approved + draft': 'approved + under_review' },
  implement: { approved: 'implemented' },
  approve: { under_review: 'approved', 'approved + under_review': 'approved' },
  'send back': { under_review: 'draft', 'approved + under_review': 'approved + draft' },
  reject: {
    draft: 'rejected',
    under_review: 'rejected',
    'approved + under_review': 'approved',
    'approved + draft': 'approved',
  },
  stop: { draft: 'rejected', under_review: 'rejected' },
  withdraw: { draft: 'withdrawn', under_review: 'withdrawn' },
};

describe('the author of an RFC', () => {
  const other = { kind: 'agent', id: 'claude-002' } as const;
  const handed = { kind: 'rfc.handedOver', v: 1, id: 'RFC-1', to: 'claude-002' };
  const why = (
    lab: Lab,
    record: object,
    actor?: typeof other | { kind: 'human' | 'system' | 'reviewer'; id: string },
  ) => lab.write([record], actor).refused.map((refusal) => refusal.why);

  for (const record of [revised(2), submitted(1), handed])
    it(`${(record as { kind: string }).kind}: is its author, the agent it was handed over to, or a human`, () => {
      const refusal = ['RFC-1 is written by copilot-001, not by claude-002'];
      assert.deepEqual(why(labWith(proposed()), record, other), refusal);
      for (const kind of ['system', 'reviewer'] as const)
        assert.equal(why(labWith(proposed()), record, { kind, id: 'copilot-001' }).length, 1);
      assert.deepEqual(why(labWith(proposed()), record), []);
      assert.deepEqual(why(labWith(proposed(), handed), record, other), []);
      assert.deepEqual(why(labWith(proposed()), record, { kind: 'human', id: 'Ada' }), []);
    });
});

describe('an approval', () => {
  const questions = ['Which library?', 'Who pays?'].map((text) => ({ text }));
  const hash = (question: number, text: string, rfc = 'RFC-1') => hashOf({ rfc, question, text });
  const library = { question: 1, hash: hash(1, 'Which library?') };
  const payer = { question: 2, hash: hash(2, 'Who pays?') };

  function approving(waived: readonly object[] | undefined, ...before: readonly object[]) {
    const lab = labWith(proposed({ document: document('First.', questions) }), submitted(1), ...before);
    const { waived: _, ...approved } = rulingRecord(lab.state, 'RFC-1', 'approve') as RecordOf<'rfc.approved'>;
    const record = { ...approved, ...(waived && { waived }) } as unknown as Unsigned;
    const { refused } = lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
    return { lab, why: refused[0]?.why ?? null, status: lab.state.rfcs.get('RFC-1')?.status };
  }

  it('waives every open question by number and text', () => {
    const { lab, status } = approving([payer, library]);
    assert.deepEqual([status, lab.state.rfcs.get('RFC-1')?.approval?.waived], ['approved', [1, 2]]);
  });
  for (const [name, waived, why] of [
    ['is refused while a question has neither an answer nor a waiver', [library], /were not waived: 2$/],
    ['is refused while open questions are not mentioned', undefined, /were not waived: 1, 2$/],
    [
      'cannot waive a question whose text differs',
      [library, { ...payer, hash: hash(2, 'Who cares?') }],
      /question 2 .* has other words/,
    ],
    ['cannot waive another RFC’s question', [library, { ...payer, hash: hash(2, 'Who pays?', 'RFC-2') }], /question 2/],
    [
      'cannot waive an unknown question',
      [library, payer, { question: 3, hash: hash(3, '?') }],
      /question 3 .* not open/,
    ],
  ] as const)
    it(name, () => {
      const { status, why: said } = approving(waived);
      assert.match(said ?? '', why);
      assert.equal(status, 'under_review');
    });
  it('cannot waive a question for a human', () => {
    const handed = reviewed([{ question: 2, outcome: 'human_required' }]);
    assert.match(approving([library, payer], handed).why ?? '', /open questions for a human/);
  });
  it('includes the waivers in its signature', () => {
    const lab = labWith(proposed({ document: document('First.', questions) }), submitted(1));
    const record = { ...rulingRecord(lab.state, 'RFC-1', 'approve'), waived: [library] } as Unsigned;
    const signed = { ...(lab.signed(record) as object), waived: [library, payer] };
    const [refusal] = lab.write([signed], { kind: 'human', id: lab.human.name }).refused;
    assert.deepEqual([refusal?.reason, refusal?.why], ['forgery', 'its content is not what was signed']);
  });
  it('needs an answer to a question that a human has taken over', () => {
    const lab = labWith(proposed({ document: document('First.', questions) }), submitted(1));
    const record: Unsigned = { kind: 'rfc.answerOverruled', v: 1, id: 'RFC-1', question: 2 };
    assert.deepEqual(lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name }).refused, []);
    const rfc = lab.state.rfcs.get('RFC-1')!;
    assert.deepEqual(
      rfc.questions.map((question) => questionState(lab.state, question)),
      ['unanswered', 'human_required'],
    );
  });
});

describe('an RFC', () => {
  for (const [act, allowed] of Object.entries(transitions))
    for (const [from, reach] of Object.entries(ways)) {
      const to = allowed[from];
      it(`${act}: ${from} ${to === undefined ? 'refuses' : `becomes ${to}`}`, () => {
        const lab = labWith(proposed());
        reach(lab);
        assert.equal(place(lab), from);
        const { revisions } = lab.state.rfcs.get('RFC-1')!;
        const number = revisions.length;
        const { admitted, refused } =
          act === 'revise'
            ? lab.write([revised(number + 1)])
            : act === 'submit'
              ? lab.write([submitted(number)])
              : act === 'implement'
                ? lab.write([implemented])
                : rule(lab, 'RFC-1', act as RfcRuling);
        assert.equal(admitted.length, to === undefined ? 0 : 1, refused[0]?.why);
        assert.equal(place(lab), to ?? from);
        if (to === undefined) assert.equal(refused[0]?.reason, 'invalid');
      });
    }

  it('holds what it names until a human decides, then restores the status', () => {
    const lab = labWith(proposed({ tasks: ['T2'] }), update('T1', {}));
    const status = (id: string) => effectiveStatus(lab.state.work.get(id)!, blocksOf(lab.state, id));
    assert.deepEqual(['W1', 'T1', 'T2'].map(status), Array(3).fill('blocked_pending_approval'));
    const files = () => gate(lab.state, { files: ['src/auth/a.ts'], worktree: '.', ignoreCase: false }).verdict;
    assert.equal(files(), 'deny');
    lab.write([submitted(1)]);
    assert.equal(status('T1'), 'blocked_pending_approval');
    rule(lab, 'RFC-1', 'approve');
    assert.deepEqual(['W1', 'T1', 'T2'].map(status), Array(3).fill('todo'));
    assert.equal(files(), 'allow');
    lab.write([revised(2)]);
    assert.deepEqual(['W1', 'T1', 'T2'].map(status), Array(3).fill('todo'), 'an amendment holds nothing');
  });

  it('reports a missing approval before a missing answer', () => {
    const lab = labWith(proposed());
    lab.write([{ ...asked(1, 'Which?'), rfc: undefined, work: 'T1', mode: 'sync' }]);
    assert.equal(effectiveStatus(lab.state.work.get('T1')!, blocksOf(lab.state, 'T1')), 'blocked_pending_approval');
    rule(lab, 'RFC-1', 'withdraw');
    assert.equal(effectiveStatus(lab.state.work.get('T1')!, blocksOf(lab.state, 'T1')), 'blocked_pending_human_input');
  });

  it('applies its conditions and constraints to its work and its dependants, also when the gate allows', () => {
    const lab = labWith(proposed(), submitted(1));
    lab.write([update('T2', { addDependsOn: ['T1'] })]);
    const asks = (query: object) => {
      const { verdict, conditions } = gate(lab.state, { worktree: '.', ignoreCase: false, ...query });
      return [verdict, ...conditions];
    };
    assert.deepEqual(asks({ work: 'T1' }), ['deny']);
    rule(lab, 'RFC-1', 'approve');
    assert.deepEqual(asks({ work: 'T1' }), ['allow', 'Limit the rate.']);
    assert.deepEqual(asks({ work: 'T2' }), ['allow', 'Limit the rate.']);
    assert.deepEqual(asks({ files: ['src/auth/x.ts'] }), ['allow', 'Limit the rate.']);
    assert.deepEqual(asks({ files: ['src/other.ts'] }), ['allow']);
    lab.write([revised(2)]);
    assert.deepEqual(asks({ work: 'T1' }), ['allow', 'Limit the rate.'], 'the approved revision stays in force');
    lab.write([update('T1', { status: 'in_progress' })]);
    assert.deepEqual(asks({ session: { agent: 'copilot-001' } }), ['allow', 'Limit the rate.']);
  });

  it('rejected with "another way" releases its work, with the reason as a constraint', () => {
    const lab = labWith(proposed(), submitted(1));
    rule(lab, 'RFC-1', 'reject');
    const { verdict, constraints } = gate(lab.state, { work: 'T1', worktree: '.', ignoreCase: false });
    assert.deepEqual([verdict, ...constraints], ['allow', 'Too large.']);
  });

  describe('rejected with "stop"', () => {
    const stopped = () => {
      const lab = labWith(proposed(), update('T2', { workflow: 'W1' }), submitted(1));
      assert.equal(rule(lab, 'RFC-1', 'stop').refused.length, 0);
      return lab;
    };

    it('cancels its work and everything in its workflows', () => {
      const lab = stopped();
      assert.deepEqual(
        [...lab.state.work.values()].map(({ status }) => status),
        Array(3).fill('cancelled'),
      );
      const { reasons } = gate(lab.state, { work: 'T1', worktree: '.', ignoreCase: false });
      assert.deepEqual(
        reasons.map(({ code, holder }) => [code, holder?.id]),
        [['stopped_work', 'RFC-1']],
      );
    });

    for (const [name, record] of [
      ['started again', update('T1', { status: 'in_progress' })],
      ['finished', update('W1', { status: 'done' })],
      ['moved out of the workflow', update('T1', { workflow: null })],
      ['joined by a started task', work('T9', { workflow: 'W1', status: 'in_progress' })],
    ] as const)
      it(`cannot be ${name}`, () => {
        const { refused } = stopped().write([record]);
        assert.match(refused[0]?.why ?? '', /a human stopped it with RFC-1/);
      });

    it('accepts todo tasks, which are stopped too', () => {
      const lab = stopped();
      assert.deepEqual(lab.write([work('T9', { workflow: 'W1' })]).refused, []);
      assert.equal(gate(lab.state, { work: 'T9', worktree: '.', ignoreCase: false }).verdict, 'deny');
    });
  });

  describe('cannot be approved', () => {
    /** @param then a change that makes the approval possible */
    function check(
      name: string,
      records: readonly object[],
      why: RegExp,
      { then }: { then?: (lab: Lab) => void } = {},
    ) {
      it(name, () => {
        const lab = labWith(...records);
        const { refused } = rule(lab, 'RFC-1', 'approve');
        assert.match(refused[0]?.why ?? 'it was', why);
        assert.equal(place(lab), 'under_review');
        if (!then) return;
        then(lab);
        assert.deepEqual(rule(lab, 'RFC-1', 'approve').refused, []);
        assert.equal(place(lab), 'approved');
      });
    }

    check('while a blocking thread is open', [proposed(), concern(), submitted(1)], /blocking threads: 1/, {
      then: (lab) => rule(lab, 'RFC-1', 'resolve'),
    });
    check(
      'while a question for a human is open',
      [
        proposed({ document: document('One.', [{ text: 'Who pays?' }]) }),
        reviewed([{ question: 1, outcome: 'human_required' }]),
        submitted(1),
        asked(1, 'Who pays?'),
      ],
      /questions for a human/,
      {
        then: (lab) =>
          lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'We.', choices: [] } })]),
      },
    );
    check(
      'while a question for a human has not been asked yet',
      [
        proposed({ document: document('One.', [{ text: 'Who pays?' }]) }),
        reviewed([{ question: 1, outcome: 'human_required' }]),
        submitted(1),
      ],
      /questions for a human/,
    );
    check(
      'after the question was removed from the text',
      [
        proposed({ document: document('One.', [{ text: 'Who pays?' }]) }),
        reviewed([{ question: 1, outcome: 'human_required' }]),
        revised(2),
        submitted(2),
      ],
      /questions for a human/,
    );
    check(
      'after the question was ticked off in the text',
      [
        proposed({ document: document('One.', [{ text: 'Who pays?' }]) }),
        reviewed([{ question: 1, outcome: 'human_required' }]),
        revised(2, [{ text: 'who  PAYS?', answered: true, answer: 'Nobody.' }]),
        submitted(2),
      ],
      /questions for a human/,
    );
    it('after the reviewer was overruled', () => {
      const lab = labWith(
        proposed({ document: document('One.', [{ text: 'Who pays?' }]) }),
        reviewed([{ question: 1, outcome: 'answered', answer: 'They do.' }]),
        submitted(1),
      );
      const state = () => questionState(lab.state, lab.state.rfcs.get('RFC-1')!.questions[0]!);
      assert.equal(state(), 'ai_answered');
      assert.deepEqual(rule(lab, 'RFC-1', 'overrule').refused, []);
      assert.equal(state(), 'human_required');
      assert.equal(rule(lab, 'RFC-1', 'approve').refused.length, 1);
    });

    it('with another text than the displayed one', () => {
      const lab = labWith(proposed(), submitted(1));
      const decision = lab.signed(rulingRecord(lab.state, 'RFC-1', 'approve'));
      lab.write([revised(2)]);
      const [refusal] = lab.write([decision], { kind: 'human', id: 'Ada' }).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.equal(place(lab), 'under_review');
    });

    it('with the hash of another text, even if properly signed', () => {
      const lab = labWith(proposed(), submitted(1));
      const record = { ...rulingRecord(lab.state, 'RFC-1', 'approve'), hash: 'a'.repeat(64) };
      assert.match(lab.write([lab.signed(record)]).refused[0]?.why ?? '', /not the text of that revision/);
    });
  });

  describe('refuses', () => {
    function check(name: string, records: readonly object[], record: object, why: RegExp): void {
      it(name, () => {
        const lab = labWith(...records);
        const before = structuredClone(lab.state.rfcs);
        assert.match(lab.write([record]).refused[0]?.why ?? 'nothing', why);
        assert.deepEqual(lab.state.rfcs, before);
      });
    }
    const open = document('One.', [{ text: 'Who pays?' }]);
    check('another number than the next', [], proposed({ id: 'RFC-2' }), /next RFC is RFC-1/);
    check('unknown work', [], proposed({ workflows: ['W9'] }), /W9 is not registered/);
    check('a task named as a workflow', [], proposed({ workflows: ['T1'] }), /T1 is a task/);
    check(
      'a duplicate section',
      [],
      proposed({
        document: { title: 'x', sections: [1, 2].map(() => ({ key: 'summary', heading: 'S', text: 's' })) },
      }),
      /section twice/,
    );
    check(
      'a duplicate question',
      [],
      proposed({ document: document('x', [{ text: 'Who pays?' }, { text: 'who  pays?' }]) }),
      /question twice/,
    );
    check('a revision out of order', [proposed()], revised(3), /next revision is 2/);
    check('the submission of an old revision', [proposed(), revised(2)], submitted(1), /latest revision of RFC-1 is 2/);
    check(
      'an agent’s approval by feedback',
      [proposed()],
      concern({ type: 'approval', blocking: false }),
      /for humans/,
    );
    check('a thread out of order', [proposed()], concern({ thread: 2 }), /next thread is 1/);
    check('feedback on an unknown revision', [proposed()], concern({ revision: 2 }), /no revision 2/);
    check(
      'a reply to an unknown thread',
      [proposed()],
      { kind: 'rfc.feedbackReplied', v: 1, id: 'RFC-1', thread: 1, reply: 1, text: 'x' },
      /no thread 1/,
    );
    check(
      'more work after the decision',
      [proposed(), submitted(1), implemented].slice(0, 2),
      { kind: 'rfc.decisionOffered', v: 1, id: 'RFC-1', decision: 1, agent: 'copilot-001' },
      /no decision 1/,
    );
    check(
      'a reviewer’s answer to a question for a human',
      [proposed({ document: open }), reviewed([{ question: 1, outcome: 'human_required' }])],
      reviewed([{ question: 1, outcome: 'answered', answer: 'Nobody.' }], { review: 2 }),
      /is for a human/,
    );
    check(
      'a second answer of the reviewer',
      [proposed({ document: open }), reviewed([{ question: 1, outcome: 'answered', answer: 'They.' }])],
      reviewed([{ question: 1, outcome: 'answered', answer: 'We.' }], { review: 2 }),
      /already has an answer/,
    );
    check(
      'an empty answer',
      [proposed({ document: open })],
      reviewed([{ question: 1, outcome: 'answered' }]),
      /is missing/,
    );
    check('a review of an old revision', [proposed({ document: open }), revised(2)], reviewed([]), /latest revision/);
    check(
      'a question for a human with another text',
      [proposed({ document: open }), reviewed([{ question: 1, outcome: 'human_required' }])],
      asked(1, 'Which colour?'),
      /other words/,
    );
    check(
      'a question for a human that is not needed',
      [proposed({ document: open })],
      asked(1, 'Who pays?'),
      /not for a human/,
    );
    check(
      'a duplicate question for a human',
      [proposed({ document: open }), reviewed([{ question: 1, outcome: 'human_required' }]), asked(1, 'Who pays?')],
      asked(1, 'Who pays?', { id: 'Q-2' }),
      /Q-1 asks this already/,
    );
  });

  it('adds no work after the decision', () => {
    const lab = labWith(proposed(), submitted(1));
    rule(lab, 'RFC-1', 'approve');
    const { refused } = lab.write([{ kind: 'rfc.widened', v: 1, id: 'RFC-1', addTasks: ['T2'] }]);
    assert.match(refused[0]?.why ?? '', /nothing can be added/);
  });

  it('keeps the number of a question whose text is unchanged', () => {
    const lab = labWith(
      proposed({ document: document('x', [{ text: 'One?' }, { text: 'Two?' }]) }),
      revised(2, [{ text: 'TWO?' }, { text: 'Three?' }]),
    );
    assert.deepEqual(
      lab.state.rfcs.get('RFC-1')!.questions.map(({ number, text, inDocument }) => [number, text, inDocument]),
      [
        [1, 'One?', false],
        [2, 'Two?', true],
        [3, 'Three?', true],
      ],
    );
  });

  it('is approved with the text that was read, whatever is written later: an approval never covers an edit', () => {
    let approvals = 0;
    let edited = 0;
    fc.assert(
      fc.property(actsOnGraph(60), (acts) => {
        const lab = makeLab();
        const texts = new Map<string, string>();
        for (const acting of acts) {
          const approvedBefore = approvalsOf(lab);
          const { admitted } = take(lab, acting);
          for (const { record } of admitted)
            if (record.kind === 'rfc.proposed' || record.kind === 'rfc.revised')
              texts.set(`${record.id} ${String('revision' in record ? record.revision : 1)}`, hashOf(record.document));
          for (const [id, approval] of approvalsOf(lab)) {
            assert.equal(
              approval.hash,
              texts.get(`${id} ${String(approval.revision)}`),
              'the hash of the text it names',
            );
            const latest = latestRevision(lab.state.rfcs.get(id)!);
            if (latest.number > approval.revision) edited++;
            if (approval !== approvedBefore.get(id)) {
              approvals++;
              assert.ok('rules' in acting && acting.rules === 'approve', 'a human approved');
              assert.equal(approval.revision, latest.number);
              const { threads, questions } = approvalGaps(lab.state, lab.state.rfcs.get(id)!);
              assert.deepEqual({ threads, questions }, { threads: [], questions: [] });
              // Also writes an edit as the author, since random acts rarely make an authorized one.
              const edit = { ...revised(latest.number + 1), id };
              const after = lab.write([edit], { ...bot, id: lab.state.rfcs.get(id)!.asker.id });
              for (const { record } of after.admitted)
                if (record.kind === 'rfc.revised')
                  texts.set(`${id} ${String(record.revision)}`, hashOf(record.document));
              assert.equal(lab.state.rfcs.get(id)?.approval, approval, 'an edit does not change the approval');
              if (after.admitted.length > 0) edited++;
            }
          }
        }
      }),
      // Always runs all of them: a quarter does not reach an edit after an approval.
      { numRuns: 800 },
    );
    assert.ok(approvals > 8 && edited > 3, `${String(approvals)} approvals, ${String(edited)} states with an edit`);
  }).timeout(90_000);
});

function approvalsOf(lab: Lab) {
  return new Map(
    [...lab.state.rfcs].flatMap(([id, { approval }]) => (approval === null ? [] : [[id, approval] as const])),
  );
}
