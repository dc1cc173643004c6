/**
 * What setup puts into one file. A file may have several parts, of one host or several; everything else in it belongs
 * to the user. Texts have no byte order mark and keep their line endings; null means the file does not exist.
 */
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  type JSONPath,
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  type FormattingOptions,
  type ParseError,
} from 'jsonc-parser';
import { isFields } from '../payload/toolKinds.ts';
import { isHookCommand, SetupError, type SetupName } from './place.ts';
import { parse as parseToml } from 'smol-toml';

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
        if (ours.length > 0) left = withoutEmpty(left, file, ['hooks', event]);
      }
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
      const left = withoutEmpty(removeValue(text, [...at]), file, at.slice(0, -1));
      return isEmptyObject(left) ? null : left;
    },
  };
}

/** Removes what is empty at this place, and then around it. */
function withoutEmpty(text: string, file: string, at: readonly string[]): string {
  const there = at.reduce<unknown>((inner, key) => (inner as JsonObject)[key], readObject(text, file));
  if (at.length === 0 || typeof there !== 'object' || there === null || Object.keys(there).length > 0) return text;
  return withoutEmpty(removeValue(text, [...at]), file, at.slice(0, -1));
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

// Reads the files of hosts, and edits JSON as text, preserving comments, order, indentation and line endings.

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses the object in a file; an empty file is treated as an empty object.
 * @throws SetupError with line and column of a syntax error, and for anything but an object
 */
export function readObject(text: string, file: string): JsonObject {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first) {
    const lines = text.slice(0, first.offset).split('\n');
    const place = `line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`;
    throw new SetupError(`${file} is not valid JSON at ${place}. Fix it, then set up again; nothing was written.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SetupError(`${file} should hold a JSON object. Fix it, then set up again; nothing was written.`);
  return value as JsonObject;
}

/** What a file of settings says; empty if it cannot be read. */
export function settingsIn(file: string): JsonObject {
  try {
    return dataOf(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), file) ?? {};
  } catch {
    return {};
  }
}

/** Whether a parser without comments and trailing commas accepts it. */
export function isStrictJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Sets a value; creates missing parents. */
export function setValue(text: string | null, at: JSONPath, value: unknown): string {
  if (text === null || text.trim() === '') return `${JSON.stringify(nestValue(at, value), null, 2)}\n`;
  return applyEdits(text, modify(text, at, value, { formattingOptions: formattingOf(text) }));
}

/** Appends a value to a list; creates a missing list. */
export function appendValue(text: string, at: JSONPath, value: unknown): string {
  if (text.trim() === '') return setValue(text, at, [value]);
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const list = tree && findNodeAtLocation(tree, at);
  if (list?.type !== 'array') return setValue(text, at, [value]);
  const place = [...at, list.children?.length ?? 0];
  return applyEdits(
    text,
    modify(text, place, value, { formattingOptions: formattingOf(text), isArrayInsertion: true }),
  );
}

export function removeValue(text: string, at: JSONPath): string {
  return applyEdits(text, modify(text, at, undefined, { formattingOptions: formattingOf(text) }));
}

/** Whether only an empty object is left. */
export function isEmptyObject(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text);
}

function nestValue(at: JSONPath, value: unknown): unknown {
  return at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 4 : indent.length,
    eol: lineEnd(text),
  };
}

/** The line ending of a text; default: line feed. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
}

/**
 * The content of a file of settings; null for a script, a plugin or another text.
 * @throws SetupError when a host could not read it
 */
export function dataOf(text: string, file: string): JsonObject | null {
  if (/\.jsonc?$/.test(file)) return readObject(text, file);
  return file.endsWith('.toml') ? readToml(text, file) : null;
}

/** @throws SetupError with the reason of the parser */
function readToml(text: string, file: string): JsonObject {
  try {
    return parseToml(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new SetupError(`${file} is not valid TOML (${why}). Fix it, then set up again; nothing was written.`, {
      cause: error,
    });
  }
}

/** Whether everything that one text says is in the other one too: the same values at the same places, in the same order. */
export function keeps(after: unknown, before: unknown): boolean {
  if (Array.isArray(before)) {
    const rest: unknown[] = Array.isArray(after) ? [...(after as unknown[])] : [];
    return before.every((one) => {
      const at = rest.findIndex((other) => keeps(other, one));
      rest.splice(0, at + 1);
      return at >= 0;
    });
  }
  if (!isTable(before)) return isDeepStrictEqual(after, before);
  return isTable(after) && Object.entries(before).every(([key, value]) => keeps(after[key], value));
}

/** The data without the value at one place. */
export function withoutKey(data: unknown, [key, ...deeper]: readonly string[]): unknown {
  if (!isTable(data) || key === undefined || !Object.hasOwn(data, key)) return data;
  const { [key]: value, ...rest } = data;
  return deeper.length === 0 ? rest : { ...rest, [key]: withoutKey(value, deeper) };
}

export function isTable(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
