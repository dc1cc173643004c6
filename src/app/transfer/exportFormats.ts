/** The three export formats, as streams of pieces. */
import type { View } from '../../store/store.ts';
import type { Kept } from '../../store/rows/exportDatabase.ts';
import { loadSqlite } from '../../store/rows/sqlite.ts';
import { jsonTexts } from './exportJson.ts';
import { markdownParts } from './exportMarkdown.ts';
import { exportOf } from './exporting.ts';
import type { ExportFile } from './exporting.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type ExportFormat = 'json' | 'markdown' | 'sqlite';

/** Minimum size of a piece except the last; each is one write. Characters. */
const pieceSize = 64 * 1024;

/**
 * JSON and Markdown are generated row by row; a database is one piece.
 * @param since ISO 8601, UTC; null for all
 */
export async function exportedPieces(
  workspace: Workspace,
  format: ExportFormat,
  since: string | null,
): Promise<Iterable<string | Uint8Array>> {
  const store = await workspace.store();
  if (format !== 'sqlite') return textPieces(store.read(), format, since);
  const { databaseOf } = await import('../../store/rows/exportDatabase.ts');
  const kept = since === null ? null : keptIds(exportOf(store.read(), since), since);
  return [databaseOf(await loadSqlite(workspace.options.wasm), store.exportDatabase(), kept)];
}

/** @param since ISO 8601, UTC; null for all */
export function* textPieces(
  view: View,
  format: Exclude<ExportFormat, 'sqlite'>,
  since: string | null,
): Generator<string> {
  let piece = '';
  for (const text of format === 'json' ? jsonTexts(view, since) : separated(markdownParts(view, since))) {
    piece += text;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** With an empty line between them. */
function* separated(all: Iterable<string>): Generator<string> {
  let between = '';
  for (const part of all) {
    yield `${between}${part}`;
    between = '\n\n';
  }
  yield '\n';
}

/** Ids to keep in a partial database. */
function keptIds({ work, questions, rfcs, events, requests, history }: ExportFile, since: string): Kept {
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  return {
    since,
    items: {
      ...{ work: ids(work), question: ids(questions), rfc: ids(rfcs), event: ids(events), request: ids(requests) },
      history: ids(history),
    },
  };
}
