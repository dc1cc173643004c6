/** Lists of imported items: history with its source, and the origin of other items. */
import type { HistoryKind, ImportSource } from '../../core/records/import.ts';
import type { ImportedItem } from '../../store/rows/items.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

export type { ImportedItem };

export interface ImportedFilter {
  readonly kind?: HistoryKind | undefined;
  readonly work?: string | undefined;
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  /** Only history; active items are in the lists of their kind. */
  readonly history?: boolean | undefined;
}

/** Latest first. */
export function listImported({ rows }: View, filter: ImportedFilter = {}): ImportedItem[] {
  const { where, values } = matching(filter);
  const found = rows.all<{ json: string }>(`SELECT json FROM items WHERE ${where} ORDER BY number DESC`, ...values);
  return found.map(({ json }) => JSON.parse(json) as ImportedItem);
}

function matching({ kind, work, agent, status, history = false }: ImportedFilter) {
  const given = Object.entries({ type: kind, work, agent, status }).filter(([, value]) => value !== undefined);
  const conditions = [
    `kind = 'history'`,
    ...given.map(([column]) => `${column} = ?`),
    ...(history ? [`json_extract(json, '$.became') IS NULL`] : []),
  ];
  return { where: conditions.join(' AND '), values: given.map(([, value]) => value ?? null) };
}

/** By its id (`H-12`) or the id it became (`Q-3`). Null for an unknown id. */
export function importedItem({ rows }: View, id: string): ImportedItem | null {
  const found = itemOf(rows, 'history', id);
  if (found) return found;
  const row = rows.all<{ json: string }>(
    `SELECT json FROM links JOIN items ON kind = from_kind AND id = from_id WHERE from_kind = 'history' AND to_id = ?`,
    id,
  )[0];
  return row ? (JSON.parse(row.json) as ImportedItem) : null;
}

const programs: Readonly<Record<ImportSource, string>> = {
  codeframe: 'CodeFrame',
  engram: 'Engram',
  markdown: 'Markdown',
  json: 'an export',
};

/** `imported from CodeFrame (legacy.db, blocker 3), not verified` */
export function originText({ from, source, ref }: Pick<ImportedItem, 'from' | 'source' | 'ref'>): string {
  return `imported from ${programs[from]} (${source}, ${ref}), not verified`;
}
