/**
 * Development versions ended a long journal file with a seal, and went on in `<number>-<base>.jsonl`, whose first byte
 * belongs at the offset `base` of the journal: where the seal ends. Here their bytes come back into the one file.
 */
import path from 'node:path';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { errorCode, namesIn, syncFolder, type FileSystem } from './files.ts';
import { lineEndingAt, openJournal, readFrame } from './openJournal.ts';

interface FurtherFile {
  readonly file: string;
  readonly base: number;
}

interface Content extends FurtherFile {
  readonly bytes: Buffer;
}

/** In their order. The contents are not checked. */
export function furtherFiles(fs: FileSystem, journal: string): FurtherFile[] {
  const folder = path.dirname(journal);
  const name = path.basename(journal);
  // One folder can contain copies of several journals.
  const prefix = name === '00000001.jsonl' ? '' : `${name.replace(/\.jsonl$/, '')}.`;
  return namesIn(fs, folder)
    .flatMap((one) => {
      const base = one.startsWith(prefix) ? /^\d{8,}-(\d+)\.jsonl$/.exec(one.slice(prefix.length))?.[1] : undefined;
      return base === undefined ? [] : [{ file: path.join(folder, one), base: Number(base) }];
    })
    .sort((one, other) => one.base - other.base);
}

/**
 * Safe when several programs do it at once, because they write the same, and none appends before the files are renamed. A
 * file without a seal before it is not part of the journal, nor is one in whose place lines of the journal stand.
 * @throws when the disk refuses
 */
export function joinFiles(fs: FileSystem, journal: string): void {
  const further = furtherFiles(fs, journal);
  const open = further.length === 0 ? null : openJournal(fs, journal);
  if (!open) return;
  const withBytes = (one: FurtherFile): Content => ({ ...one, bytes: fs.readFileSync(one.file) });
  try {
    // First: a program that is done has renamed the files before it appends more.
    const size = open.size();
    const contents = further.filter(({ file }) => fs.lstatSync(file).isFile()).map(withBytes);
    let bytes = typeof size === 'string' ? Buffer.alloc(0) : open.read(0, size);
    const joined: Content[] = [];
    for (const one of contents) {
      const isNext = one.base > (joined.at(-1)?.base ?? 0) && isSeal(lineEndingAt(bytes, 0, one.base));
      if (!isNext || !areAllIn(contents, bytes, one.base)) continue;
      bytes = Buffer.concat([bytes.subarray(0, one.base), one.bytes]);
      joined.push(one);
    }
    const [first] = joined;
    if (!first || typeof size === 'string') return;
    // Lines that lost a race against the last seal were longer than what followed it.
    const rest = Buffer.alloc(Math.max(0, size - bytes.length), '\n');
    open.place(Buffer.concat([bytes.subarray(first.base), rest]), first.base);
    open.sync();
    for (const { file } of joined) fs.renameSync(file, `${file}.joined`);
    syncFolder(fs, path.dirname(journal));
  } catch (error) {
    // Another program has joined them meanwhile.
    if (errorCode(error) !== 'ENOENT') throw error;
  } finally {
    open.close();
  }
}

function isSeal(body: { readonly records?: unknown } | null): boolean {
  return (
    Array.isArray(body?.records) && body.records.some((one) => (one as { kind?: unknown } | null)?.kind === sealed)
  );
}
const sealed = 'segment.sealed';

/** Whether each line of the journal behind `from` is in one of these files as well. */
function areAllIn(contents: readonly Content[], journal: Buffer, from: number): boolean {
  for (let at = from; at >= 0 && at < journal.length; at = journal.indexOf(0x0a, at + 1)) {
    const found = readFrame(journal, 0, at);
    if (found.kind !== 'framed' || (jsonOrNull(found.text) as { at?: unknown } | null)?.at !== at) continue;
    const line = journal.subarray(at, found.next);
    if (!contents.some(({ base, bytes }) => at >= base && bytes.subarray(at - base, found.next - base).equals(line)))
      return false;
  }
  return true;
}
