/**
 * The files of a journal: `00000001.jsonl`, then `<number>-<base>.jsonl`, where `base` is the offset of its first byte.
 * A name proves nothing: the previous file must end, at exactly that offset, with a valid seal.
 */
import path from 'node:path';
import { namesIn, type FileSystem } from './files.ts';

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

/** One folder can contain copies of several journals, so segment names start with the name of the first file. */
function prefixOf(first: string): string {
  const name = path.basename(first);
  return name === firstSegment ? '' : `${name.replace(/\.jsonl$/, '')}.`;
}

export interface NamedSegment {
  readonly file: string;
  readonly number: number;
  readonly base: number;
}

/** Every file whose name looks like a later segment of the first file, in order; the contents are not checked. */
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

/** The offset at which a journal seems to end, by the names and sizes of its files; 0 without any. Bytes. */
export function seemingEnd(fs: FileSystem, first: string): number {
  const { file, base } = namedSegments(fs, first).at(-1) ?? { file: first, base: 0 };
  return base + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
}

/** Contents of the files after this one, unverified: only for finding a human's signature in them. */
export function* stretchesBehind(fs: FileSystem, first: string, number: number): Generator<Stretch> {
  for (const { file, number: other, base } of namedSegments(fs, first))
    if (other > number && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile())
      yield { bytes: fs.readFileSync(file), base };
}

/** Bytes of the journal, and the offset of the first one. */
export interface Stretch {
  readonly bytes: Buffer;
  readonly base: number;
}

/** Paths that are looked at before each commit, joined once. */
interface Places {
  readonly folders: readonly string[];
  /** First file of the journal. */
  readonly file: string;
}

export function placesOf(root: string): Places {
  const store = path.join(root, storeFolder);
  return { folders: [store, path.join(store, 'journal')], file: journalPath(root) };
}

export function unsafeIn(fs: FileSystem, root: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) return `${path.relative(root, folder)} is not a folder but a link or file.`;
  }
  return null;
}

export function unsafeFile(fs: FileSystem, root: string, name: string): string | null {
  const file = fs.lstatSync(name, { throwIfNoEntry: false });
  return file && !file.isFile() ? `${path.relative(root, name)} is not a plain file.` : null;
}
