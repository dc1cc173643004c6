/** Effects of signed records. Anything about a decision that does not fit makes it a forgery attempt, without effect. */
import type { Change } from '../state/change.ts';
import { subjectOf, unsigned } from '../records/decision.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import { applyEventDecision } from '../memory/fold.ts';
import { applyKey } from '../keys/fold.ts';
import { save } from '../question/fold.ts';
import { decideRequest } from '../request/fold.ts';
import { decideRfc } from '../rfc/foldDecision.ts';
import { applyWidening } from './widening.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { isKeyRecord } from '../records/key.ts';
import { shownAnswer, shownPolicy, shownQuestion } from '../question/question.ts';
import type { CountedLine, RecordOf, SignedRecord } from '../records/records.ts';
import { isRequestDecision } from '../records/request.ts';
import { isRfcDecision } from '../records/rfc.ts';
import type { Admitted, Question, Resolution, State } from '../state/state.ts';
import { isWideningRecord } from '../records/widening.ts';

type QuestionDecision = RecordOf<'question.answered' | 'question.cancelled' | 'question.released'>;

export function applyDecision(
  state: State,
  change: Change,
  record: SignedRecord,
  line: CountedLine,
  trust: Trust,
): NonNullable<Admitted['signed']> {
  const verified = trust.verify(record.envelope, line.at);
  if ('why' in verified) throw new Inadmissible(verified.why, 'forgery');
  const { payload, keyid } = verified;
  const ended = state.retiredKeys.get(keyid);
  if (ended !== undefined) throw new Inadmissible(`is signed by a key that was given up at ${ended}`, 'forgery');
  const misfit = bindingProblem(state, record, payload, line, trust);
  if (misfit !== null) throw new Inadmissible(misfit, 'forgery');
  if (record.kind === 'policy.changed') {
    if (payload.shown !== trust.hash(shownPolicy(state)))
      throw new Inadmissible('the policy has changed since it was shown', 'forgery');
    const { questionLifeHours, onExpiry, overdue = state.policy.overdue, hooks = state.policy.hooks } = record;
    change.assign(state, 'policy', {
      questionLifeHours,
      onExpiry,
      ...(overdue === undefined ? {} : { overdue }),
      ...(hooks === undefined ? {} : { hooks }),
    });
  } else if (
    record.kind === 'event.postedByHuman' ||
    record.kind === 'event.closedByHuman' ||
    record.kind === 'event.proposalDeclined'
  )
    applyEventDecision(state, change, record, payload, line, trust);
  else if (isRequestDecision(record)) decideRequest(state, change, record, payload, line, trust);
  else if (record.kind === 'journal.restored' || record.kind === 'journal.startedAnew')
    change.assign(state, 'recovered', payload.at);
  else if (isKeyRecord(record)) applyKey(state, change, record, keyid, payload.at);
  else if (isRfcDecision(record)) decideRfc(state, change, record, payload, keyid, trust);
  else if (isWideningRecord(record)) applyWidening(state, change, record, payload, keyid, trust);
  else if (record.kind === 'answer.revoked') revoke(state, change, record, payload, trust);
  else if ('id' in record) resolve(state, change, record, payload, keyid, trust);
  change.add(state.nonces, payload.nonce);
  return { by: payload.by, keyid, nonce: payload.nonce };
}

/** Where a genuine signature is used for something it was not given for. */
function bindingProblem(
  state: State,
  record: SignedRecord,
  payload: DecisionPayload,
  line: CountedLine,
  trust: Trust,
): string | null {
  if (payload.workspace !== state.workspace?.id) return 'its signature was given for another workspace';
  if (payload.action !== record.kind) return `its signature was given for ${payload.action}`;
  if (payload.subject !== subjectOf(record)) return `its signature was given for ${payload.subject}`;
  if (payload.recordHash !== trust.hash(unsigned(record))) return 'its content is not what was signed';
  if (state.nonces.has(payload.nonce)) return 'its signature was used before';
  if (payload.head !== line.prev || payload.position > line.at)
    return 'its signature was given for another state of the journal';
  return null;
}

function resolve(
  state: State,
  change: Change,
  record: QuestionDecision,
  payload: DecisionPayload,
  keyid: string,
  trust: Trust,
): void {
  const question = state.questions.get(record.id);
  if (!question) throw new Inadmissible(`there is no question ${record.id}`);
  if (question.resolution !== null)
    throw new Inadmissible(`${question.id} was decided already at ${question.resolution.at}`);
  if (payload.shown !== trust.hash(shownQuestion(state, question)))
    throw new Inadmissible('the question has changed since it was shown', 'forgery');
  if (question.status === 'expired' && record.kind !== 'question.released')
    throw new Inadmissible(`${question.id} has expired: it can only be released`);
  const problem = record.kind === 'question.answered' ? answerProblem(question, record.answer) : null;
  if (problem !== null) throw new Inadmissible(problem);
  save(state, change, {
    ...question,
    status: statusAfter(question, record),
    resolution: resolution(record, payload, keyid),
  });
}

/** Takes nothing back: what the answer released stays released, but whoever asks again asks a human. */
function revoke(
  state: State,
  change: Change,
  record: RecordOf<'answer.revoked'>,
  payload: DecisionPayload,
  trust: Trust,
): void {
  const question = state.questions.get(record.id);
  if (!question) throw new Inadmissible(`there is no question ${record.id}`);
  if (question.resolution?.how !== 'answered') throw new Inadmissible(`${question.id} has no answer`);
  if (question.revoked !== null)
    throw new Inadmissible(`the answer of ${question.id} was revoked already at ${question.revoked.at}`);
  if (payload.shown !== trust.hash(shownAnswer(state, question)))
    throw new Inadmissible('the answer has changed since it was shown', 'forgery');
  save(state, change, { ...question, revoked: { reason: record.reason, by: payload.by, at: payload.at } });
}

function statusAfter(question: Question, record: QuestionDecision): Question['status'] {
  if (record.kind === 'question.answered') return 'answered';
  return question.status === 'expired' ? 'expired' : 'cancelled';
}

function resolution(record: QuestionDecision, payload: DecisionPayload, keyid: string): Resolution {
  const base = { answer: null, note: null, by: payload.by, keyid, at: payload.at };
  switch (record.kind) {
    case 'question.answered':
      return { ...base, how: 'answered', answer: record.answer };
    case 'question.cancelled':
      return { ...base, how: 'cancelled', note: record.reason };
    case 'question.released':
      return { ...base, how: 'released', note: record.note };
  }
}

/** Why an answer does not fit its question; null when it does. */
export function answerProblem(question: Question, answer: RecordOf<'question.answered'>['answer']): string | null {
  const { choices, multiple, freeText } = question.raised;
  const unknown = answer.choices.find((label) => !choices.some((choice) => choice.label === label));
  if (unknown !== undefined) return `"${unknown}" is not one of the choices`;
  if (new Set(answer.choices).size !== answer.choices.length) return 'a choice is named twice';
  if (answer.choices.length > 1 && !multiple) return 'only one choice can be picked';
  if (answer.choices.length === 0 && answer.text === undefined) return 'an answer needs a text or a choice';
  if (question.raised.type === 'approval' && answer.choices.includes('No') && answer.text === undefined)
    return 'a No needs a reason';
  if (answer.choices.length === 0 && choices.length > 0 && !freeText) return 'one of the choices must be picked';
  return null;
}
