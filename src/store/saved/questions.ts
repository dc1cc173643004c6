/**
 * Questions stored as columns. A gate scans all of them, perhaps thousands, and needs few; so it scans the columns and
 * creates only the questions it needs. Authors, work and times are numbers, because parsing thousands of strings would
 * be slow.
 */
import type { Actor, QuestionRaised } from '../../core/records/records.ts';
import type { Question, QuestionBrief, State, UnreadQuestions } from '../../core/state/state.ts';
import type { QuestionMode, QuestionStatus, Urgency } from '../../core/kit/words.ts';

/** Fields that few questions have. */
type Rest = readonly [
  Question['addedHolds'],
  Question['resolution'],
  Question['revoked'],
  Question['widened'],
  Question['lifted'],
  Question['alsoWork'],
  Question['askBacks'],
];

/** Index n of each column belongs to question n + 1: question numbers have no gaps. */
export interface PackedQuestions {
  readonly askers: readonly Actor[];
  readonly works: readonly string[];
  readonly asker: readonly number[];
  /** -1: no work item. */
  readonly work: readonly number[];
  /** 0: none. */
  readonly holds: readonly (Question['holds'] | 0)[];
  /** Milliseconds since the epoch; the original text where that would not reproduce it. */
  readonly expiresAt: readonly (number | string)[];
  readonly raisedAt: readonly (number | string)[];
  readonly mode: readonly QuestionMode[];
  readonly urgency: readonly Urgency[];
  readonly status: readonly QuestionStatus[];
  readonly rest: readonly (Rest | 0)[];
}

/**
 * In pieces, so that thousands of questions do not block as one step.
 * @throws Error when a number is missing: then nothing is saved
 */
export function* packQuestions(questions: State['questions']): Generator<string> {
  const askers = places();
  const works = places();
  yield '{"asker":';
  yield* column(questions, ({ id, asker }, place) => {
    if (id !== `Q-${String(place + 1)}`) throw new Error(`${id} stands in the place of Q-${String(place + 1)}`);
    return askers.of(JSON.stringify(asker));
  });
  yield ',"work":';
  yield* column(questions, ({ work }) => (work === null ? -1 : works.of(work)));
  yield ',"holds":';
  yield* column(questions, ({ holds }) => (holds.length === 0 ? 0 : holds));
  yield ',"expiresAt":';
  yield* column(questions, ({ expiresAt }) => packTime(expiresAt));
  yield ',"raisedAt":';
  yield* column(questions, ({ raisedAt }) => packTime(raisedAt));
  yield ',"mode":';
  yield* column(questions, (question) => question.mode);
  yield ',"urgency":';
  yield* column(questions, (question) => question.urgency);
  yield ',"status":';
  yield* column(questions, (question) => question.status);
  yield ',"rest":';
  yield* column(questions, ({ addedHolds, resolution, revoked, widened, lifted, alsoWork, askBacks }) => {
    const lists = [addedHolds, alsoWork, askBacks];
    return lists.every(({ length }) => length === 0) && resolution === null && revoked === null && widened === null
      ? 0
      : [addedHolds, resolution, revoked, widened, lifted, alsoWork, askBacks];
  });
  yield `,"askers":[${askers.all().join(',')}],"works":${JSON.stringify(works.all())}}`;
}

const portion = 500;

function* column(
  questions: State['questions'],
  cell: (question: Question, place: number) => unknown,
): Generator<string> {
  let cells: unknown[] = [];
  let place = 0;
  let before = '[';
  for (const question of questions.values()) {
    cells.push(cell(question, place++));
    if (cells.length < portion) continue;
    yield before + JSON.stringify(cells).slice(1, -1);
    before = ',';
    cells = [];
  }
  if (cells.length > 0) yield before + JSON.stringify(cells).slice(1, -1);
  yield place === 0 ? '[]' : ']';
}

function places() {
  const known = new Map<string, number>();
  return {
    of(text: string): number {
      const place = known.get(text) ?? known.size;
      known.set(text, place);
      return place;
    },
    all: () => [...known.keys()],
  };
}

function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isFinite(ms) && new Date(ms).toISOString() === time ? ms : time;
}

function unpackTime(time: number | string): string {
  return typeof time === 'string' ? time : new Date(time).toISOString();
}

/** The questions of a saved state: scanned by column or read as a whole. */
export interface SavedQuestions extends UnreadQuestions {
  all(): State['questions'];
}

/** @param textOf text of a question by id and index; called on demand */
export function unpackQuestions(
  packed: PackedQuestions,
  textOf: (id: string, place: number) => QuestionRaised,
): SavedQuestions {
  const { askers, works } = packed;
  const count = packed.asker.length;
  const none: readonly never[] = [];
  /** Cache: each question is one object for all callers. */
  const made = new Map<number, Question>();
  /** Index that `seen` reads. */
  let at = 0;

  const rest = () => {
    const some = known(packed.rest[at]);
    return some === 0 ? null : some;
  };
  const seen: QuestionBrief = {
    get work() {
      const place = known(packed.work[at]);
      return place < 0 ? null : known(works[place]);
    },
    get holds() {
      return known(packed.holds[at]) || none;
    },
    get asker() {
      return known(askers[known(packed.asker[at])]);
    },
    get mode() {
      return known(packed.mode[at]);
    },
    get urgency() {
      return known(packed.urgency[at]);
    },
    get addedHolds() {
      return rest()?.[0] ?? none;
    },
    get widened() {
      return rest()?.[3] ?? null;
    },
    get resolution() {
      return rest()?.[1] ?? null;
    },
    get lifted() {
      return rest()?.[4] ?? null;
    },
    get alsoWork() {
      return rest()?.[5] ?? none;
    },
  };

  function make(place: number): Question {
    const before = made.get(place);
    if (before) return before;
    at = place;
    const id = `Q-${String(place + 1)}`;
    const question: Question = {
      // A getter in the literal: adding it to a finished object costs as much as everything else together.
      get raised() {
        return textOf(id, place);
      },
      id,
      work: seen.work,
      alsoWork: seen.alsoWork,
      holds: seen.holds,
      asker: seen.asker,
      mode: seen.mode,
      urgency: seen.urgency,
      addedHolds: seen.addedHolds,
      widened: seen.widened,
      resolution: seen.resolution,
      expiresAt: unpackTime(known(packed.expiresAt[place])),
      raisedAt: unpackTime(known(packed.raisedAt[place])),
      status: known(packed.status[place]),
      revoked: rest()?.[2] ?? null,
      lifted: seen.lifted,
      askBacks: rest()?.[6] ?? none,
    };
    made.set(place, question);
    return question;
  }

  const placeOf = (id: string) => (id.startsWith('Q-') ? Number(id.slice(2)) - 1 : NaN);
  return {
    brief(id) {
      const place = placeOf(id);
      if (!(place >= 0 && place < count)) return null;
      at = place;
      return seen;
    },
    question: (id) => make(placeOf(id)),
    all() {
      const questions: State['questions'] = new Map();
      for (let place = 0; place < count; place++) {
        const question = make(place);
        questions.set(question.id, question);
      }
      return questions;
    },
  };
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
