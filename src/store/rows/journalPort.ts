/** What a journal needs of an open store, and what a store needs of its journal. */
import type { Folded } from '../../core/fold/fold.ts';
import type { Actor, CountedLine, JournalRecord, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Index } from './index.ts';
import type { Rows } from './sqlite.ts';

/** What a use case may read. `state` must not be changed. */
export interface View {
  readonly state: State;
  readonly rows: Rows;
  readonly now: string;
  /** The person whose agents run on this machine, in a journal that a team shares. */
  readonly own: string | null;
}

export interface Act<T> {
  readonly records: readonly RecordInput[];
  readonly result: T;
}

/** Where acts are put in order. A machine reads them from its files, wherever the order is decided. */
export interface Journal {
  /**
   * Commits one act, or nothing when `decide` returns no records; returns or resolves once it is durable.
   * @param op id of the act, if it has one already: a shared journal keeps an act once. Default: a fresh one
   * @throws StoreError when the act is not committed (or, for `unknown-outcome`, may be)
   */
  commit<T>(actor: Actor, decide: (view: View) => Act<T>, op?: string): T | Promise<T>;
  /** Brings this machine's files up to date; where they are the journal, there is nothing to do. @throws StoreError */
  pull?(): Promise<void>;
}

/** An act as a line, already applied to the state. */
export interface Prepared {
  readonly line: CountedLine;
  readonly bytes: Buffer;
  /** As readers will parse them. */
  readonly records: readonly JournalRecord[];
  readonly folded: Folded;
}

export interface Opened {
  readonly ledger: Ledger;
  readonly index: Index;
  readonly anchored: number;
  /** Name of the snapshot that existed at opening but could not be used; it is not treated as saved. */
  unusable: string | null;
  /** @throws StoreError `unknown-state` */
  view(): View;
  /** Recognises the line of this act if it is valid although its outcome is unknown. Null ends it. */
  expect(op: string | null): void;
  /** Whether the expected line counted. */
  hasCounted(): boolean;
  /**
   * Encodes an act and applies it to the state. The caller keeps or undoes it.
   * @param at default: the current end of the journal
   * @throws StoreError when the act is not allowed, or no reader would accept it
   */
  prepare(op: string, actor: Actor, records: readonly RecordInput[], at?: number): Prepared;
  /** @throws StoreError `read-only` */
  requireWritable(): void;
  /** Opens the ledger and the projection again, from the files. */
  reopen(): void;
  close(): void;
}
