/**
 * The index of an open store. An act is acknowledged without waiting for it: lines are kept until rows are read, and
 * those of many lines take one transaction.
 */
import type { Admitted, State } from '../../core/state/state.ts';
import { quietly } from '../journal/problem.ts';
import { noteEvents } from './events.ts';
import { changedItems } from './items.ts';
import { project } from './project.ts';
import { afterReplay, beforeReplay } from './schema.ts';
import type { Database, Rows } from './sqlite.ts';

export interface Index {
  /** Writes what is kept, first. */
  readonly rows: Rows;
  /** Keeps the changes of a line that counts. @param state the fold's, which changes with later lines */
  follow(state: State, admitted: readonly Admitted[]): void;
  complete(): void;
  export(): Uint8Array;
  close(): void;
}

/** Lines that are written together. A replay takes less time with more of them; a program in use waits while they are. */
const many = { replay: 256, use: 64 };

/** @param isNew whether the database is empty */
export function openIndex(db: Database, isNew: boolean): Index {
  let kept: (readonly Admitted[])[] = [];
  let current: State | null = null;
  let hasWords = !isNew;
  if (isNew) for (const statement of beforeReplay) db.run(statement);

  function settle(): void {
    const state = current;
    if (kept.length === 0 || !state) return;
    const items = changedItems(db, hasWords);
    try {
      db.run('BEGIN');
      for (const admitted of kept) project(db, items, state, admitted);
      const events = items.save(state);
      db.run('COMMIT');
      kept = [];
      noteEvents(rows, events);
    } catch (error) {
      db.rollback();
      throw error;
    }
  }

  function complete(): void {
    settle();
    if (!hasWords) for (const statement of afterReplay) db.run(statement);
    hasWords = true;
  }

  const rows: Rows = {
    all(sql, ...parameters) {
      complete();
      return db.rows.all(sql, ...parameters);
    },
  };
  return {
    rows,
    follow(state, admitted) {
      current = state;
      kept.push(admitted);
      // The line counts, whatever becomes of its rows: who reads them next is told.
      if (kept.length >= many[hasWords ? 'use' : 'replay']) quietly(settle);
    },
    complete,
    export() {
      complete();
      return db.export();
    },
    close() {
      db.close();
    },
  };
}

function none(): never {
  throw new Error('this store was opened without rows');
}

/** The index of a store that has none: for acts which only read the state. The next program projects their lines. */
export const withoutRows: Index = {
  rows: { all: none },
  follow: () => undefined,
  complete: () => undefined,
  export: none,
  close: () => undefined,
};
