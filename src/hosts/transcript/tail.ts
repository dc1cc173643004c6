/** The last lines of a host's transcript, as JSON. Agents can write there: anything unreadable is left out. */
import type nodeFs from 'node:fs';
import path from 'node:path';
import { isFields } from '../payload/fields.ts';
import type { Fields } from '../payload/fields.ts';

/** Of plain files only: reading a pipe would block the hook. */
export type Reading = Pick<typeof nodeFs, 'closeSync' | 'fstatSync' | 'lstatSync' | 'openSync' | 'readSync'>;

/** A whole transcript may have hundreds of megabytes. */
const bytesAtMost = 256 * 1024;

/** The latest first. Empty unless it is a plain file with lines of JSON, reached by an absolute path. */
export function tailOf(fs: Reading, file: string): Fields[] {
  if (!path.isAbsolute(file) || !file.endsWith('.jsonl')) return [];
  let descriptor: number | undefined;
  try {
    if (!fs.lstatSync(file).isFile()) return [];
    descriptor = fs.openSync(file, 'r');
    const { size } = fs.fstatSync(descriptor);
    const from = Math.max(0, size - bytesAtMost);
    const bytes = Buffer.alloc(size - from);
    const read = fs.readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, read).split('\n');
    // The first one may have lost its beginning.
    return lines
      .slice(from > 0 ? 1 : 0)
      .reverse()
      .flatMap(parsed);
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function parsed(line: string): Fields[] {
  if (line.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? [value] : [];
  } catch {
    return [];
  }
}

/** A field that is an object; empty otherwise. */
export function part(value: Fields, name: string): Fields {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isFields(found) ? found : {};
}

/** A count of tokens; 0 for anything else. */
export function count(value: Fields, name: string): number {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return Number.isSafeInteger(found) && (found as number) > 0 ? (found as number) : 0;
}

/** A model's name, as far as it can be shown. */
export function modelOf(value: Fields): { readonly model?: string } {
  const found = Object.hasOwn(value, 'model') ? value['model'] : undefined;
  return typeof found === 'string' && /^[\w.:/@-]{1,100}$/.test(found) ? { model: found } : {};
}
