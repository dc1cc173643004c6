/**
 * Questions stored twice: as columns, from which programs that go on load all of them quickly, and as lines, from which a
 * gate loads the few that matter to its answer. What they hold is a number (`holds.ts`), and so are their facts and times,
 * because parsing thousands of objects and strings would be slow.
 */
import { createHash } from 'node:crypto';
import type { QuestionRaised } from '../../core/records/records.ts';
import { factsOf } from '../../core/state/facts.ts';
import type { QuestionFacts } from '../../core/state/facts.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Question, QuestionBrief, State } from '../../core/state/state.ts';
import type { QuestionStatus } from '../../core/kit/words.ts';
import { piecesIn } from './parts.ts';
import type { MarkedPiece, PartMark } from './parts.ts';

/** Fields that undecided questions rarely have. */
type Rest = readonly [
  resolution: Question['resolution'],
  revoked: Question['revoked'],
  lifted: Question['lifted'],
  askBacks: Question['askBacks'],
  parked: Question['parked'],
  refusedHolds: Question['refusedHolds'],
];

/** Times are milliseconds since the epoch; the original text where that would not reproduce it. */
type Packed = readonly [
  hold: number,
  expiresAt: number | string,
  raisedAt: number | string,
  status: QuestionStatus,
  rest: Rest | 0,
];

/** Index n of each column belongs to question n + 1: question numbers have no gaps. */
export interface PackedQuestions {
  readonly hold: readonly number[];
  readonly expiresAt: readonly (number | string)[];
  readonly raisedAt: readonly (number | string)[];
  readonly status: readonly QuestionStatus[];
  readonly rest: readonly (Rest | 0)[];
  /** Which of `distinct` each has. */
  readonly facts: readonly number[];
  readonly distinct: readonly QuestionFacts[];
}

const noRest: Rest = [null, null, null, [], null, []];

type Line = readonly [raised: QuestionRaised, ...packed: Packed];

/** So many lines are read and checked together. */
const linesInGroup = 16;

function pack(question: Question, hold: number): Packed {
  const { expiresAt, raisedAt, status, resolution, revoked, lifted, askBacks, parked, refusedHolds } = question;
  const rest: Rest = [resolution, revoked, lifted, askBacks, parked, refusedHolds];
  const isPlain = askBacks.length === 0 && [resolution, revoked, lifted, parked].every((part) => part === null);
  return [hold, packTime(expiresAt), packTime(raisedAt), status, isPlain ? 0 : rest];
}

/**
 * The lines, and what follows from them: call the others afterwards.
 * @param holdOf the number of what a question holds
 */
export function packQuestions(questions: State['questions'], holdOf: (question: Question, place: number) => number) {
  const columns = { hold: [], expiresAt: [], raisedAt: [], status: [], rest: [], facts: [] } as Record<
    Exclude<keyof PackedQuestions, 'distinct'>,
    unknown[]
  >;
  const distinct = new Map<string, number>();
  const marks: PartMark[] = [];
  const undecided: number[] = [];
  let firstExpiry: string | null = null;

  /** @throws Error when a number is missing: then nothing is saved */
  function* lines(): Generator<string> {
    let group: string[] = [];
    let place = 0;
    for (const question of questions.values()) {
      const { id, raised } = question;
      if (id !== `Q-${String(place + 1)}`) throw new Error(`${id} stands in the place of Q-${String(place + 1)}`);
      const packed = pack(question, holdOf(question, place));
      if (isWaiting(question)) undecided.push(place + 1);
      if (question.status === 'pending' && (firstExpiry === null || question.expiresAt < firstExpiry))
        firstExpiry = question.expiresAt;
      const cells = [...packed, numberOf(question.facts)];
      for (const [at, column] of Object.values(columns).entries()) column.push(cells[at]);
      const line: Line = [raised, ...packed];
      group.push(JSON.stringify(line));
      place += 1;
      if (group.length < linesInGroup && place < questions.size) continue;
      const text = group.join('\n');
      marks.push([Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]);
      yield marks.length === 1 ? text : `\n${text}`;
      group = [];
    }
  }

  function numberOf(facts: QuestionFacts): number {
    const text = JSON.stringify(facts);
    const number = distinct.get(text) ?? distinct.size;
    distinct.set(text, number);
    return number;
  }

  return {
    lines,
    /** When the first of them that are pending expires; null without any. Call it after `lines`. */
    firstExpiry: () => firstExpiry,
    /** The numbers of those that are waiting. */
    undecided: () => JSON.stringify(undecided),
    /** Of the groups of lines. */
    marks: () => JSON.stringify(marks.flat()),
    /** In pieces, so that thousands of questions do not block as one step. */
    *columns(): Generator<string> {
      let before = '{';
      for (const [name, cells] of Object.entries(columns)) {
        yield `${before}${JSON.stringify(name)}:[`;
        for (let at = 0; at < cells.length; at += portion)
          yield (at === 0 ? '' : ',') + JSON.stringify(cells.slice(at, at + portion)).slice(1, -1);
        yield ']';
        before = ',';
      }
      yield `,"distinct":[${[...distinct.keys()].join()}]}`;
    },
  };
}

const portion = 500;

function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isFinite(ms) && new Date(ms).toISOString() === time ? ms : time;
}

function unpackTime(time: number | string): string {
  return typeof time === 'string' ? time : isoTime(time);
}

const dayMs = 24 * 60 * 60_000;
/** `2026-11-26T`, by the number of the day. */
const dates = new Map<number, string>();

/** As `toISOString`, which takes several times as long for thousands of times on few days. */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  let date = dates.get(day);
  if (date === undefined) {
    [date = ''] = new Date(day * dayMs).toISOString().split(/(?<=T)/);
    dates.set(day, date);
  }
  const inDay = ms - day * dayMs;
  const seconds = Math.floor(inDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const two = (number: number) => (number < 10 ? `0${String(number)}` : String(number));
  const three = String(inDay % 1_000).padStart(3, '0');
  return `${date}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three}Z`;
}

interface Parts {
  /** How many questions there are. */
  readonly count: number;
  columns(): string;
  marks(): string;
  /** Bytes of the lines. @throws SavedStateGone unless they have this hash */
  lines(from: number, mark: PartMark): Buffer;
  briefOf(hold: number): QuestionBrief;
}

/** Beyond so many single questions, the columns are read: they are quicker for many. */
const singlyAtMost = 200;

/** Each question is one object for all callers. */
export function unpackQuestions({ count, briefOf, ...parts }: Parts) {
  let columns: PackedQuestions | null = null;
  let pieces: readonly MarkedPiece[] | null = null;
  /** As bytes: mostly, few of a group's lines are needed. */
  const groups = new Map<number, Buffer>();
  const lines = new Map<number, Line>();
  const made = new Map<number, Question>();

  function groupAt(group: number): Buffer {
    const before = groups.get(group);
    if (before) return before;
    // A line feed between two.
    pieces ??= piecesIn(JSON.parse(parts.marks()) as (number | string)[], 1);
    const { from, mark } = known(pieces[group]);
    const bytes = parts.lines(from, mark);
    groups.set(group, bytes);
    return bytes;
  }

  function lineAt(place: number): Line {
    const before = lines.get(place);
    if (before) return before;
    const line = JSON.parse(lineIn(groupAt(Math.floor(place / linesInGroup)), place % linesInGroup)) as Line;
    lines.set(place, line);
    return line;
  }

  const areFew = () => !columns && lines.size < singlyAtMost && made.size < singlyAtMost;

  /** The columns, unless few questions are needed. */
  function columnsNow(): PackedQuestions | null {
    if (areFew()) return null;
    columns ??= JSON.parse(parts.columns()) as PackedQuestions;
    return columns;
  }

  function packedAt(place: number): Packed {
    const read = columnsNow();
    if (!read) {
      const [, ...packed] = lineAt(place);
      return packed;
    }
    const { hold, expiresAt, raisedAt, status, rest } = read;
    return [
      known(hold[place]),
      known(expiresAt[place]),
      known(raisedAt[place]),
      known(status[place]),
      known(rest[place]),
    ];
  }

  function factsAt(place: number): QuestionFacts {
    const read = columnsNow();
    return read ? known(read.distinct[known(read.facts[place])]) : factsOf(lineAt(place)[0]);
  }

  const later = <N extends keyof Question>(valueAt: (place: number) => Question[N]) => ({
    get(this: Question) {
      return valueAt(placeOf(this.id));
    },
    enumerable: true,
    configurable: true,
  });
  const restAt = (place: number): Rest => packedAt(place)[4] || noRest;
  // One getter of each kind for all: with one each, V8 makes each question a dictionary, which takes ten times the time and
  // eight times the memory.
  const readLater = {
    raised: later<'raised'>((place) => lineAt(place)[0]),
    facts: later<'facts'>(factsAt),
    expiresAt: later<'expiresAt'>((place) => unpackTime(packedAt(place)[1])),
    raisedAt: later<'raisedAt'>((place) => unpackTime(packedAt(place)[2])),
    status: later<'status'>((place) => packedAt(place)[3]),
    revoked: later<'revoked'>((place) => restAt(place)[1]),
    askBacks: later<'askBacks'>((place) => restAt(place)[3]),
    parked: later<'parked'>((place) => restAt(place)[4]),
    refusedHolds: later<'refusedHolds'>((place) => restAt(place)[5]),
  };

  function withRaised(question: Omit<Question, 'raised'>): Question {
    return Object.defineProperty(question, 'raised', readLater.raised) as Question;
  }

  /** Of a question whose hold is known, the rest is read when it is asked for: a gate names a few of hundreds. */
  function makeHeld(place: number, brief: QuestionBrief): Question {
    if (made.has(place) || !areFew()) return make(place);
    const question = Object.defineProperties({ id: `Q-${String(place + 1)}`, ...brief }, readLater);
    made.set(place, question as Question);
    return question as Question;
  }

  function make(place: number): Question {
    const before = made.get(place);
    if (before) return before;
    const [hold, expiresAt, raisedAt, status, rest] = packedAt(place);
    const [resolution, revoked, lifted, askBacks, parked, refusedHolds] = rest || noRest;
    const { work, alsoWork, holds, asker, mode, urgency, addedHolds, widened } = briefOf(hold);
    const question = withRaised({
      facts: factsAt(place),
      id: `Q-${String(place + 1)}`,
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
      expiresAt: unpackTime(expiresAt),
      raisedAt: unpackTime(raisedAt),
      status,
      revoked,
      askBacks,
      parked,
      refusedHolds,
    });
    made.set(place, question);
    return question;
  }

  function briefAt(place: number): QuestionBrief {
    const [hold, , , , rest] = packedAt(place);
    const brief = briefOf(hold);
    const isDecided = rest !== 0 && (rest[0] !== null || rest[2] !== null);
    return isDecided ? { ...brief, resolution: rest[0], lifted: rest[2] } : brief;
  }

  const placeOf = (id: string) => (/^Q-[1-9]\d*$/.test(id) ? Number(id.slice(2)) - 1 : NaN);
  const isPlace = (place: number) => place >= 0 && place < count;
  return {
    brief(id: string): QuestionBrief | null {
      const place = placeOf(id);
      return isPlace(place) ? briefAt(place) : null;
    },
    held: (id: string, brief: QuestionBrief) => makeHeld(placeOf(id), brief),
    size: () => count,
    has: (id: string) => isPlace(placeOf(id)),
    get(id: string): Question | undefined {
      const place = placeOf(id);
      return isPlace(place) ? make(place) : undefined;
    },
    *entries(): Generator<[string, Question]> {
      columns ??= JSON.parse(parts.columns()) as PackedQuestions;
      for (let place = 0; place < count; place++) {
        const question = make(place);
        yield [question.id, question];
      }
    },
  };
}

const lineFeed = 0x0a;

/** @param number from 0 */
function lineIn(bytes: Buffer, number: number): string {
  let from = 0;
  for (let line = 0; line < number; line++) {
    const end = bytes.indexOf(lineFeed, from);
    from = end < 0 ? bytes.length : end + 1;
  }
  const to = bytes.indexOf(lineFeed, from);
  return bytes.toString('utf8', from, to < 0 ? undefined : to);
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
