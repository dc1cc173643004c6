/** Effects of signed decisions about an RFC. The signature was already verified (fold/signature.ts). */
import type { Change } from '../state/change.ts';
import { requireAct, requireLatest, requireRfc, requireThread, saveRfc, withReply, withThread } from './fold.ts';
import { cancelWork } from '../state/cancelWork.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { RecordOf } from '../records/records.ts';
import {
  approvalGaps,
  canTakeOver,
  latestRevision,
  shownOpenQuestion,
  shownRevision,
  shownRfc,
  shownThread,
  unansweredQuestions,
  waivedQuestion,
} from './rfc.ts';
import type { Trust } from '../records/decision.ts';
import type { Deciding, Effects } from '../state/effect.ts';
import type { Rfc } from '../state/rfc.ts';
import type { RfcDecision } from '../records/rfc.ts';
import type { State } from '../state/state.ts';
import type { Writer } from './threadTexts.ts';

export const rfcDecisions: Effects<RfcDecision['kind']> = {
  'rfc.approved': (at, record) => {
    saveRfc(at.state, at.change, approved(at, decided(at, record), record));
  },
  'rfc.changesRequested': (at, record) => {
    const rfc = decided(at, record);
    requireAct(rfc, 'request changes');
    requireLatest(rfc, record.revision);
    saveRfc(
      at.state,
      at.change,
      rfc.status === 'under_review' ? { ...rfc, status: 'draft' } : { ...rfc, amendment: 'draft' },
    );
  },
  'rfc.rejected': (at, record) => {
    reject(at, decided(at, record), record);
  },
  'rfc.withdrawn': (at, record) => {
    const rfc = decided(at, record);
    const { by, at: time } = at.payload;
    requireAct(rfc, 'withdraw');
    saveRfc(at.state, at.change, {
      ...rfc,
      status: 'withdrawn',
      ended: { how: 'withdrawn', then: 'another_way', reason: record.reason, by, keyid: at.keyid, at: time },
    });
  },
  'rfc.commented': (at, record) => {
    saveRfc(at.state, at.change, withThread(at, touched(at, record), record, signerOf(at)));
  },
  'rfc.threadReplied': (at, record) => {
    saveRfc(at.state, at.change, withReply(at, touched(at, record), record, signerOf(at)));
  },
  'rfc.threadResolved': (at, record) => {
    const rfc = touched(at, record);
    const thread = requireThread(rfc, record.thread);
    if (thread.resolved) throw new Inadmissible(`thread ${String(thread.number)} of ${rfc.id} is already resolved`);
    const threads = rfc.threads.map((other) => (other === thread ? { ...thread, resolved: true } : other));
    saveRfc(at.state, at.change, { ...rfc, threads });
  },
  'rfc.answerOverruled': (at, record) => {
    const rfc = touched(at, record);
    const question = rfc.questions[record.question - 1];
    if (question === undefined || !canTakeOver(at.state, question))
      throw new Inadmissible(`question ${String(record.question)} of ${rfc.id} has no answer of the reviewer`);
    const questions = rfc.questions.map((other) =>
      other === question ? { ...question, required: true, answeredIn: null } : other,
    );
    saveRfc(at.state, at.change, { ...rfc, questions });
  },
};

function signerOf({ payload }: Deciding): Writer {
  return { by: payload.by, signed: true };
}

/** The RFC that the human saw, before this record changes it. */
function touched({ state, trust, payload }: Deciding, record: RfcDecision): Rfc {
  const rfc = requireRfc(state, record.id);
  const shown = shownTo(state, rfc, record);
  if (shown === null || payload.shown !== trust.hash(shown))
    throw new Inadmissible('the RFC has changed since it was shown', 'forgery');
  return { ...rfc, updatedAt: payload.at };
}

/** Increments the number of decisions that agents must receive. */
function decided(at: Deciding, record: RfcDecision): Rfc {
  const rfc = touched(at, record);
  return { ...rfc, decisions: rfc.decisions + 1 };
}

/** The content on the screen for this kind of decision; null if there is none. */
export function shownTo(
  state: State,
  rfc: Rfc,
  record: Pick<RfcDecision, 'kind'> & {
    readonly revision?: number;
    readonly thread?: number;
    readonly question?: number;
  },
): object | null {
  switch (record.kind) {
    case 'rfc.commented':
      return shownRevision(rfc, record.revision ?? 0);
    case 'rfc.threadReplied':
    case 'rfc.threadResolved':
      return shownThread(rfc, record.thread ?? 0);
    case 'rfc.answerOverruled':
      return shownOpenQuestion(rfc, record.question ?? 0);
    default:
      return shownRfc(state, rfc);
  }
}

/** An approval binds one revision by its hash; later ones are not approved. */
function approved(deciding: Deciding, rfc: Rfc, record: RecordOf<'rfc.approved'>): Rfc {
  const {
    state,
    trust,
    payload: { by, at },
    keyid,
  } = deciding;
  requireAct(rfc, 'approve');
  requireLatest(rfc, record.revision);
  if (record.hash !== latestRevision(rfc).hash) throw new Inadmissible('this is not the text of that revision');
  const gaps = approvalGaps(state, rfc);
  if (gaps.threads.length > 0)
    throw new Inadmissible(
      `${rfc.id} has open blocking threads: ${gaps.threads.map(({ number }) => number).join(', ')}`,
    );
  if (gaps.questions.length > 0) throw new Inadmissible(`${rfc.id} has open questions for a human`);
  const waived = waivedNumbers(state, rfc, record, trust);
  const { revision, hash, conditions, constraints } = record;
  return {
    ...rfc,
    status: 'approved',
    amendment: null,
    approval: { revision, hash, conditions, constraints, ...(waived.length === 0 ? {} : { waived }), by, keyid, at },
  };
}

/** Silence is not consent: exactly the open questions must be waived, each by number and words. */
function waivedNumbers(state: State, rfc: Rfc, { waived = [] }: RecordOf<'rfc.approved'>, trust: Trust): number[] {
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

/** "Stop" cancels the work; "another way" releases it. Rejecting an amendment leaves the approved revision in force. */
function reject(
  { state, change, payload: { by, at }, keyid }: Deciding,
  rfc: Rfc,
  record: RecordOf<'rfc.rejected'>,
): void {
  const { reason, then } = record;
  requireAct(rfc, 'reject');
  requireLatest(rfc, record.revision);
  if (rfc.status === 'approved') {
    if (then === 'stop')
      throw new Inadmissible(
        `the approved revision of ${rfc.id} stays in force: its work cannot be stopped with the amendment`,
      );
    saveRfc(state, change, { ...rfc, amendment: null });
    return;
  }
  saveRfc(state, change, { ...rfc, status: 'rejected', ended: { how: 'rejected', then, reason, by, keyid, at } });
  if (then === 'stop') stop(state, change, rfc, at);
}

/** Cancels the work the RFC names, including everything in its workflows, for good. */
function stop(state: State, change: Change, rfc: Rfc, at: string): void {
  const named = [...rfc.workflows, ...rfc.tasks];
  for (const id of named) if (!state.stopped.has(id)) change.set(state.stopped, id, rfc.id);
  cancelWork(state, change, named, at);
}
