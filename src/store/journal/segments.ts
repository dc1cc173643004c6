/**
 * The files of a journal: `00000001.jsonl`, then `<number>-<base>.jsonl`, where `base` is the position its bytes begin at.
 * A name proves nothing: the file before it must end, at just that position, with a seal that counts.
 */
import path from 'node:path';
import { errorCode } from './files.ts';
import type { FileSystem } from './files.ts';

export const storeFolder = '.holdpoint';
const firstSegment = '00000001.jsonl';

export function journalPath(root: string): string {
  return path.join(root, storeFolder, 'journal', firstSegment);
}

/** @param first path of the journal's first file, or of the first of a copy */
export function segmentPath(first: string, number: number, base: number): string {
  return number === 1
    ? first
    : path.join(path.dirname(first), `${prefixOf(first)}${String(number).padStart(8, '0')}-${String(base)}.jsonl`);
}

/** Copies of several journals lie in one folder, so their names begin with that of the first file. */
function prefixOf(first: string): string {
  const name = path.basename(first);
  return name === firstSegment ? '' : `${name.replace(/\.jsonl$/, '')}.`;
}

export interface NamedSegment {
  readonly file: string;
  readonly number: number;
  readonly base: number;
}

/** Every file beside the first that is called like one of its segments, in their order; whether they are is not asked. */
export function namedSegments(fs: FileSystem, first: string): NamedSegment[] {
  const folder = path.dirname(first);
  const prefix = prefixOf(first);
  return namesIn(fs, folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const [, number, base] = /^(\d{8,})-(\d+)\.jsonl$/.exec(name.slice(prefix.length)) ?? [];
      return number === undefined
        ? []
        : [{ file: path.join(folder, name), number: Number(number), base: Number(base) }];
    })
    .sort((one, other) => one.number - other.number || one.base - other.base);
}

function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What the files behind this one contain, whoever wrote them: where a human's signature is looked for, nothing else. */
export function* stretchesBehind(fs: FileSystem, first: string, number: number): Generator<Stretch> {
  for (const { file, number: other, base } of namedSegments(fs, first))
    if (other > number && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile())
      yield { bytes: fs.readFileSync(file), base };
}

/** Bytes of the journal, and the position of the first of them. */
export interface Stretch {
  readonly bytes: Buffer;
  readonly base: number;
}
