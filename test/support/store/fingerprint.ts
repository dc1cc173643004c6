/** A store's state as two short hashes: equal for equal states, however they were read. */
import { createHash } from 'node:crypto';
import type { State } from '../../../src/core/state/state.ts';
import type { Rows } from '../../../src/store/rows/sqlite.ts';
import { dumpTables } from './dump.ts';

export interface Fingerprint {
  readonly state: string;
  readonly tables: string;
}

export function fingerprint(view: { readonly state: State; readonly rows: Rows }): Fingerprint {
  return { state: stateFingerprint(view.state), tables: sha256(plain(dumpTables(view.rows))) };
}

export function stateFingerprint(state: State): string {
  return sha256(plain(state));
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Maps and sets as sorted lists, members sorted by name, without undefined ones. */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return sorted([...(value as Map<unknown, unknown>)].map(([key, item]) => [key, plain(item)]));
  if (value instanceof Set) return sorted([...(value as Set<unknown>)].map(plain));
  if (Array.isArray(value)) return (value as unknown[]).map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Record<string, unknown>).filter(([, member]) => member !== undefined);
  return Object.fromEntries<unknown>(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]),
  );
}

function sorted(items: readonly unknown[]): unknown[] {
  const keyed = items.map((item) => ({ item, key: JSON.stringify(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
