/** Reads the files of hosts, and edits JSON as text, preserving comments, order, indentation and line endings. */
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  type FormattingOptions,
  type JSONPath,
  type ParseError,
} from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { SetupError } from './place.ts';

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
