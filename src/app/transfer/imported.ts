/** Lists of imported items: history with its source, and the origin of other items. */
import type { HistoryKind, ImportSource } from '../../core/records/import.ts';
import type { ImportedItem } from '../../store/rows/items.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

export type { ImportedItem };

/** Latest first. @param kind default: all */
export function listImported({ rows }: View, kind?: HistoryKind): ImportedItem[] {
  const found = rows.all<{ json: string }>(
    `SELECT json FROM items WHERE kind = 'history' AND coalesce(type = ?, 1) ORDER BY number DESC`,
    kind ?? null,
  );
  return found.map(({ json }) => JSON.parse(json) as ImportedItem);
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
