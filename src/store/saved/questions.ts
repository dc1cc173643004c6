/**
 * Questions stored as columns. A gate scans all holders, perhaps thousands, and needs few; so what many questions have in
 * common is stored once, as a hold, and the gate looks at each hold once. Authors, work and times are numbers, because
 * parsing thousands of strings would be slow.
 */
import type { Actor, QuestionRaised } from '../../core/records/records.ts';
import type { Question, QuestionBrief, State, UnreadQuestions } from '../../core/state/state.ts';
import type { QuestionStatus } from '../../core/kit/words.ts';

/** What a question holds, and for whom: the same for many questions. Author and work are places; -1: no work item. */
type Hold = readonly [
  asker: number,
  work: number,
  holds: Question['holds'],
  mode: Question['mode'],
  urgency: Question['urgency'],
  alsoWork: Question['alsoWork'],
  addedHolds: Question['addedHolds'],
  widened: Question['widened'],
];

/** Fields that undecided questions rarely have. */
type Rest = readonly [
  resolution: Question['resolution'],
  revoked: Question['revoked'],
  lifted: Question['lifted'],
  askBacks: Question['askBacks'],
  parked: Question['parked'],
  cost: Question['cost'],
];

/** Index n of each column belongs to question n + 1: question numbers have no gaps. */
export interface PackedQuestions {
  readonly askers: readonly Actor[];
  readonly works: readonly string[];
  readonly holds: readonly Hold[];
  /** Index in `holds`. */
  readonly hold: readonly number[];
  /** Milliseconds since the epoch; the original text where that would not reproduce it. */
  readonly expiresAt: readonly (number | string)[];
  readonly raisedAt: readonly (number | string)[];
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
  const holds = places();
  yield '{"hold":';
  yield* column(questions, ({ id, asker, work, mode, urgency, ...question }, place) => {
    if (id !== `Q-${String(place + 1)}`) throw new Error(`${id} stands in the place of Q-${String(place + 1)}`);
    const named = work === null ? -1 : works.of(work);
    const { alsoWork, addedHolds, widened } = question;
    const hold: Hold = [
      ...([askers.of(JSON.stringify(asker)), named, question.holds, mode, urgency] as const),
      ...([alsoWork, addedHolds, widened] as const),
    ];
    return holds.of(JSON.stringify(hold));
  });
  yield ',"expiresAt":';
  yield* column(questions, ({ expiresAt }) => packTime(expiresAt));
  yield ',"raisedAt":';
  yield* column(questions, ({ raisedAt }) => packTime(raisedAt));
  yield ',"status":';
  yield* column(questions, (question) => question.status);
  yield ',"rest":';
  yield* column(questions, ({ resolution, revoked, lifted, askBacks, parked, cost }) => {
    const rest: Rest = [resolution, revoked, lifted, askBacks, parked, cost];
    return askBacks.length === 0 && [resolution, revoked, lifted, parked, cost].every((part) => part === null)
      ? 0
      : rest;
  });
  yield `,"holds":[${holds.all().join(',')}],"askers":[${askers.all().join(',')}],"works":${JSON.stringify(works.all())}}`;
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
  const count = packed.hold.length;
  /** Caches: each hold and each question is one object for all callers. */
  const briefs = new Map<number, QuestionBrief>();
  const made = new Map<number, Question>();

  function unpackHold([asker, work, files, mode, urgency, alsoWork, addedHolds, widened]: Hold): QuestionBrief {
    return {
      asker: known(askers[asker]),
      work: work < 0 ? null : known(works[work]),
      holds: files,
      ...{ mode, urgency, alsoWork, addedHolds, widened },
      resolution: null,
      lifted: null,
    };
  }

  function briefOf(hold: number): QuestionBrief {
    let brief = briefs.get(hold);
    if (!brief) briefs.set(hold, (brief = unpackHold(known(packed.holds[hold]))));
    return brief;
  }

  function briefAt(place: number): QuestionBrief {
    const brief = briefOf(known(packed.hold[place]));
    const rest = known(packed.rest[place]);
    return rest === 0 ? brief : { ...brief, resolution: rest[0], lifted: rest[2] };
  }

  function make(place: number): Question {
    const before = made.get(place);
    if (before) return before;
    const id = `Q-${String(place + 1)}`;
    const { work, alsoWork, holds, asker, mode, urgency, addedHolds, widened, resolution, lifted } = briefAt(place);
    const rest = known(packed.rest[place]);
    const question: Question = {
      // A getter in the literal: adding it to a finished object costs as much as everything else together.
      get raised() {
        return textOf(id, place);
      },
      id,
      work,
      alsoWork,
      holds,
      asker,
      mode,
      urgency,
      addedHolds,
      widened,
      resolution,
      lifted,
      expiresAt: unpackTime(known(packed.expiresAt[place])),
      raisedAt: unpackTime(known(packed.raisedAt[place])),
      status: known(packed.status[place]),
      revoked: rest === 0 ? null : rest[1],
      askBacks: rest === 0 ? [] : rest[3],
      parked: rest === 0 ? null : rest[4],
      cost: rest === 0 ? null : rest[5],
    };
    made.set(place, question);
    return question;
  }

  const placeOf = (id: string) => (id.startsWith('Q-') ? Number(id.slice(2)) - 1 : NaN);
  return {
    brief(id) {
      const place = placeOf(id);
      return place >= 0 && place < count ? briefAt(place) : null;
    },
    someBrief: (wanted) =>
      packed.holds.some((_, hold) => wanted(briefOf(hold))) ||
      packed.rest.some((rest, place) => rest !== 0 && wanted(briefAt(place))),
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
