/** Decisions on RFCs, and what humans write about them. An approval binds one revision by its hash. */
import * as z from 'zod';
import { cancelWork } from '../work/fold.ts';
import { Inadmissible, type Deciding } from '../state/change.ts';
import { feedback, once, rejectionThen, rfcId, rfcNumber, type RejectionThen } from '../records/rfc.ts';
import { otherText, sha256Hex } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { list } from '../records/parts.ts';
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
import type { Rfc } from '../state/items.ts';
import type { State } from '../state/state.ts';
import { defineDecision, signedBy } from './decision.ts';

interface OfRfc {
  readonly id: string;
  readonly revision?: number;
}

type OfRevision = Required<OfRfc>;

interface OfThread {
  readonly id: string;
  readonly thread: number;
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

const waiver = z.object({ question: rfcNumber, hash: sha256Hex });

/** `revision` and `hash` identify the text: a decision never applies to a later one. */
export const rfcDecisions = [
  defineDecision(
    'rfc.approved',
    () => ({
      id: rfcId,
      revision: rfcNumber,
      hash: sha256Hex,
      conditions: list(otherText),
      constraints: list(otherText),
      /** Open questions that the approval leaves unanswered; `hash` identifies their words (see `waivedQuestion`). */
      waived: z
        .array(waiver)
        .min(1)
        .max(limits.listItems)
        .refine((waived) => once(waived.map(({ question }) => String(question))), 'waive a question twice')
        .optional(),
    }),
    {
      ...onLatest('approve'),
      ruled: true,
      apply: approve,
      meaning: () => 'allowed',
    },
  ),
  defineDecision('rfc.changesRequested', () => ({ id: rfcId, revision: rfcNumber, reason: otherText }), {
    ...onLatest('request changes'),
    ruled: true,
    apply(at, record) {
      const rfc = countDecision(at, record);
      saveRfc(at, rfc.status === 'under_review' ? { ...rfc, status: 'draft' } : { ...rfc, amendment: 'draft' });
    },
    refuses: () => true,
    meaning: () => 'undecided',
  }),
  /** "Stop" cancels the work; "another way" releases it. Rejecting an amendment leaves the approved revision in force. */
  defineDecision('rfc.rejected', () => ({ id: rfcId, revision: rfcNumber, reason: otherText, then: rejectionThen }), {
    ...aboutRfc<OfRevision & { readonly then: RejectionThen }>(shownRfc, (_, rfc, { revision, then }) => {
      const problem = actProblem(rfc, 'reject') ?? latestProblem(rfc, revision);
      if (problem !== null || rfc.status !== 'approved' || then !== 'stop') return problem;
      return `the approved revision of ${rfc.id} stays in force: its work cannot be stopped with the amendment`;
    }),
    ruled: true,
    apply(at, record) {
      const rfc = countDecision(at, record);
      if (rfc.status === 'approved') {
        saveRfc(at, { ...rfc, amendment: null });
        return;
      }
      const { reason, then } = record;
      saveRfc(at, { ...rfc, status: 'rejected', ended: { how: 'rejected', then, reason, ...signedBy(at) } });
      if (then === 'stop') stop(at, rfc);
    },
    refuses: () => true,
    meaning: () => 'refused',
  }),
  defineDecision('rfc.withdrawn', () => ({ id: rfcId, reason: otherText }), {
    ...onLatest('withdraw'),
    ruled: true,
    apply(at, record) {
      const ended = { how: 'withdrawn', then: 'another_way', reason: record.reason, ...signedBy(at) } as const;
      saveRfc(at, { ...countDecision(at, record), status: 'withdrawn', ended });
    },
    meaning: () => 'refused',
  }),
  defineDecision('rfc.commented', () => feedback, {
    ...aboutRfc<OfRevision>(
      (_, rfc, { revision }) => shownRevision(rfc, revision),
      () => null,
    ),
    ruled: false,
    apply(at, record) {
      saveRfc(at, withThread(at, touchRfc(at, record), record, { by: at.payload.by, signed: true }));
    },
  }),
  defineDecision('rfc.threadReplied', () => ({ id: rfcId, thread: rfcNumber, reply: rfcNumber, text: otherText }), {
    ...aboutRfc<OfThread>(
      (_, rfc, { thread }) => shownThread(rfc, thread),
      () => null,
    ),
    ruled: false,
    apply(at, record) {
      saveRfc(at, withReply(at, touchRfc(at, record), record, { by: at.payload.by, signed: true }));
    },
  }),
  defineDecision('rfc.threadResolved', () => ({ id: rfcId, thread: rfcNumber }), {
    ...aboutRfc<OfThread>(
      (_, rfc, { thread }) => shownThread(rfc, thread),
      (_, rfc, { thread }) =>
        rfc.threads[thread - 1]?.resolved ? `thread ${String(thread)} of ${rfc.id} is already resolved` : null,
    ),
    ruled: false,
    apply(at, record) {
      const rfc = touchRfc(at, record);
      const thread = requireThread(rfc, record.thread);
      const threads = rfc.threads.map((other) => (other === thread ? { ...thread, resolved: true } : other));
      saveRfc(at, { ...rfc, threads });
    },
  }),
  /** Rejects an AI answer: the question then needs a human. */
  defineDecision('rfc.answerOverruled', () => ({ id: rfcId, question: rfcNumber, reason: otherText.optional() }), {
    ...aboutRfc<{ readonly id: string; readonly question: number }>(
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
      saveRfc(at, { ...rfc, questions });
    },
  }),
] as const;

/** Increments the number of decisions that agents must receive. */
function countDecision(at: Deciding, record: OfRfc): Rfc {
  const rfc = touchRfc(at, record);
  return { ...rfc, decisions: rfc.decisions + 1 };
}

interface Approving extends OfRevision {
  readonly hash: string;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  readonly waived?: readonly z.infer<typeof waiver>[] | undefined;
}

/** Later revisions are not approved. */
function approve(at: Deciding, record: Approving): void {
  const rfc = countDecision(at, record);
  if (record.hash !== latestRevision(rfc).hash) throw new Inadmissible('this is not the text of that revision');
  const gaps = approvalGaps(at.state, rfc);
  if (gaps.threads.length > 0)
    throw new Inadmissible(
      `${rfc.id} has open blocking threads: ${gaps.threads.map(({ number }) => number).join(', ')}`,
    );
  if (gaps.questions.length > 0) throw new Inadmissible(`${rfc.id} has open questions for a human`);
  const waived = waivedNumbers(at, rfc, record);
  const { revision, hash, conditions, constraints } = record;
  const terms = { conditions, constraints, ...(waived.length === 0 ? {} : { waived }) };
  const approval = { revision, hash, ...terms, ...signedBy(at) };
  saveRfc(at, { ...rfc, status: 'approved', amendment: null, approval });
}

/** Silence is not consent: exactly the open questions must be waived, each by number and words. */
function waivedNumbers({ state, trust }: Deciding, rfc: Rfc, { waived = [] }: Approving): number[] {
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
