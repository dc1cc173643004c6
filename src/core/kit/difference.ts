/** A readable difference of two texts: by line, and by word within changed lines. Used for RFC revisions. */
import { diffArrays, diffWordsWithSpace } from 'diff';

/** Part of a line, and whether it changed. */
interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

export type DifferenceRow =
  | { readonly type: 'same'; readonly text: string }
  | { readonly type: 'removed' | 'added'; readonly pieces: Piece[] }
  /** Number of unchanged lines left out. */
  | { readonly type: 'gap'; readonly lines: number };

/** Unchanged lines shown before and after a change. */
const context = 2;
/**
 * Beyond this many changed lines, or words of a line, everything counts as rewritten; comparing would take too long.
 */
const mostLines = 2_000;
const mostWords = 200;
/** A line that keeps a smaller share of its letters is shown as replaced, not changed. */
const alike = 0.35;

/** Empty when nothing changed. */
export function difference(before: string, after: string): DifferenceRow[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, now, { maxEditLength: mostLines }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  if (changes.every(({ added, removed }) => !added && !removed)) return [];
  const rows: DifferenceRow[] = [];
  changes.forEach((change, index) => {
    const next = changes[index + 1];
    const last = changes[index - 1];
    if (change.removed && next?.added === true) rows.push(...rewrittenRows(change.value, next.value));
    else if (change.removed) rows.push(...change.value.map((text) => wholeRow('removed', text)));
    else if (change.added && last?.removed !== true) rows.push(...change.value.map((text) => wholeRow('added', text)));
    else if (!change.added) rows.push(...keptRows(change.value, index > 0, next !== undefined));
  });
  return rows;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n|\r|\n/);
}

function wholeRow(type: 'removed' | 'added', text: string): DifferenceRow {
  return { type, pieces: [{ text, changed: true }] };
}

/** Unchanged lines around a change, with the number hidden between. */
function keptRows(lines: readonly string[], after: boolean, before: boolean): DifferenceRow[] {
  const head = after ? context : 0;
  const tail = before ? context : 0;
  const show = (texts: readonly string[]) => texts.map((text): DifferenceRow => ({ type: 'same', text }));
  const hidden = lines.length - head - tail;
  // A gap of one line takes as much room as the line.
  if (hidden <= 1) return show(lines);
  return [...show(lines.slice(0, head)), { type: 'gap', lines: hidden }, ...show(lines.slice(lines.length - tail))];
}

/** Pairs removed with added lines as long as they are similar. */
function rewrittenRows(old: readonly string[], now: readonly string[]): DifferenceRow[] {
  const removed: DifferenceRow[] = [];
  const added: DifferenceRow[] = [];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const [was, is] = [old[index], now[index]];
    const words = was === undefined || is === undefined ? undefined : changedWords(was, is);
    if (was !== undefined) removed.push(words ? { type: 'removed', pieces: words.was } : wholeRow('removed', was));
    if (is !== undefined) added.push(words ? { type: 'added', pieces: words.is } : wholeRow('added', is));
  }
  return [...removed, ...added];
}

/** Undefined when the two have too little in common. */
function changedWords(was: string, is: string): { was: Piece[]; is: Piece[] } | undefined {
  const changes = diffWordsWithSpace(was, is, { maxEditLength: mostWords });
  if (!changes) return undefined;
  const common = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  );
  if (common < alike * Math.max(was.trim().length, is.trim().length)) return undefined;
  const side = (leftOut: 'added' | 'removed') =>
    changes
      .filter((change) => !change[leftOut])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return { was: side('added'), is: side('removed') };
}
