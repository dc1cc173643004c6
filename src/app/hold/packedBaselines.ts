/**
 * `.holdpoint/baselines/packed.jsonl`: copies of baselines in one file, a line each, because opening thousands of files
 * takes most of a look. Agents can write there. A line is found only by its own hash, and the journal has the hash of each
 * baseline: a forged line is never found, and a baseline whose line is missing is read from its own file.
 */
import path from 'node:path';
import { replaceFile, type FileSystem } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Answering } from '../workspace/atGate.ts';
import { baselineFolder, baselineText, isFolder, packedName, type BaselineTexts } from './baseline.ts';

/** Fewer are read as quickly from their own files. */
const packedFrom = 64;
/** Comparing a larger one takes longer than opening it. */
const lineAtMost = 64 * 1024;
const packedAtMost = 64 * 1024 * 1024;

/** For a few: from their own files, else from the copies. */
export function fewTexts({ options: { fs }, location: { root } }: Answering): BaselineTexts {
  let packed: ReadonlyMap<string, string> | null = null;
  return (id, hash) => baselineText(fs, root, id, hash) ?? (packed ??= readPacked(fs, root)).get(hash) ?? null;
}

/** For all: from the copies, else from their own files. `pack` writes new copies where that makes the next look quicker. */
export function allTexts(workspace: Answering): { readonly texts: BaselineTexts; pack(): void } {
  const { options, location } = workspace;
  const packed = readPacked(options.fs, location.root);
  const used = new Map<string, string>();
  let added = 0;
  const texts: BaselineTexts = (id, hash) => {
    const copy = packed.get(hash);
    const text = copy ?? baselineText(options.fs, location.root, id, hash);
    if (text === null || text.length > lineAtMost) return text;
    if (copy === undefined) added += 1;
    used.set(hash, text);
    return text;
  };
  const pack = () => {
    const isOutdated = added >= packedFrom + packed.size / 4 || packed.size > packedFrom + 2 * used.size;
    if (isOutdated && options.mayWrite?.() !== false) writePacked(workspace, [...used.values()]);
  };
  return { texts, pack };
}

function readPacked(fs: FileSystem, root: string): ReadonlyMap<string, string> {
  try {
    const file = packedFile(root);
    const size = fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size > packedAtMost) return new Map();
    const lines = fs.readFileSync(file).toString('utf8').split('\n');
    return new Map(lines.map((line) => [sha256(line), line]));
  } catch {
    return new Map();
  }
}

/** Never throws: without copies, each baseline is read from its own file. */
function writePacked({ options: { fs, newId }, location: { root } }: Answering, texts: readonly string[]): void {
  try {
    const bytes = Buffer.from(texts.join('\n'));
    if (bytes.length > packedAtMost || !isFolder(fs, baselineFolder(root))) return;
    replaceFile(fs, packedFile(root), bytes, `${packedFile(root)}.${newId()}.tmp`);
  } catch {
    return;
  }
}

function packedFile(root: string): string {
  return path.join(baselineFolder(root), packedName);
}
