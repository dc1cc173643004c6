/** Lists of imported items: history with its source, and the origin of other items. */
import type { HistoryKind, ImportSource } from '../../core/records/import.ts';
import type { Imported, Imports } from '../../store/rows/importTables.ts';
import type { View } from '../../store/store.ts';

/** A row of another program or workspace. As history it has no effect here, and it is unverified. */
export interface ImportedItem {
  /** `H-12` */
  readonly id: string;
  readonly kind: HistoryKind;
  readonly title: string;
  readonly status: string;
  readonly agent: string | null;
  readonly work: string | null;
  readonly happened_at: string;
  readonly from: ImportSource;
  readonly source: string;
  /** Its id in the source. */
  readonly ref: string;
  readonly imported_at: string;
  readonly imported_by: string;
  /** Its id here if active; null for history. */
  readonly became: string | null;
  readonly key: string;
  /** History as in the source. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface ImportedFilter {
  readonly kind?: HistoryKind | undefined;
  readonly work?: string | undefined;
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  /** Only history; active items are in the lists of their kind. */
  readonly history?: boolean | undefined;
}

function selection({ query }: View['rows']) {
  return query
    .selectFrom('imported')
    .innerJoin('imports', 'imports.batch', 'imported.batch')
    .selectAll('imported')
    .select(['source_kind', 'source', 'ended_at', 'begun_by']);
}

type Row = Imported & Pick<Imports, 'source_kind' | 'source' | 'ended_at' | 'begun_by'>;

/** Latest first. */
export function listImported(view: View, filter: ImportedFilter = {}): ImportedItem[] {
  let selected = selection(view.rows);
  if (filter.kind !== undefined) selected = selected.where('imported.kind', '=', filter.kind);
  if (filter.work !== undefined) selected = selected.where('imported.work', '=', filter.work);
  if (filter.agent !== undefined) selected = selected.where('imported.agent', '=', filter.agent);
  if (filter.status !== undefined) selected = selected.where('imported.status', '=', filter.status);
  if (filter.history) selected = selected.where('imported.became', 'is', null);
  return view.rows.all(selected.orderBy('imported.number', 'desc')).map(fromRow);
}

/** Number of history rows of a kind; lists show it separately and never mix them in. */
export function historyCount(view: View, filter: Pick<ImportedFilter, 'kind' | 'work' | 'agent'>): number {
  let counted = view.rows.query
    .selectFrom('imported')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('became', 'is', null);
  if (filter.kind !== undefined) counted = counted.where('kind', '=', filter.kind);
  if (filter.work !== undefined) counted = counted.where('work', '=', filter.work);
  if (filter.agent !== undefined) counted = counted.where('agent', '=', filter.agent);
  return view.rows.first(counted)?.count ?? 0;
}

/** By its id (`H-12`) or the id it became (`Q-3`). Null for an unknown id. */
export function importedItem(view: View, id: string): ImportedItem | null {
  const number = /^H-([1-9]\d{0,8})$/.exec(id)?.[1];
  const row = view.rows.first(
    number === undefined
      ? selection(view.rows).where('imported.became', '=', id)
      : selection(view.rows).where('imported.number', '=', Number(number)),
  );
  return row ? fromRow(row) : null;
}

function fromRow({
  number,
  batch: _,
  source_kind,
  source,
  ended_at,
  begun_by,
  origin,
  data,
  ...row
}: Row): ImportedItem {
  const first = origin === null ? null : (JSON.parse(origin) as { from: ImportSource; source: string });
  return {
    id: `H-${String(number)}`,
    ...row,
    kind: row.kind as HistoryKind,
    from: first?.from ?? source_kind,
    source: first?.source ?? source,
    imported_at: ended_at ?? '',
    imported_by: begun_by,
    data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
  };
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
