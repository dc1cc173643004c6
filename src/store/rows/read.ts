/** Reads the index: items as they are, and the records about one of them. */
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { Items, ItemKind } from './items.ts';
import type { Rows } from './sqlite.ts';

/** Null for an unknown id. */
export function itemOf<K extends ItemKind>(rows: Rows, kind: K, id: string): Items[K] | null {
  const row = rows.all<{ json: string }>('SELECT json FROM items WHERE kind = ? AND id = ?', kind, id)[0];
  return row ? (JSON.parse(row.json) as Items[K]) : null;
}

export const wholeInItems = ['question.raised', 'event.posted', 'event.postedByHuman'] as const;
type Told = Exclude<RecordKind, (typeof wholeInItems)[number]>;

/** What a record says and who wrote it. Decisions that too few people signed so far are not among them. */
export interface Recorded<K extends Told> {
  readonly time: string;
  /** Of a signed record, the name of its signer. */
  readonly actor: string;
  readonly actor_kind: string;
  /** Of the key that signed it; null without one. */
  readonly keyid: string | null;
  readonly passkey: number;
  /** Without its signature. */
  readonly record: Unsigned<RecordOf<K>>;
}

/** Of each kind by itself, so that the kind says what a record has. */
type Unsigned<R> = R extends unknown ? Omit<R, 'envelope'> : never;

/** Those of some kinds about one item, oldest first. */
export function recordsOf<K extends Told>(rows: Rows, subject: string, ...kinds: readonly K[]): Recorded<K>[] {
  return rows
    .all<Omit<Recorded<K>, 'record'> & { kind: K; json: string }>(
      `SELECT time, actor, actor_kind, keyid, passkey, kind, json FROM records
        WHERE subject = ? AND kind IN (${kinds.map(() => '?').join(', ')}) AND kept = 0 ORDER BY position, place`,
      subject,
      ...kinds,
    )
    .map(({ kind, json, ...row }) => ({ ...row, record: { ...JSON.parse(json), kind } as Recorded<K>['record'] }));
}

export function countOf(rows: Rows, kind: RecordKind): number {
  return (
    rows.all<{ count: number }>('SELECT count(*) AS count FROM records WHERE kind = ? AND kept = 0', kind)[0]?.count ??
    0
  );
}

/** For `IN (SELECT value FROM json_each(?))`: there may be more values than SQLite takes parameters. */
export function jsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}
