/**
 * An export as JSON, row by row: one row of a list is made, written and forgotten before the next is made, so that what
 * is held does not grow with the workspace.
 */
import type { View } from '../../store/store.ts';
import { exportLists, isList } from './exporting.ts';

/** Pieces of at least so many characters, but for the last: each is one write. */
const pieceSize = 64 * 1024;

/** @param since ISO 8601, UTC; null for all */
export function* exportPieces(view: View, since: string | null): Generator<string> {
  let piece = '';
  for (const text of texts(view, since)) {
    piece += text;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* texts(view: View, since: string | null): Generator<string> {
  let before = '{';
  for (const [name, value] of exportLists(view, since)) {
    yield `${before}\n ${JSON.stringify(name)}: `;
    before = ',';
    if (!isList(value)) {
      yield JSON.stringify(value);
      continue;
    }
    let between = '[';
    for (const row of value) {
      yield `${between}\n  ${JSON.stringify(row)}`;
      between = ',';
    }
    yield between === '[' ? '[]' : '\n ]';
  }
  yield '\n}\n';
}
