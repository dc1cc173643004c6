/**
 * Questions as short lists: a gate reads all of them, thousands perhaps, before it has an answer. Ids are numbers, words
 * their places, and who asked, which few agents do, is written once.
 */
import type { Actor, QuestionRaised } from '../core/records.ts';
import type { Question, State } from '../core/state.ts';
import { questionMode, questionStatus, urgency } from '../core/words.ts';

/** Place of the asker, work, holds, end, time, places of mode, urgency and status; then, unless all are empty, the rest. */
export type PackedQuestion = readonly [
  number,
  number,
  Question['work'],
  Question['holds'],
  string,
  string,
  number,
  number,
  number,
  (readonly [Question['addedHolds'], Question['resolution'], Question['revoked']])?,
];

export interface PackedQuestions {
  readonly askers: readonly Actor[];
  readonly list: readonly PackedQuestion[];
}

/** In pieces: first the list, one by one, then all askers. */
export function* packQuestions(questions: State['questions']): Generator<string> {
  const places = new Map<string, number>();
  let before = '{"list":[';
  for (const question of questions.values()) {
    const asker = JSON.stringify(question.asker);
    const place = places.get(asker) ?? places.size;
    places.set(asker, place);
    yield before + JSON.stringify(packed(question, place));
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"askers":[${[...places.keys()].join(',')}]}`;
}

function packed(question: Question, asker: number): PackedQuestion {
  const { addedHolds, resolution, revoked } = question;
  const rest = [addedHolds, resolution, revoked] as const;
  const isPlain = addedHolds.length === 0 && resolution === null && revoked === null;
  return [
    Number(question.id.slice(2)),
    asker,
    question.work,
    question.holds,
    question.expiresAt,
    question.raisedAt,
    questionMode.options.indexOf(question.mode),
    urgency.options.indexOf(question.urgency),
    questionStatus.options.indexOf(question.status),
    ...(isPlain ? ([] as const) : ([rest] as const)),
  ];
}

/** @param textOf what was asked, by id and place; called when it is wanted */
export function unpackQuestions(
  { askers, list }: PackedQuestions,
  textOf: (id: string, place: number) => QuestionRaised,
): State['questions'] {
  const questions: State['questions'] = new Map();
  for (const [place, packed] of list.entries()) {
    const question = unpacked(packed, place, askers, textOf);
    questions.set(question.id, question);
  }
  return questions;
}

function unpacked(
  [number, asker, work, holds, expiresAt, raisedAt, mode, urgent, status, rest]: PackedQuestion,
  place: number,
  askers: readonly Actor[],
  textOf: (id: string, place: number) => QuestionRaised,
): Question {
  const id = `Q-${String(number)}`;
  return {
    // One that stands in the literal: to add it to a finished object costs as much as all the rest.
    get raised() {
      return textOf(id, place);
    },
    id,
    work,
    holds,
    expiresAt,
    asker: known(askers[asker]),
    raisedAt,
    mode: known(questionMode.options[mode]),
    urgency: known(urgency.options[urgent]),
    status: known(questionStatus.options[status]),
    addedHolds: rest?.[0] ?? [],
    resolution: rest?.[1] ?? null,
    revoked: rest?.[2] ?? null,
  };
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
