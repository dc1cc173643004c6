/** One writing program: `writer.ts <way> <file or folder> <home>`. Opens its store once, then writes on request. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { expiryOf, nextQuestionId } from '../src/core/question/question.ts';
import { openNative } from './native.ts';
import { insertSql, nextNumberSql, rowOf, templateSql, type Row } from './row.ts';
import { asker, openPlace, questionOf } from './seed.ts';
import { sharedNow } from './stats.ts';

export type Way = 'holdpoint' | 'flush' | 'native';

/** Write until there are `count` commits or the time is `until`, but at least once. Times of the shared clock. */
export interface Order {
  readonly from: number;
  readonly until: number;
  readonly count: number;
}

export interface Written {
  readonly began: number;
  readonly ended: number;
  /** Duration of each commit until acknowledged. Milliseconds. */
  readonly took: readonly number[];
  /** Why clients gave up, if any did. */
  readonly failed?: readonly string[];
}

interface Writer {
  /** Reads others' changes, like a program that follows its store. */
  catchUp(): void;
  /** May return a promise; the commit is done when it resolves. */
  commit(mark: string): unknown;
}

async function openHoldpoint(folder: string, home: string): Promise<Writer> {
  const store = await openPlace({ folder, home }).store();
  return {
    catchUp: () => void store.read(),
    commit: (mark) =>
      store.transact(asker, ({ state, now }) => {
        const id = nextQuestionId(state);
        return { records: [questionOf(Number(id.slice(2)), mark, expiryOf(state, 'high', now))], result: id };
      }),
  };
}

function openSqlite(file: string): Writer {
  const db = openNative(file);
  const template = db.prepare(templateSql).get() as Row;
  const [begin, commit, next, insert] = ['BEGIN IMMEDIATE', 'COMMIT', nextNumberSql, insertSql(template)].map((sql) =>
    db.prepare(sql),
  );
  return {
    catchUp: () => undefined,
    commit(mark) {
      begin?.run();
      const { number } = next?.get() as { number: number };
      insert?.run(...rowOf(template, number, mark));
      commit?.run();
    },
  };
}

/** The lower limit for any store: one write and one flush of as many bytes as a question's line. */
function openFlushing(file: string): Writer {
  const descriptor = fs.openSync(file, 'a');
  const bytes = Buffer.alloc(1_200, 'x');
  return {
    catchUp: () => undefined,
    commit() {
      fs.writeSync(descriptor, bytes);
      fs.fdatasyncSync(descriptor);
    },
  };
}

async function write(writer: Writer, { from, until, count }: Order): Promise<Written> {
  writer.catchUp();
  while (sharedNow() < from) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.2);
  const began = sharedNow();
  const took: number[] = [];
  let now = began;
  do {
    await writer.commit(randomUUID());
    const after = sharedNow();
    took.push(after - now);
    now = after;
  } while (took.length < count && now < until);
  return { began, ended: now, took };
}

function open(way: Way, file: string, home: string): Writer | Promise<Writer> {
  switch (way) {
    case 'holdpoint':
      return openHoldpoint(file, home);
    case 'flush':
      return openFlushing(file);
    case 'native':
      return openSqlite(file);
  }
}

/** On one line: an exception inside a bundle would print the whole bundle. */
function giveUp(error: unknown): never {
  console.error(`${way}: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

const [, , way = 'holdpoint', file = '', home = ''] = process.argv;
process.on('uncaughtException', giveUp);
const writer = await Promise.resolve()
  .then(() => open(way as Way, file, home))
  .catch(giveUp);
process.on('message', (order: Order) => {
  void write(writer, order).then((written) => process.send?.(written));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
