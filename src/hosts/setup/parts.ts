/**
 * What setup puts into one file. A file may have several parts, of one host or several; everything else in it belongs
 * to the user. Texts have no byte order mark and keep their line endings; null means the file does not exist.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JSONPath } from 'jsonc-parser';
import { isFields } from '../payload/toolKinds.ts';
import { appendValue, isEmptyObject, lineEnd, readObject, removeValue, setValue, type JsonObject } from './fileData.ts';
import { isHookCommand, SetupError, type SetupName } from './place.ts';

/** `edited`: present, but different from what setup writes. */
export type PartState = 'missing' | 'ours' | 'edited';

export interface Part {
  readonly host: SetupName;
  /** Absolute. */
  readonly file: string;
  /** Real path of a folder; links must not lead outside of it. */
  readonly root: string;
  readonly kind: 'hook' | 'mcp' | 'other';
  /** JSON of a host that ignores the whole file for a comment or a trailing comma. */
  readonly strictJson?: boolean;
  /** The place of a single value in a file of settings, which setup may replace. */
  readonly at?: readonly string[];
  /** Mode of a file that setup creates; default 0644. */
  readonly mode?: number;
  /** @throws SetupError when the text cannot be parsed */
  state(text: string | null): PartState;
  /**
   * Adds the part to a text without it.
   * @throws SetupError when that is impossible
   */
  add(text: string | null): string;
  /** Removes our part, edited or not. Null when nothing of the user's remains. */
  strip(text: string): string | null;
}

export type Frame = Omit<Part, 'state' | 'add' | 'strip'>;

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

type Groups = object | readonly object[];

/**
 * `{"hooks": {"PreToolUse": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}`: one group per event.
 *
 * @param made further content of a file that setup creates
 */
export function hooksPart(frame: Frame, given: Readonly<Record<string, Groups>>, made?: object): Part {
  const { file } = frame;
  const groups = Object.entries(given).map(([event, list]) => [event, [list].flat()] as const);

  function lists(text: string): [event: string, list: readonly unknown[]][] {
    const { hooks } = readObject(text, file);
    if (hooks === undefined) return [];
    if (!isFields(hooks)) throw new SetupError(`${file}: "hooks" should be an object. Fix it, then set up again.`);
    return Object.entries(hooks).map(([event, list]) => {
      if (!Array.isArray(list))
        throw new SetupError(`${file}: "hooks.${event}" should be a list. Fix it, then set up again.`);
      return [event, list as readonly unknown[]];
    });
  }

  return {
    ...frame,
    state(text) {
      if (text === null) return 'missing';
      const ours = lists(text).map(([event, list]) => [event, list.filter(hasOurs)] as const);
      const found = ours.filter(([, list]) => list.length > 0);
      if (found.length === 0) return 'missing';
      return isDeepStrictEqual(new Map<string, unknown>(found), new Map<string, unknown>(groups)) ? 'ours' : 'edited';
    },
    add(text) {
      if (text !== null) lists(text);
      const all = groups.flatMap(([event, list]) => list.map((group) => [event, group] as const));
      return all.reduce(
        (before, [event, group]) => appendValue(before, ['hooks', event], group),
        text ?? (made ? `${JSON.stringify(made, null, 2)}\n` : ''),
      );
    },
    strip(text) {
      let left = text;
      for (const [event, list] of lists(text)) {
        const ours = list.flatMap((group, index) => (hasOurs(group) ? [index] : []));
        for (const index of ours.reverse()) left = withoutOurs(left, ['hooks', event, index], list[index]);
        if (ours.length > 0 && lists(left).some(([name, rest]) => name === event && rest.length === 0))
          left = removeValue(left, ['hooks', event]);
      }
      if (left !== text && lists(left).length === 0) left = removeValue(left, ['hooks']);
      return isEmptyObject(left) ? null : left;
    },
  };
}

/**
 * One value under a path of keys, such as an MCP server under its name; that name makes it ours.
 * @param made further content of a file that setup creates
 */
export function entryPart(frame: Frame, at: readonly string[], value: unknown, made?: object): Part {
  const { file } = frame;

  function found(text: string): unknown {
    return at.reduce<unknown>(
      (inner, key, depth) => {
        if (inner === undefined) return undefined;
        if (!isFields(inner))
          throw new SetupError(
            `${file}: "${at.slice(0, depth).join('.')}" should be an object. Fix it, then set up again.`,
          );
        return inner[key];
      },
      readObject(text, file),
    );
  }

  return {
    ...frame,
    at,
    state(text) {
      const there = text === null ? undefined : found(text);
      if (there === undefined) return 'missing';
      return isDeepStrictEqual(there, value) ? 'ours' : 'edited';
    },
    add(text) {
      if (text !== null) found(text);
      return setValue(text ?? (made ? `${JSON.stringify(made, null, 2)}\n` : null), [...at], value);
    },
    strip(text) {
      if (found(text) === undefined) return text;
      let left = removeValue(text, [...at]);
      // Also removes parents that are now empty.
      for (let depth = at.length - 1; depth > 0; depth--) {
        const outer = at
          .slice(0, depth)
          .reduce<unknown>((inner, key) => (inner as JsonObject)[key], readObject(left, file));
        if (!isFields(outer) || Object.keys(outer).length > 0) break;
        left = removeValue(left, at.slice(0, depth));
      }
      return isEmptyObject(left) ? null : left;
    },
  };
}

/** A group may contain the user's hooks next to ours; removes only ours. */
function withoutOurs(text: string, at: JSONPath, group: unknown): string {
  const inner = innerHooks(group);
  if (inner.every((hook) => isOurs(hook))) return removeValue(text, at);
  return inner
    .flatMap((hook, index) => (isOurs(hook) ? [index] : []))
    .reverse()
    .reduce((left, index) => removeValue(left, [...at, 'hooks', index]), text);
}

function hasOurs(group: unknown): boolean {
  return innerHooks(group).some((hook) => isOurs(hook));
}

function innerHooks(group: unknown): readonly unknown[] {
  if (!isFields(group)) return [];
  const { hooks } = group;
  return Array.isArray(hooks) ? (hooks as readonly unknown[]) : [group];
}

function isOurs(hook: unknown): boolean {
  if (!isFields(hook)) return false;
  const { command, args } = hook;
  return isHookCommand(Array.isArray(args) ? [command, ...(args as unknown[])].join(' ') : command);
}
