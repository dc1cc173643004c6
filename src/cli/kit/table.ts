/** Tables of the command line. */
import { onOneLine } from '../../core/kit/text.ts';

/** A table for terminals, each row on one line: columns as wide as their widest cell, numbers right-aligned, the last column not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(onOneLine));
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const numeric = head.map((_, column) => rows.length > 0 && rows.every((row) => /^\d+$/.test(row[column] ?? '')));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
