/** Decisions on RFCs, and what humans write about them. An approval binds one revision by its hash. */
import { cancelWork } from '../work/fold.ts';
import { Inadmissible } from '../state/change.ts';
import type { RecordOf } from '../records/records.ts';
import type { RfcDecision } from '../records/rfc.ts';
import { requireThread, saveRfc, touchRfc, withReply, withThread } from '../rfc/fold.ts';
import {
  actProblem,
  approvalGaps,
  canTakeOver,
  latestProblem,
  latestRevision,
  shownOpenQuestion,
  shownRevision,
  shownRfc,
  shownThread,
  unansweredQuestions,
  waivedQuestion,
  type RfcAct,
} from '../rfc/rfc.ts';
import type { Deciding } from '../state/effect.ts';
import type { Rfc } from '../state/items.ts';
import type { State } from '../state/state.ts';
import type { Decisions } from './decision.ts';

interface OfRfc {
  readonly id: string;
  readonly revision?: number;
}

/** Whatever is about an RFC that must exist. */
function aboutRfc<R extends OfRfc>(
  shown: (state: State, rfc: Rfc, record: R) => object | null,
  problem: (state: State, rfc: Rfc, record: R) => string | null,
) {
  return {
    attested: true,
    shown(state: State, record: R) {
      const rfc = state.rfcs.get(record.id);
      return rfc ? shown(state, rfc, record) : null;
    },
    problem(state: State, record: R) {
      const rfc = state.rfcs.get(record.id);
      return rfc ? problem(state, rfc, record) : `there is no RFC ${record.id}`;
    },
  } as const;
}

function onLatest(act: RfcAct) {
  return aboutRfc<OfRfc>(
    shownRfc,
    (_, rfc, { revision }) => actProblem(rfc, act) ?? (revision === undefined ? null : latestProblem(rfc, revision)),
  );
}

export const rfcDecisions: Decisions<RfcDecision['kind']> = {
  'rfc.approved': {
    ...onLatest('approve'),
    ruled: true,
    apply: approve,
    meaning: () => 'allowed',
  },
  'rfc.changesRequested': {
    ...onLatest('request changes'),
    ruled: true,
    apply(at, record) {
      const rfc = countDecision(at, record);
      saveRfc(
        at.state,
        at.change,
        rfc.status === 'under_review' ? { ...rfc, status: 'draft' } : { ...rfc, amendment: 'draft' },
      );
    },
    refuses: () => true,
    meaning: () => 'undecided',
  },
  /** "Stop" cancels the work; "another way" releases it. Rejecting an amendment leaves the approved revision in force. */
  'rfc.rejected': {
    ...aboutRfc<Pick<RecordOf<'rfc.rejected'>, 'id' | 'revision' | 'then'>>(shownRfc, (_, rfc, { revision, then }) => {
      const problem = actProblem(rfc, 'reject') ?? latestProblem(rfc, revision);
      if (problem !== null || rfc.status !== 'approved' || then !== 'stop') return problem;
      return `the approved revision of ${rfc.id} stays in force: its work cannot be stopped with the amendment`;
    }),
    ruled: true,
    apply(at, record) {
      const { state, change, payload, keyid } = at;
      const rfc = countDecision(at, record);
      if (rfc.status === 'approved') {
        saveRfc(state, change, { ...rfc, amendment: null });
        return;
      }
      const { reason, then } = record;
      const ended = { how: 'rejected', then, reason, by: payload.by, keyid, at: payload.at } as const;
      saveRfc(state, change, { ...rfc, status: 'rejected', ended });
      if (then === 'stop') stop(at, rfc);
    },
    refuses: () => true,
    meaning: () => 'refused',
  },
  'rfc.withdrawn': {
    ...onLatest('withdraw'),
    ruled: true,
    apply(at, record) {
      const { by, at: time } = at.payload;
      saveRfc(at.state, at.change, {
        ...countDecision(at, record),
        status: 'withdrawn',
        ended: { how: 'withdrawn', then: 'another_way', reason: record.reason, by, keyid: at.keyid, at: time },
      });
    },
    meaning: () => 'refused',
  },
  'rfc.commented': {
    ...aboutRfc<Pick<RecordOf<'rfc.commented'>, 'id' | 'revision'>>(
      (_, rfc, { revision }) => shownRevision(rfc, revision),
      () => null,
    ),
    ruled: false,
    apply(at, record) {
      saveRfc(at.state, at.change, withThread(at, touchRfc(at, record), record, { by: at.payload.by, signed: true }));
    },
  },
  'rfc.threadReplied': {
    ...aboutRfc<Pick<RecordOf<'rfc.threadReplied'>, 'id' | 'thread'>>(
      (_, rfc, { thread }) => shownThread(rfc, thread),
      () => null,
    ),
    ruled: false,
    apply(at, record) {
      saveRfc(at.state, at.change, withReply(at, touchRfc(at, record), record, { by: at.payload.by, signed: true }));
    },
  },
  'rfc.threadResolved': {
    ...aboutRfc<Pick<RecordOf<'rfc.threadResolved'>, 'id' | 'thread'>>(
      (_, rfc, { thread }) => shownThread(rfc, thread),
      (_, rfc, { thread }) =>
        rfc.threads[thread - 1]?.resolved ? `thread ${String(thread)} of ${rfc.id} is already resolved` : null,
    ),
    ruled: false,
    apply(at, record) {
      const rfc = touchRfc(at, record);
      const thread = requireThread(rfc, record.thread);
      const threads = rfc.threads.map((other) => (other === thread ? { ...thread, resolved: true } : other));
      saveRfc(at.state, at.change, { ...rfc, threads });
    },
  },
  'rfc.answerOverruled': {
    ...aboutRfc<Pick<RecordOf<'rfc.answerOverruled'>, 'id' | 'question'>>(
      (_, rfc, { question }) => shownOpenQuestion(rfc, question),
      (state, rfc, { question: number }) => {
        const question = rfc.questions[number - 1];
        if (question !== undefined && canTakeOver(state, question)) return null;
        return `question ${String(number)} of ${rfc.id} has no answer of the reviewer`;
      },
    ),
    ruled: false,
    apply(at, record) {
      const rfc = touchRfc(at, record);
      const questions = rfc.questions.map((other, index) =>
        index === record.question - 1 ? { ...other, required: true, answeredIn: null } : other,
      );
      saveRfc(at.state, at.change, { ...rfc, questions });
    },
  },
};

/** Increments the number of decisions that agents must receive. */
function countDecision(at: Deciding, record: OfRfc): Rfc {
  const rfc = touchRfc(at, record);
  return { ...rfc, decisions: rfc.decisions + 1 };
}

/** Later revisions are not approved. */
function approve(at: Deciding, record: RecordOf<'rfc.approved'>): void {
  const { state, change, payload, keyid } = at;
  const rfc = countDecision(at, record);
  if (record.hash !== latestRevision(rfc).hash) throw new Inadmissible('this is not the text of that revision');
  const gaps = approvalGaps(state, rfc);
  if (gaps.threads.length > 0)
    throw new Inadmissible(
      `${rfc.id} has open blocking threads: ${gaps.threads.map(({ number }) => number).join(', ')}`,
    );
  if (gaps.questions.length > 0) throw new Inadmissible(`${rfc.id} has open questions for a human`);
  const waived = waivedNumbers(at, rfc, record);
  const { revision, hash, conditions, constraints } = record;
  const terms = { conditions, constraints, ...(waived.length === 0 ? {} : { waived }) };
  const approval = { revision, hash, ...terms, by: payload.by, keyid, at: payload.at };
  saveRfc(state, change, { ...rfc, status: 'approved', amendment: null, approval });
}

/** Silence is not consent: exactly the open questions must be waived, each by number and words. */
function waivedNumbers({ state, trust }: Deciding, rfc: Rfc, { waived = [] }: RecordOf<'rfc.approved'>): number[] {
  const open = unansweredQuestions(state, rfc);
  for (const { question, hash } of waived) {
    const asked = open.find(({ number }) => number === question);
    if (!asked || trust.hash(waivedQuestion(rfc, asked)) !== hash)
      throw new Inadmissible(`question ${String(question)} of ${rfc.id} is not open, or has other words`);
  }
  const left = open.filter(({ number }) => !waived.some(({ question }) => question === number));
  if (left.length > 0)
    throw new Inadmissible(
      `${rfc.id} has open questions without an answer that were not waived: ${left.map(({ number }) => number).join(', ')}`,
    );
  return waived.map(({ question }) => question).sort((a, b) => a - b);
}

function stop({ state, change, payload: { at } }: Deciding, rfc: Rfc): void {
  const named = [...rfc.workflows, ...rfc.tasks];
  for (const id of named) if (!state.stopped.has(id)) change.set(state.stopped, id, rfc.id);
  cancelWork(state, change, named, at);
}
