/** Effects of signed decisions on questions. The signature was already verified (signature.ts). */
import { requireQuestion, save } from '../question/fold.ts';
import { directlyHeld } from '../hold/holds.ts';
import { effectProblem, refusalOf } from '../state/answerEffect.ts';
import { cancelWork } from '../state/cancelWork.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { shownAnswer, shownQuestion } from '../question/question.ts';
import type { RecordOf } from '../records/records.ts';
import { togetherProblem } from './together.ts';
import type { Deciding, Effects } from '../state/effect.ts';
import { isStop } from '../state/state.ts';
import type { Question, Resolution } from '../state/state.ts';

type QuestionDecision = RecordOf<'question.answered' | 'question.cancelled' | 'question.released'>;

export const questionDecisions: Effects<QuestionDecision['kind'] | 'answer.revoked' | 'refusal.lifted'> = {
  'question.answered': resolve,
  'question.cancelled': resolve,
  'question.released': resolve,
  'answer.revoked': revoke,
  'refusal.lifted': lift,
};

function resolve(at: Deciding, record: QuestionDecision): void {
  const { state, change, trust, payload } = at;
  const question = requireQuestion(state, record.id);
  if (question.resolution !== null)
    throw new Inadmissible(`${question.id} was already decided at ${question.resolution.at}`);
  if (payload.shown !== trust.hash(shownQuestion(state, question)))
    throw new Inadmissible('the question has changed since it was shown', 'forgery');
  if (question.status === 'expired' && record.kind === 'question.cancelled')
    throw new Inadmissible(`${question.id} has expired: it can only be answered or released`);
  const problem = record.kind === 'question.answered' ? answerProblem(question, record.answer) : null;
  if (problem !== null) throw new Inadmissible(problem);
  const apart = record.kind === 'question.answered' ? togetherProblem(at, record, question) : null;
  if (apart !== null) throw new Inadmissible(apart, 'forgery');
  const decided = {
    ...question,
    status: statusAfter(question, record),
    resolution: resolution(record, at),
  };
  save(state, change, decided);
  if (isStop(decided)) cancelWork(state, change, directlyHeld(state, decided), payload.at);
}

/** Prevents reuse of the answer. Work that it released stays released. */
function revoke({ state, change, trust, payload }: Deciding, record: RecordOf<'answer.revoked'>): void {
  const question = requireQuestion(state, record.id);
  if (question.resolution?.how !== 'answered') throw new Inadmissible(`${question.id} has no answer`);
  if (question.revoked !== null)
    throw new Inadmissible(`the answer of ${question.id} was already revoked at ${question.revoked.at}`);
  if (payload.shown !== trust.hash(shownAnswer(state, question)))
    throw new Inadmissible('the answer has changed since it was shown', 'forgery');
  save(state, change, { ...question, revoked: { reason: record.reason, by: payload.by, at: payload.at } });
}

/** Lifts a refusal or stop. Cancelled work stays cancelled until it is started again. */
function lift({ state, change, trust, payload }: Deciding, record: RecordOf<'refusal.lifted'>): void {
  const question = requireQuestion(state, record.id);
  if (question.lifted !== null)
    throw new Inadmissible(`the refusal of ${question.id} was already lifted at ${question.lifted.at}`);
  if (refusalOf(question) === null) throw new Inadmissible(`${question.id} refuses nothing`);
  if (payload.shown !== trust.hash(shownAnswer(state, question)))
    throw new Inadmissible('the answer has changed since it was shown', 'forgery');
  save(state, change, { ...question, lifted: { reason: record.reason, by: payload.by, at: payload.at } });
}

function statusAfter(question: Question, record: QuestionDecision): Question['status'] {
  if (record.kind === 'question.answered') return 'answered';
  return question.status === 'expired' ? 'expired' : 'cancelled';
}

function resolution(record: QuestionDecision, { payload, keyid, passkey }: Deciding): Resolution {
  const { by, at } = payload;
  const base = { answer: null, note: null, by, keyid, ...(passkey ? { passkey } : {}), at };
  switch (record.kind) {
    case 'question.answered':
      return { ...base, how: 'answered', answer: record.answer, ...othersOf(record) };
    case 'question.cancelled':
      return { ...base, how: 'cancelled', note: record.reason };
    case 'question.released':
      return { ...base, how: 'released', note: record.note };
  }
}

function othersOf({ id, together }: RecordOf<'question.answered'>): Pick<Resolution, 'with'> {
  if (together === undefined) return {};
  return { with: together.map((one) => one.id).filter((other) => other !== id) };
}

/** Why an answer is invalid for its question; null when it is valid. */
export function answerProblem({ raised }: Answerable, answer: RecordOf<'question.answered'>['answer']): string | null {
  const { choices, multiple, freeText } = raised;
  const unknown = answer.choices.find((label) => !choices.some((choice) => choice.label === label));
  if (unknown !== undefined) return `"${unknown}" is not one of the choices`;
  if (new Set(answer.choices).size !== answer.choices.length) return 'a choice is named twice';
  if (answer.choices.length > 1 && !multiple) return 'only one choice can be picked';
  if (answer.choices.length === 0 && answer.text === undefined) return 'an answer needs a text or a choice';
  if (answer.choices.length === 0 && choices.length > 0 && !freeText) return 'one of the choices must be picked';
  return effectProblem(raised, answer);
}

interface Answerable {
  readonly raised: Pick<Question['raised'], 'type' | 'choices' | 'multiple' | 'freeText'>;
}
