/** Decisions on questions: answers and everything else that ends a question, what follows an answer, and asking back. */
import { impliedEffect, effectProblem, refusalOf, saysNo } from '../state/answerEffect.ts';
import type { AnswerEffect, QuestionType } from '../kit/words.ts';
import { askBackProblem, requireQuestion, save } from '../question/fold.ts';
import { shownAnswer, shownQuestion } from '../question/question.ts';
import { directlyHeld } from '../hold/holds.ts';
import type { QuestionRaised } from '../records/plain.ts';
import { answer, together, type Answer, type Together } from '../records/question.ts';
import { otherText, questionId } from '../kit/fields.ts';
import { cancelWork } from '../work/fold.ts';
import { type Deciding, Inadmissible } from '../state/change.ts';
import { isStop, raisedOf, type Question, type Resolution, type State } from '../state/state.ts';
import { defineDecision, signedBy } from './decision.ts';
import { rulesFor } from '../state/quorum.ts';

// Whether an answer that lists other questions was given together with exactly these.

/**
 * Why an answer is not one of those that it lists; null when it is. All of the act are in
 * one line, in the order of the list, with the same answer; where one is missing, none has an effect.
 */
function togetherProblem({ state, line, payload }: Deciding, all: Together, question: Question): string | null {
  if (question.urgency === 'critical' || rulesFor(state, question).length > 0)
    return `${question.id} is decided by itself`;
  const shown = new Map(all.map((one) => [one.id, one.shown]));
  if (shown.size !== all.length || shown.get(question.id) !== payload.shown)
    return 'it is not one of the questions that it lists';
  return isWhole(line.records, all) ? null : 'the answers that were signed with it are missing';
}

interface Raw {
  readonly id?: unknown;
  readonly answer?: unknown;
  readonly together?: unknown;
}

/** Compares what is written, because anything may be in a line: each record is verified when its turn comes. */
function isWhole(records: readonly unknown[], all: Together): boolean {
  const answers = records.filter(isAnswer);
  const said = ({ answer, together }: Raw) => JSON.stringify([answer, together]);
  const expected = said({ answer: answers[0]?.answer, together: all });
  return (
    answers.length === all.length && answers.every((one, index) => one.id === all[index]?.id && said(one) === expected)
  );
}

function isAnswer(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && 'kind' in raw && raw.kind === 'question.answered';
}

interface OfQuestion {
  readonly id: string;
}

/** Whatever is about a question that must exist. */
function aboutQuestion(problem: (question: Question) => string | null, shown: (state: State, one: Question) => object) {
  return {
    attested: true,
    shown: (state: State, { id }: OfQuestion) => {
      const question = state.questions.get(id);
      return question ? shown(state, question) : null;
    },
    problem: (state: State, { id }: OfQuestion) => {
      const question = state.questions.get(id);
      return question ? problem(question) : `there is no question ${id}`;
    },
  } as const;
}

const open = aboutQuestion(undecidedProblem, shownQuestion);
const notApproved = (type: QuestionType | null) => type === null || type === 'approval';

export const questionDecisions = [
  defineDecision(
    'question.answered',
    () => ({
      id: questionId,
      answer,
      /** All questions that were answered in the same act, this one among them. */
      together: together().optional(),
    }),
    {
      ...open,
      ruled: true,
      problem: (state, record) =>
        open.problem(state, record) ?? answerProblem(raisedOf(state, requireQuestion(state, record.id)), record.answer),
      apply(at, { id, answer: given, together: all }) {
        const apart = all && togetherProblem(at, all, requireQuestion(at.state, id));
        if (apart != null) throw new Inadmissible(apart, 'forgery');
        const others = all?.map((one) => one.id).filter((other) => other !== id);
        resolve(at, id, { how: 'answered', answer: given, ...(others ? { with: others } : {}) });
      },
      refuses(state, { id, answer: given }) {
        const question = state.questions.get(id);
        return question !== undefined && (given.effect ?? impliedEffect(question.facts, given)) !== 'proceed';
      },
      meaning: (record, type) => (attestedEffect(record.answer, type) === 'proceed' ? 'allowed' : 'refused'),
    },
  ),
  defineDecision('question.cancelled', () => ({ id: questionId, reason: otherText }), {
    ...open,
    ruled: true,
    problem: (state, record) =>
      open.problem(state, record) ??
      (requireQuestion(state, record.id).status === 'expired'
        ? `${record.id} has expired: it can only be answered or released`
        : null),
    apply(at, { id, reason }) {
      resolve(at, id, { how: 'cancelled', note: reason });
    },
    meaning: (_, type, isNamed) => (isNamed || notApproved(type) ? 'not_approved' : 'allowed'),
  }),
  defineDecision('question.released', () => ({ id: questionId, note: otherText }), {
    ...open,
    ruled: true,
    apply(at, { id, note }) {
      resolve(at, id, { how: 'released', note });
    },
    meaning: (_, type) => (notApproved(type) ? 'not_approved' : 'allowed'),
  }),
  /** A human asks the agent before deciding; signed, so that no program puts words into a human's mouth. */
  defineDecision('question.askedBack', () => ({ id: questionId, text: otherText }), {
    ...aboutQuestion(askBackProblem, shownQuestion),
    ruled: false,
    apply(at, { id, text }) {
      const question = requireQuestion(at.state, id);
      const asked = { text, ...signedBy(at), reply: null };
      save(at, { ...question, askBacks: [...question.askBacks, asked] });
    },
  }),
  /** Prevents reuse of the answer. Work that it released stays released. */
  defineDecision('answer.revoked', () => ({ id: questionId, reason: otherText }), {
    ...aboutQuestion(({ id, resolution, revoked }) => {
      if (resolution?.how !== 'answered') return `${id} has no answer to revoke`;
      return revoked && `the answer of ${id} was revoked at ${revoked.at}`;
    }, shownAnswer),
    ruled: false,
    apply(at, { id, reason }) {
      const { by, at: time } = at.payload;
      save(at, { ...requireQuestion(at.state, id), revoked: { reason, by, at: time } });
    },
  }),
  /** Lifts a refusal or stop. Cancelled work stays cancelled until it is started again. */
  defineDecision('refusal.lifted', () => ({ id: questionId, reason: otherText }), {
    ...aboutQuestion((question) => {
      const { id, lifted } = question;
      if (lifted) return `the refusal of ${id} was lifted at ${lifted.at}`;
      return refusalOf(question) === null ? `${id} refuses nothing` : null;
    }, shownAnswer),
    ruled: true,
    apply(at, { id, reason }) {
      const { by, at: time } = at.payload;
      save(at, { ...requireQuestion(at.state, id), lifted: { reason, by, at: time } });
    },
    meaning: () => 'allowed',
  }),
] as const;

function undecidedProblem({ id, resolution }: Question): string | null {
  return resolution && `${id} was already decided at ${resolution.at}`;
}

function resolve(at: Deciding, id: string, how: Pick<Resolution, 'how'> & Partial<Resolution>): void {
  const { state, change, passkey } = at;
  const question = requireQuestion(state, id);
  const ended = question.status === 'expired' ? 'expired' : 'cancelled';
  const decided: Question = {
    ...question,
    status: how.how === 'answered' ? 'answered' : ended,
    resolution: { answer: null, note: null, ...signedBy(at), ...(passkey ? { passkey } : {}), ...how },
  };
  save(at, decided);
  if (isStop(decided)) cancelWork(state, change, directlyHeld(state, decided), at.payload.at);
}

export function answerProblem(raised: Answerable, given: Answer): string | null {
  const { choices, multiple, freeText } = raised;
  const unknown = given.choices.find((label) => !choices.some((choice) => choice.label === label));
  if (unknown !== undefined) return `"${unknown}" is not one of the choices`;
  if (new Set(given.choices).size !== given.choices.length) return 'a choice is named twice';
  if (given.choices.length > 1 && !multiple) return 'only one choice can be picked';
  if (given.choices.length === 0 && given.text === undefined) return 'an answer needs a text or a choice';
  if (given.choices.length === 0 && choices.length > 0 && !freeText) return 'one of the choices must be picked';
  return effectProblem(raised, given);
}

type Answerable = Pick<QuestionRaised, 'type' | 'choices' | 'multiple' | 'freeText'>;

/**
 * The effect of an answer without its journal. One that does not state its effect is treated as a no if its type is
 * unknown or its words say no.
 */
export function attestedEffect(given: Answer, type: QuestionType | null): AnswerEffect {
  if (given.effect !== undefined) return given.effect;
  return type === null || saysNo(given) ? 'do_not' : impliedEffect({ type }, given);
}
