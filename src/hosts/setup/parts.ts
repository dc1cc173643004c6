/**
 * What setup puts into one file. A file may have several parts, of one host or several; everything else in it belongs
 * to the user. Texts have no byte order mark and keep their line endings; null means the file does not exist.
 */
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type JSONPath, applyEdits, modify, parse, type FormattingOptions, type ParseError } from 'jsonc-parser';
import { isFields, type Fields } from '../payload/toolKinds.ts';
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

interface TextContent {
  /** Its bounds; null where it is missing. */
  readonly find: (text: string) => readonly [from: number, to: number] | null;
  /** Ends with the end of a line. */
  readonly written: (eol: string) => string;
  /**
   * Where to insert it: offset of the start of a line, or the end. Also validates the text.
   * @throws SetupError
   */
  readonly place: (text: string) => number;
  /** Start of a file that setup creates. */
  readonly head?: string;
}

function textPart(frame: Frame, { find, written, place, head = '' }: TextContent): Part {
  return {
    ...frame,
    state(text) {
      const at = text === null ? null : find(text);
      if (text === null || !at) return 'missing';
      const found = text.slice(...at).replaceAll('\r\n', '\n');
      return (found.endsWith('\n') ? found : `${found}\n`) === written('\n') ? 'ours' : 'edited';
    },
    add(text) {
      if (text === null) return head + written('\n');
      const at = place(text);
      const eol = lineEnd(text);
      const before = text.slice(0, at);
      const apart = before === '' || before.endsWith('\n') ? '' : eol;
      return before + apart + written(eol) + text.slice(at);
    },
    strip(text) {
      const at = find(text);
      if (!at) return text;
      const left = text.slice(0, at[0]) + text.slice(at[1]);
      return left.trim() === head.trim() ? null : left;
    },
  };
}

export interface Block extends Pick<TextContent, 'place' | 'head'> {
  readonly lines: readonly string[];
}

/** Lines between two marks. */
export function blockPart(frame: Frame, { lines, ...content }: Block): Part {
  return textPart(frame, {
    ...content,
    written: (eol) => [begin, ...lines, end, ''].join(eol),
    find(text) {
      const first = /^# >>> holdpoint\b.*$/m.exec(text);
      if (!first) return null;
      const last = /^# <<< holdpoint\b.*(?:\r?\n|$)/m.exec(text.slice(first.index));
      if (!last)
        throw new SetupError(
          `${frame.file}: the block that begins with "# >>> holdpoint" has no end. Remove it, then set up again.`,
        );
      return [first.index, first.index + last.index + last[0].length];
    },
  });
}

/** One whole line anywhere in the file. */
export function linePart(frame: Frame, line: string): Part {
  const lineOf = new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\r?\\n|$)`, 'm');
  return textPart(frame, {
    written: (eol) => line + eol,
    place: (text) => text.length,
    find(text) {
      const found = lineOf.exec(text);
      return found && [found.index, found.index + found[0].length];
    },
  });
}

interface JsonContent {
  /** @throws SetupError when something else is in the place */
  readonly find: (data: Fields) => JSONPath[];
  /** By their places; -1 is the end of a list. */
  readonly values: readonly (readonly [JSONPath, unknown])[];
  /** Further content of a file that setup creates. */
  readonly made?: object | undefined;
}

function jsonPart(frame: Frame, { find, values, made = {} }: JsonContent): Part {
  const read = (text: string) => readObject(text, frame.file);
  return {
    ...frame,
    state(text) {
      const data = text === null ? {} : read(text);
      const found = find(data).map((at) => [at.map((key) => (typeof key === 'number' ? -1 : key)), valueAt(data, at)]);
      if (found.length === 0) return 'missing';
      return isDeepStrictEqual(new Set(found), new Set(values)) ? 'ours' : 'edited';
    },
    add(text) {
      if (text !== null) find(read(text));
      const before =
        text === null || text.trim() === '' ? `${JSON.stringify(text === null ? made : {}, null, 2)}\n` : text;
      return values.reduce((left, [at, value]) => edited(left, at, value), before);
    },
    strip(text) {
      const left = find(read(text)).reduceRight((before, at) => withoutValue(before, at, read), text);
      return /^\s*(\{\s*\})?\s*$/.test(left) ? null : left;
    },
  };
}

function valueAt(data: unknown, at: JSONPath): unknown {
  return at.reduce<unknown>((inner, key) => (inner as Readonly<Record<string | number, unknown>>)[key], data);
}

/** Sets a value, or removes it if it is undefined; creates missing parents. */
function edited(text: string, at: JSONPath, value: unknown): string {
  const isArrayInsertion = at.at(-1) === -1;
  return applyEdits(text, modify(text, at, value, { formattingOptions: formattingOf(text), isArrayInsertion }));
}

/** Removes a value, and what is empty around it then. */
function withoutValue(text: string, at: JSONPath, read: (text: string) => Fields): string {
  const left = edited(text, at, undefined);
  const around = at.slice(0, -1);
  const isEmpty = Object.keys(valueAt(read(left), around) as object).length === 0;
  return isEmpty && around.length > 0 ? withoutValue(left, around, read) : left;
}

type Groups = object | readonly object[];

/**
 * `{"hooks": {"PreToolUse": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}`: one group per event.
 *
 * @param made further content of a file that setup creates
 */
export function hooksPart(frame: Frame, given: Readonly<Record<string, Groups>>, made?: object): Part {
  const groups = Object.entries(given).flatMap(([event, list]) =>
    [list].flat().map((group) => [event, group] as const),
  );
  return jsonPart(frame, {
    made,
    values: groups.map(([event, group]) => [['hooks', event, -1], group]),
    find: ({ hooks = {} }) =>
      Object.entries(requireFields(hooks, frame.file, 'hooks')).flatMap(([event, list]) => {
        if (!Array.isArray(list))
          throw new SetupError(`${frame.file}: "hooks.${event}" should be a list. Fix it, then set up again.`);
        return (list as unknown[]).flatMap((group, index) => oursIn(group).map((at) => ['hooks', event, index, ...at]));
      }),
  });
}

/**
 * One value under a path of keys, such as an MCP server under its name; that name makes it ours.
 * @param made further content of a file that setup creates
 */
export function entryPart(frame: Frame, at: readonly string[], value: unknown, made?: object): Part {
  const find = (data: Fields) => {
    const found = at.reduce<unknown>(
      (inner, key, depth) =>
        inner === undefined ? undefined : requireFields(inner, frame.file, at.slice(0, depth).join('.'))[key],
      data,
    );
    return found === undefined ? [] : [[...at]];
  };
  return jsonPart({ ...frame, at }, { made, values: [[[...at], value]], find });
}

function requireFields(value: unknown, file: string, name: string): Fields {
  if (isFields(value)) return value;
  throw new SetupError(`${file}: "${name}" should be an object. Fix it, then set up again.`);
}

/** A group may contain the user's hooks next to ours: the places of ours in it, or that of all of it. */
function oursIn(group: unknown): JSONPath[] {
  if (!isFields(group)) return [];
  const { hooks } = group;
  if (!Array.isArray(hooks)) return isOurs(group) ? [[]] : [];
  const ours = (hooks as unknown[]).flatMap((hook, index) => (isOurs(hook) ? [['hooks', index]] : []));
  return ours.length > 0 && ours.length === hooks.length ? [[]] : ours;
}

function isOurs(hook: unknown): boolean {
  if (!isFields(hook)) return false;
  const { command, args } = hook;
  return isHookCommand(Array.isArray(args) ? [command, ...(args as unknown[])].join(' ') : command);
}

// Reads the files of hosts. JSON is edited as text, which keeps comments, order, indentation and line endings.

/**
 * Parses the object in a file; an empty file is treated as an empty object.
 * @throws SetupError with line and column of a syntax error, and for anything but an object
 */
function readObject(text: string, file: string): Fields {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first) {
    const lines = text.slice(0, first.offset).split('\n');
    const place = `line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`;
    throw new SetupError(`${file} is not valid JSON at ${place}. Fix it, then set up again; nothing was written.`);
  }
  if (isFields(value)) return value;
  throw new SetupError(`${file} should hold a JSON object. Fix it, then set up again; nothing was written.`);
}

/** What a file of settings says; empty if it cannot be read. */
export function settingsIn(file: string): Fields {
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

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 4 : indent.length,
    eol: lineEnd(text),
  };
}

/** The line ending of a text; default: line feed. */
function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
}

/**
 * The content of a file of settings; null for a script, a plugin or another text.
 * @throws SetupError when a host could not read it
 */
export function dataOf(text: string, file: string): Fields | null {
  if (/\.jsonc?$/.test(file)) return readObject(text, file);
  return file.endsWith('.toml') ? readToml(text, file) : null;
}

/** @throws SetupError with the reason of the parser */
function readToml(text: string, file: string): Fields {
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

function isTable(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
