/**
 * Mirrors: Markdown copies of rows, for people and models. They are written from the database and never read back;
 * manual edits are overwritten and reported.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addStamp, isUntouched, questionMirror, requestMirror, rfcMirror } from './texts.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { listRequests, requestDetails, workspaceOf } from '../request/views.ts';
import { rfcView } from '../rfc/views.ts';
import { questionViews } from '../question/views.ts';
import type { Workspace } from '../workspace/workspace.ts';
import path from 'node:path';
import { errorCode, replaceFile, storeFolder } from '../../store/journal/files.ts';
import { AppError } from '../workspace/errors.ts';

/** What was done or, with `check`, would be done. Paths are relative to the store's folder. */
export interface Mirrored {
  readonly total: number;
  /** New or outdated mirrors. */
  readonly written: readonly string[];
  /** Mirrors without a row. */
  readonly removed: readonly string[];
  /** Those among them that were edited by hand; the edits are lost. */
  readonly edited: readonly string[];
}

/** What earlier calls found. A store that is opened again has another state. */
export type MirrorMemory = WeakMap<State, Known>;

interface Known {
  /** Mirrors of questions that were compared with their rows, by path. */
  readonly compared: Map<string, Compared>;
  /** When a call last began to look at all files. */
  lookedAt: number;
}

interface Compared {
  /** Values of the state that the text was made from. They are immutable: what changes is another object. */
  readonly sources: readonly unknown[];
  readonly file: FileMark;
}

/** How long one step reads and writes before yielding. Milliseconds. */
const turnMs = 8;
/**
 * How long a program that keeps mirrors up to date looks only at those that its own rows change: looking at thousands of
 * files, most of them as they were, would take longer than all else. Milliseconds.
 */
export const looksEveryMs = 10_000;
/** Number of questions read per query. */
const portion = 50;

interface MirrorOptions {
  readonly check?: boolean;
  readonly memory?: MirrorMemory;
  readonly everyMs?: number;
}

/**
 * Synchronises all mirrors with their rows. Writes only differences, each file as a whole; yields in between, and each
 * mirror reflects its row at that moment.
 * @param check only report, write nothing
 * @param memory of earlier calls for this workspace: a question's file is read again only after it or its row changed
 * @param everyMs for how long after a call that looked at all files the memory is believed about those whose rows are as
 *   they were. Then a file that was edited or removed meanwhile is found by a later call. Default: never
 * @throws AppError `conflict` when one of the folders is not a plain folder
 */
export async function mirror(
  workspace: Workspace,
  { check = false, memory = new WeakMap(), everyMs = 0 }: MirrorOptions = {},
): Promise<Mirrored> {
  const { clock } = workspace.options;
  const files = mirrorFiles(workspace);
  const written: string[] = [];
  const removed: string[] = [];
  const edited: string[] = [];
  let total = 0;
  let view = (await workspace.store()).read();
  const began = clock();
  const known = knownOf(view.state);
  const looksAtAll = began - known.lookedAt >= everyMs;
  files.requireFolders();
  if (looksAtAll) removeOthers();
  let until = clock() + turnMs;
  for (const [at, text] of otherMirrors(view)) await keep(at, text);
  for (let number = 1; number <= view.state.questions.size;) {
    view = (await workspace.store()).read();
    const { compared } = knownOf(view.state);
    const outdated: string[] = [];
    // Question numbers have no gaps.
    do {
      const id = `Q-${String(number++)}`;
      if (isCurrent(compared, view.state, id)) total++;
      else outdated.push(id);
    } while (number <= view.state.questions.size && outdated.length < portion && clock() < until);
    for (const [question, sources] of questionsOf(view, outdated)) {
      const at = pathOf(question.id);
      const file = await keep(at, () => questionMirror(question, workspaceOf(view)));
      if (file) compared.set(at, { sources, file });
    }
    await turn();
  }
  if (looksAtAll && !check) known.lookedAt = began;
  return { total, written, removed, edited };

  /** Synchronously, so that a mirror written by another program for a new row is not removed. */
  function removeOthers(): void {
    for (const at of files.others(view.state)) {
      if (!files.isOurs(at)) edited.push(at);
      removed.push(at);
      if (!check) files.remove(at);
    }
  }

  function knownOf(state: State): Known {
    const known = memory.get(state) ?? { compared: new Map<string, Compared>(), lookedAt: -Infinity };
    memory.set(state, known);
    return known;
  }

  function isCurrent(compared: ReadonlyMap<string, Compared>, state: State, id: string): boolean {
    const question = state.questions.get(id);
    const known = compared.get(pathOf(id));
    if (!question || !known || !sameItems(known.sources, sourcesOf(state, question))) return false;
    if (!looksAtAll) return true;
    const file = files.mark(pathOf(id));
    const { ino, size, ctimeMs } = known.file;
    return file !== null && file.ino === ino && file.size === size && file.ctimeMs === ctimeMs;
  }

  /** Returns the mark of a file that was current already. */
  async function keep(at: string, text: () => string): Promise<FileMark | null> {
    await turn();
    total++;
    const next = addStamp(text());
    const file = files.mark(at); // before reading: what is written in between changes it
    const before = file && files.read(at);
    if (before === next) return file;
    if (before !== null && !isUntouched(before)) edited.push(at);
    written.push(at);
    if (!check) files.write(at, next);
    return null;
  }

  async function turn(): Promise<void> {
    if (clock() < until) return;
    await nextTurn();
    files.requireFolders();
    until = clock() + turnMs;
  }
}

const pathOf = (id: string) => `questions/${id}.md`;

function sourcesOf({ work }: State, question: Question): readonly unknown[] {
  const named = question.work === null ? question.alsoWork : [question.work, ...question.alsoWork];
  const items = named.map((id) => work.get(id));
  return [question, ...items, ...items.map((item) => (item?.workflow == null ? null : work.get(item.workflow)))];
}

function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function questionsOf(view: View, ids: readonly string[]) {
  return questionViews(view, ids).map((question) => {
    const folded = view.state.questions.get(question.id);
    return [question, folded ? sourcesOf(view.state, folded) : []] as const;
  });
}

const boxes = ['inbox', 'outbox'] as const;

/** Mirrors of requests and RFCs: path and text function, if the row still exists. */
function* otherMirrors(view: View): Generator<readonly [string, () => string]> {
  const workspace = workspaceOf(view);
  for (const { id } of listRequests(view, { box: 'all', of: [], limit: Number.MAX_SAFE_INTEGER }).requests) {
    const request = requestDetails(view, id);
    if (request) for (const box of boxes) yield [`queue/${box}/${id}.md`, () => requestMirror(request, box)];
  }
  for (const id of view.state.rfcs.keys()) {
    const rfc = rfcView(view, id);
    if (rfc) yield [`rfcs/${id}.md`, () => rfcMirror(rfc, workspace)];
  }
}

// The files of mirrors: their folders in the store, and reading and writing them without following links.

interface MirrorFolder {
  readonly folder: string;
  /** The names of mirrors; other files are not ours. The group is the id. */
  readonly name: RegExp;
  readonly has: (state: State, id: string) => boolean;
}

const hasRequest: MirrorFolder['has'] = (state, id) => state.requests.has(id) || state.settledRequests.has(id);

/** Greater than any mirror: a document has 1 MiB at most, and quoting adds less than ten times that. Bytes. */
const largestMirror = 16 * 1024 * 1024;

const folders: readonly MirrorFolder[] = [
  { folder: 'queue/inbox', name: /^(R-\d+)\.md$/, has: hasRequest },
  { folder: 'queue/outbox', name: /^(R-\d+)\.md$/, has: hasRequest },
  { folder: 'questions', name: /^(Q-\d+)\.md$/, has: ({ questions }, id) => questions.has(id) },
  { folder: 'rfcs', name: /^(RFC-\d+)\.md$/, has: ({ rfcs }, id) => rfcs.has(id) },
];

/** Changes whenever the file is edited or replaced. */
interface FileMark {
  readonly ino: number;
  readonly size: number;
  readonly ctimeMs: number;
}

/** Paths are relative to the store's folder. */
function mirrorFiles({ location, options }: Workspace) {
  const { fs, newId } = options;
  const root = path.join(location.root, storeFolder);

  /** Refuses links, which could redirect our writes and deletions. @throws AppError `conflict` */
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

  /** Null for a missing file. @throws AppError `conflict` when a folder is where a mirror belongs */
  function requireFile(at: string): FileMark | null {
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

  /** Null for a missing file. Anything but a mirror reads as empty and is then replaced: one must not stop all mirrors. */
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
    /** Mirrors without a row. */
    others: (state: State) => folders.flatMap((one) => othersIn(one, state)),
    mark: requireFile,
    read,
    /** Whether it is missing, or an unedited mirror. */
    isOurs(at: string): boolean {
      const text = read(at);
      return text === null || isUntouched(text);
    },
    write(at: string, text: string): void {
      const file = path.join(root, at);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(fs, file, Buffer.from(text), `${file}.${newId()}.tmp`);
    },
    remove(at: string): void {
      fs.rmSync(path.join(root, at), { force: true });
    },
  };
}
