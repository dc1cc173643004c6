/**
 * HTML comments in Markdown: hints of templates, and notes that are not part of the text. They stay in place and are
 * shown folded; their contents are not interpreted.
 */

interface Comment {
  readonly from: number;
  /** Offset after its last character. */
  readonly to: number;
}

const fenceLine = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/;

/** Comments outside code, in order. An unclosed one is not a comment and stays visible. */
export function commentsIn(text: string): Comment[] {
  const found: Comment[] = [];
  let fence = '';
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(at, next);
    const mark = fenceLine.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== '' && !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`'))) {
      fence = mark;
    } else {
      const behind = commentsOfLine(text, at, next, found);
      if (behind === null) return found;
      at = behind;
      continue;
    }
    at = next;
  }
  return found;
}

/**
 * Where to continue: the next line, or the rest of the line in which a comment ends. Null if no further comment is
 * closed.
 */
function commentsOfLine(text: string, from: number, next: number, found: Comment[]): number | null {
  const line = text.slice(from, next);
  const opens = line.indexOf('<!--');
  if (opens < 0) return next;
  const code = codeAround(line, opens);
  if (code !== null) return from + code;
  const start = from + opens;
  const closes = text.indexOf('-->', start + 4);
  if (closes < 0) return null;
  found.push({ from: start, to: closes + 3 });
  return closes + 3;
}

/** End of the code span around an offset; null outside of one. */
function codeAround(line: string, place: number): number | null {
  for (const { index, 0: span } of line.matchAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g)) {
    if (index > place) return null;
    if (index + span.length > place) return index + span.length;
  }
  return null;
}

export function withoutComments(text: string): string {
  let left = '';
  let at = 0;
  for (const { from, to } of commentsIn(text)) {
    left += text.slice(at, from);
    left += '\n'.repeat(text.slice(from, to).split('\n').length - 1);
    at = to;
  }
  return left + text.slice(at);
}
