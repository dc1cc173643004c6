/**
 * Questions stored twice: as columns, from which programs that go on load all of them quickly, and as lines, from which a
 * gate loads the few that matter to its answer. What they hold is a number (`holds.ts`), and times are numbers too,
 * because parsing thousands of strings would be slow.
 */
import { createHash } from 'node:crypto';
import type { QuestionRaised } from '../../core/records/records.ts';
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
  cost: Question['cost'],
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
}

type Line = readonly [raised: QuestionRaised, ...packed: Packed];

/** So many lines are read and checked together. */
const linesInGroup = 16;

function pack(question: Question, hold: number): Packed {
  const { expiresAt, raisedAt, status, resolution, revoked, lifted, askBacks, parked, cost } = question;
  const rest: Rest = [resolution, revoked, lifted, askBacks, parked, cost];
  const isPlain = askBacks.length === 0 && [resolution, revoked, lifted, parked, cost].every((part) => part === null);
  return [hold, packTime(expiresAt), packTime(raisedAt), status, isPlain ? 0 : rest];
}

/**
 * The lines, and what follows from them: call the others afterwards.
 * @param holdOf the number of what a question holds
 */
export function packQuestions(questions: State['questions'], holdOf: (question: Question, place: number) => number) {
  const columns = { hold: [], expiresAt: [], raisedAt: [], status: [], rest: [] } as Record<
    keyof PackedQuestions,
    unknown[]
  >;
  const marks: PartMark[] = [];
  let firstExpiry: string | null = null;

  /** @throws Error when a number is missing: then nothing is saved */
  function* lines(): Generator<string> {
    let group: string[] = [];
    let place = 0;
    for (const question of questions.values()) {
      const { id, raised } = question;
      if (id !== `Q-${String(place + 1)}`) throw new Error(`${id} stands in the place of Q-${String(place + 1)}`);
      const packed = pack(question, holdOf(question, place));
      if (question.status === 'pending' && (firstExpiry === null || question.expiresAt < firstExpiry))
        firstExpiry = question.expiresAt;
      for (const [column, cell] of Object.values(columns).map((all, at) => [all, packed[at]] as const))
        column.push(cell);
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

  return {
    lines,
    /** When the first of them that are pending expires; null without any. Call it after `lines`. */
    firstExpiry: () => firstExpiry,
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
      yield '}';
    },
  };
}

const portion = 500;

function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isFinite(ms) && new Date(ms).toISOString() === time ? ms : time;
}

function unpackTime(time: number | string): string {
  return typeof time === 'string' ? time : new Date(time).toISOString();
}

interface Parts {
  /** How many questions there are. */
  readonly count: number;
  columns(): string;
  marks(): string;
  /** Bytes of the lines. @throws SavedStateGone unless they have this hash */
  lines(from: number, mark: PartMark): string;
  briefOf(hold: number): QuestionBrief;
}

/** Beyond so many single questions, the columns are read: they are quicker for many. */
const singlyAtMost = 200;

/** Each question is one object for all callers. */
export function unpackQuestions({ count, briefOf, ...parts }: Parts) {
  let columns: PackedQuestions | null = null;
  let pieces: readonly MarkedPiece[] | null = null;
  const groups = new Map<number, readonly string[]>();
  const lines = new Map<number, Line>();
  const made = new Map<number, Question>();

  function groupAt(group: number): readonly string[] {
    const before = groups.get(group);
    if (before) return before;
    // A line feed between two.
    pieces ??= piecesIn(JSON.parse(parts.marks()) as (number | string)[], 1);
    const { from, mark } = known(pieces[group]);
    const text = parts.lines(from, mark).split('\n');
    groups.set(group, text);
    return text;
  }

  function lineAt(place: number): Line {
    const before = lines.get(place);
    if (before) return before;
    const line = JSON.parse(known(groupAt(Math.floor(place / linesInGroup))[place % linesInGroup])) as Line;
    lines.set(place, line);
    return line;
  }

  function packedAt(place: number): Packed {
    if (!columns && lines.size < singlyAtMost) {
      const [, ...packed] = lineAt(place);
      return packed;
    }
    columns ??= JSON.parse(parts.columns()) as PackedQuestions;
    const { hold, expiresAt, raisedAt, status, rest } = columns;
    return [
      known(hold[place]),
      known(expiresAt[place]),
      known(raisedAt[place]),
      known(status[place]),
      known(rest[place]),
    ];
  }

  function make(place: number): Question {
    const before = made.get(place);
    if (before) return before;
    const [hold, expiresAt, raisedAt, status, rest] = packedAt(place);
    const { work, alsoWork, holds, asker, mode, urgency, addedHolds, widened } = briefOf(hold);
    const question: Question = {
      // A getter in the literal: adding it to a finished object costs as much as everything else together.
      get raised() {
        return lineAt(place)[0];
      },
      id: `Q-${String(place + 1)}`,
      work,
      alsoWork,
      holds,
      asker,
      mode,
      urgency,
      addedHolds,
      widened,
      resolution: rest === 0 ? null : rest[0],
      lifted: rest === 0 ? null : rest[2],
      expiresAt: unpackTime(expiresAt),
      raisedAt: unpackTime(raisedAt),
      status,
      revoked: rest === 0 ? null : rest[1],
      askBacks: rest === 0 ? [] : rest[3],
      parked: rest === 0 ? null : rest[4],
      cost: rest === 0 ? null : rest[5],
    };
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

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
