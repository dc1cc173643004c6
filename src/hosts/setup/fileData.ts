/** Parses the files of hosts, and compares what two texts of one file say. */
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { readObject } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import { SetupError } from './names.ts';

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
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new SetupError(`${file} is not valid TOML (${why}). Fix it, then set up again; nothing was written.`, {
      cause: error,
    });
  }
}

/** The tables of a file; empty if it cannot be read. */
export function tablesIn(file: string): JsonObject {
  try {
    return readToml(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), file);
  } catch {
    return {};
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
export function without(data: unknown, [key, ...deeper]: readonly string[]): unknown {
  if (!isTable(data) || key === undefined || !Object.hasOwn(data, key)) return data;
  const { [key]: value, ...rest } = data;
  return deeper.length === 0 ? rest : { ...rest, [key]: without(value, deeper) };
}

export function isTable(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
