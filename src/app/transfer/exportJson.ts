/**
 * An export as JSON, row by row: each row is generated, written and dropped before the next, so memory use does not
 * grow with the workspace. Hidden characters are escaped: a terminal shows the same text as the file.
 */
import { visibleJson } from '../../core/kit/visible.ts';
import type { View } from '../../store/store.ts';
import { exportMembers, isList } from './exporting.ts';

/** @param since ISO 8601, UTC; null for all */
export function* jsonTexts(view: View, since: string | null): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(exportMembers(view, since)) as [string, unknown][]) {
    yield `${before}\n ${JSON.stringify(name)}: `;
    before = ',';
    if (!isList(value)) {
      yield visibleJson(value);
      continue;
    }
    let between = '[';
    for (const row of value) {
      yield `${between}\n  ${visibleJson(row)}`;
      between = ',';
    }
    yield between === '[' ? '[]' : '\n ]';
  }
  yield '\n}\n';
}
