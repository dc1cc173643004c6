/** The files of mirrors: their folders in the store, and reading and writing them without following links. */
import path from 'node:path';
import { isUntouched } from '../../core/mirrors/text.ts';
import type { State } from '../../core/state/state.ts';
import { errorCode, replaceFile } from '../../store/journal/files.ts';
import { storeFolder } from '../../store/journal/segments.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface MirrorFolder {
  readonly folder: string;
  /** The names of mirrors; other files are not ours. The group is the id. */
  readonly name: RegExp;
  readonly has: (state: State, id: string) => boolean;
}

const hasRequest: MirrorFolder['has'] = (state, id) => state.requests.has(id) || state.settledRequests.has(id);

/** Greater than any mirror: a document has 1 MiB at most, and quoting adds less than ten times that. Bytes. */
const largestMirror = 16 * 1024 * 1024;

/** Folders within the store. */
const folders: readonly MirrorFolder[] = [
  { folder: 'queue/inbox', name: /^(R-\d+)\.md$/, has: hasRequest },
  { folder: 'queue/outbox', name: /^(R-\d+)\.md$/, has: hasRequest },
  { folder: 'questions', name: /^(Q-\d+)\.md$/, has: ({ questions }, id) => questions.has(id) },
  { folder: 'rfcs', name: /^(RFC-\d+)\.md$/, has: ({ rfcs }, id) => rfcs.has(id) },
];

/** Changes whenever the file is edited or replaced. */
export interface FileMark {
  readonly ino: number;
  readonly size: number;
  readonly ctimeMs: number;
}

/** Paths are relative to the store's folder. */
export interface MirrorFiles {
  /** Refuses links, which could redirect our writes and deletions. @throws AppError `conflict` */
  requireFolders(): void;
  /** Mirrors without a row. @throws AppError `conflict` when a folder is where a mirror belongs */
  others(state: State): string[];
  /** Null for a missing file. @throws AppError `conflict` when a folder is where a mirror belongs */
  mark(at: string): FileMark | null;
  /** Null for a missing file; empty for a link, and for a file that is too large or unreadable. */
  read(at: string): string | null;
  /** Whether it is missing, or an unedited mirror. */
  isOurs(at: string): boolean;
  write(at: string, text: string): void;
  remove(at: string): void;
}

export function mirrorFiles({ location, options }: Workspace): MirrorFiles {
  const { fs, newId } = options;
  const root = path.join(location.root, storeFolder);

  function requireFolder(folder: string): void {
    const steps = folder.split('/');
    for (let depth = 0; depth <= steps.length; depth++) {
      const at = path.join(root, ...steps.slice(0, depth));
      const stat = fs.lstatSync(at, { throwIfNoEntry: false });
      if (stat && !stat.isDirectory())
        throw new AppError(
          'conflict',
          `${relative(at)} is a link or a file where a folder of mirrors belongs: remove it`,
        );
    }
  }

  function othersIn({ folder, name, has }: MirrorFolder, state: State): string[] {
    const others: string[] = [];
    for (const entry of namesIn(folder)) {
      const id = name.exec(entry)?.[1];
      if (id !== undefined && !has(state, id)) others.push(`${folder}/${entry}`);
    }
    for (const at of others) requireFile(at);
    return others;
  }

  function requireFile(at: string): ReturnType<typeof statOf> {
    const stat = statOf(at);
    if (stat?.isDirectory())
      throw new AppError('conflict', `${relative(path.join(root, at))} is a folder where a mirror belongs: remove it`);
    return stat;
  }

  /** Without their types, which each take an object: of thousands, most are as they were. */
  function namesIn(folder: string) {
    try {
      return fs.readdirSync(path.join(root, folder));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  function relative(at: string): string {
    return path.relative(location.root, at).split(path.sep).join('/');
  }

  function statOf(at: string) {
    return fs.lstatSync(`${root}/${at}`, { throwIfNoEntry: false }) ?? null;
  }

  /** Anything but a mirror reads as empty and is then replaced: one file must not stop all mirrors. */
  function read(at: string): string | null {
    const stat = statOf(at);
    if (!stat) return null;
    if (!stat.isFile() || stat.size > largestMirror) return '';
    try {
      return fs.readFileSync(path.join(root, at), 'utf8');
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return errorCode(error) === 'ENOENT' ? null : '';
    }
  }

  return {
    requireFolders() {
      for (const { folder } of folders) requireFolder(folder);
    },
    others: (state) => folders.flatMap((one) => othersIn(one, state)),
    mark: requireFile,
    read,
    isOurs(at) {
      const text = read(at);
      return text === null || isUntouched(text, hashOf);
    },
    write(at, text) {
      const file = path.join(root, at);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(fs, file, Buffer.from(text), `${file}.${newId()}.tmp`);
    },
    remove(at) {
      fs.rmSync(path.join(root, at), { force: true });
    },
  };
}
