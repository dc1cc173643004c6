/** Effects of what a human signed about an RFC. The signature itself was verified before (foldDecision.ts). */
import type { Change } from '../state/change.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import { requireAct, requireLatest, requireRfc, requireThread, saveRfc, withReply, withThread } from './fold.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { RecordOf } from '../records/records.ts';
import { approvalGaps, latestRevision, shownOpenQuestion, shownRevision, shownRfc, shownThread } from './rfc.ts';
import type { Ending, Rfc } from '../state/rfc.ts';
import type { RfcDecision } from '../records/rfc.ts';
import type { State } from '../state/state.ts';

export function decideRfc(
  state: State,
  change: Change,
  record: RfcDecision,
  payload: DecisionPayload,
  keyid: string,
  trust: Trust,
): void {
  const rfc = requireRfc(state, record.id);
  requireShown(shownTo(state, rfc, record), payload, trust);
  const { by, at } = payload;
  const touched = { ...rfc, updatedAt: at };
  const decided = { ...touched, decisions: rfc.decisions + 1 };
  switch (record.kind) {
    case 'rfc.approved':
      saveRfc(state, change, approved(state, decided, record, { by, keyid, at }));
      return;
    case 'rfc.changesRequested':
      requireAct(rfc, 'request changes');
      requireLatest(rfc, record.revision);
      saveRfc(
        state,
        change,
        rfc.status === 'under_review' ? { ...decided, status: 'draft' } : { ...decided, amendment: 'draft' },
      );
      return;
    case 'rfc.rejected':
      reject(state, change, decided, record, {
        how: 'rejected',
        then: record.then,
        reason: record.reason,
        by,
        keyid,
        at,
      });
      return;
    case 'rfc.withdrawn':
      requireAct(rfc, 'withdraw');
      saveRfc(state, change, {
        ...decided,
        status: 'withdrawn',
        ended: { how: 'withdrawn', then: 'another_way', reason: record.reason, by, keyid, at },
      });
      return;
    case 'rfc.commented':
      saveRfc(state, change, withThread(touched, record));
      return;
    case 'rfc.threadReplied':
      saveRfc(state, change, withReply(touched, record));
      return;
    case 'rfc.threadResolved': {
      const thread = requireThread(rfc, record.thread);
      if (thread.resolved) throw new Inadmissible(`thread ${String(thread.number)} of ${rfc.id} is resolved already`);
      const threads = rfc.threads.map((other) => (other === thread ? { ...thread, resolved: true } : other));
      saveRfc(state, change, { ...touched, threads });
      return;
    }
    case 'rfc.answerOverruled': {
      const question = rfc.questions[record.question - 1];
      if (question?.answeredIn == null)
        throw new Inadmissible(`question ${String(record.question)} of ${rfc.id} has no answer of the reviewer`);
      const questions = rfc.questions.map((other) =>
        other === question ? { ...question, required: true, answeredIn: null } : other,
      );
      saveRfc(state, change, { ...touched, questions });
    }
  }
}

/** What was on the screen when this kind of decision was made; null where there is no such thing. */
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

function requireShown(shown: object | null, payload: DecisionPayload, trust: Trust): void {
  if (shown === null || payload.shown !== trust.hash(shown))
    throw new Inadmissible('the RFC has changed since it was shown', 'forgery');
}

/** Approval binds one revision by its hash: what comes after it is not approved. */
function approved(
  state: State,
  rfc: Rfc,
  record: RecordOf<'rfc.approved'>,
  signed: { readonly by: string; readonly keyid: string; readonly at: string },
): Rfc {
  requireAct(rfc, 'approve');
  requireLatest(rfc, record.revision);
  if (record.hash !== latestRevision(rfc).hash) throw new Inadmissible('this is not the text of that revision');
  const gaps = approvalGaps(state, rfc);
  if (gaps.threads.length > 0)
    throw new Inadmissible(
      `${rfc.id} has open blocking threads: ${gaps.threads.map(({ number }) => number).join(', ')}`,
    );
  if (gaps.questions.length > 0) throw new Inadmissible(`${rfc.id} has open questions for a human`);
  const { revision, hash, conditions, constraints } = record;
  return {
    ...rfc,
    status: 'approved',
    amendment: null,
    approval: { revision, hash, conditions, constraints, ...signed },
  };
}

/** "Stop" cancels the work, "another way" lets it go. Of an amendment only the amendment is rejected. */
function reject(state: State, change: Change, rfc: Rfc, record: RecordOf<'rfc.rejected'>, ended: Ending): void {
  requireAct(rfc, 'reject');
  requireLatest(rfc, record.revision);
  if (rfc.status === 'approved') {
    if (record.then === 'stop')
      throw new Inadmissible(
        `the approved revision of ${rfc.id} stays in force: its work cannot be stopped with the amendment`,
      );
    saveRfc(state, change, { ...rfc, amendment: null });
    return;
  }
  saveRfc(state, change, { ...rfc, status: 'rejected', ended });
  if (record.then === 'stop') stop(state, change, rfc, ended.at);
}

/** What the RFC names is cancelled, with all that belongs to its workflows, and cannot be started again. */
function stop(state: State, change: Change, rfc: Rfc, at: string): void {
  const named = [...rfc.workflows, ...rfc.tasks];
  for (const id of named) if (!state.stopped.has(id)) change.set(state.stopped, id, rfc.id);
  const reached = new Set(named);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const item of state.work.values())
      if (item.workflow !== null && reached.has(item.workflow)) reached.add(item.id);
  }
  for (const id of reached) {
    const item = state.work.get(id);
    if (item && (item.status === 'todo' || item.status === 'in_progress'))
      change.set(state.work, id, { ...item, status: 'cancelled', updatedAt: at });
  }
}
