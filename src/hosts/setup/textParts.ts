/** Parts of text files: whole files, marked blocks, single lines. */
import { isHookCommand } from './commandLine.ts';
import { SetupError } from './names.ts';
import { lineEnd } from './part.ts';
import type { Part } from './part.ts';

type Frame = Omit<Part, 'state' | 'add' | 'strip'>;

/**
 * A whole file of ours, recognised by a call of our hook. Another file of that name is the user's; it is kept and
 * restored.
 */
export function wholePart(frame: Frame, content: string): Part {
  const isOurs = (text: string) => text === content || isHookCommand(text);
  return {
    ...frame,
    state: (text) => (text === content ? 'ours' : text !== null && isOurs(text) ? 'edited' : 'missing'),
    add: () => content,
    strip: (text) => (isOurs(text) ? null : text),
  };
}

const begin = '# >>> holdpoint: written by its setup, taken out again by "holdpoint setup --remove"';
const end = '# <<< holdpoint';

export interface Block {
  readonly lines: readonly string[];
  /**
   * Where to insert the block: offset of the start of a line, or the end. Also validates the text.
   * @throws SetupError
   */
  place(text: string): number;
  /** Start of a file that setup creates. */
  readonly head?: string;
}

/** Lines between two marks. */
export function blockPart(frame: Frame, { lines, place, head = '' }: Block): Part {
  /**
   * The bounds of the block; null without one.
   * @throws SetupError for an unterminated one
   */
  function bounds(text: string): readonly [from: number, to: number] | null {
    const first = /^# >>> holdpoint\b.*$/m.exec(text);
    if (!first) return null;
    const last = /^# <<< holdpoint\b.*(?:\r?\n|$)/m.exec(text.slice(first.index));
    if (!last)
      throw new SetupError(
        `${frame.file}: the block that begins with "# >>> holdpoint" has no end. Remove it, then set up again.`,
      );
    return [first.index, first.index + last.index + last[0].length];
  }
  const block = (eol: string) => [begin, ...lines, end, ''].join(eol);

  return {
    ...frame,
    state(text) {
      const at = text === null ? null : bounds(text);
      if (text === null || !at) return 'missing';
      const found = text.slice(...at).replaceAll('\r\n', '\n');
      return (found.endsWith('\n') ? found : `${found}\n`) === block('\n') ? 'ours' : 'edited';
    },
    add(text) {
      if (text === null) return `${head}${block('\n')}`;
      const at = place(text);
      const eol = lineEnd(text);
      const before = text.slice(0, at);
      const apart = before === '' || before.endsWith('\n') ? '' : eol;
      return `${before}${apart}${block(eol)}${text.slice(at)}`;
    },
    strip(text) {
      const at = bounds(text);
      if (!at) return text;
      const left = text.slice(0, at[0]) + text.slice(at[1]);
      return left.trim() === head.trim() ? null : left;
    },
  };
}

/** One whole line anywhere in the file. */
export function linePart(frame: Frame, line: string): Part {
  const lineOf = new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\r?\\n|$)`, 'm');
  return {
    ...frame,
    state: (text) => (text !== null && lineOf.test(text) ? 'ours' : 'missing'),
    add(text) {
      const before = text ?? '';
      const eol = lineEnd(before);
      return `${before}${before === '' || before.endsWith('\n') ? '' : eol}${line}${eol}`;
    },
    strip(text) {
      const left = text.replace(lineOf, '');
      return left === '' ? null : left;
    },
  };
}
