/**
 * Mirrors: Markdown copies of rows, for people and models. They are written from the database and never read back;
 * manual edits are overwritten and reported.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import { isUntouched, stamped } from '../../core/mirrors/text.ts';
import { errorCode, replaceFile } from '../../store/journal/files.ts';
import { storeFolder } from '../../store/journal/segments.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { questionMirror, requestMirror, rfcMirror } from './texts.ts';
import { listRequests, requestDetails, workspaceOf } from '../request/views.ts';
import { listRfcs, rfcView } from '../rfc/views.ts';
import { listQuestions } from '../question/views.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Folders within the store, and the names of mirrors in them; other files are not ours. */
const folders: readonly { readonly folder: string; readonly name: RegExp }[] = [
  { folder: 'queue/inbox', name: /^R-\d+\.md$/ },
  { folder: 'queue/outbox', name: /^R-\d+\.md$/ },
  { folder: 'questions', name: /^Q-\d+\.md$/ },
  { folder: 'rfcs', name: /^RFC-\d+\.md$/ },
];

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

/** How long one step reads and writes before yielding. Milliseconds. */
const turnMs = 8;
/** Number of questions read per query. */
const portion = 50;

/**
 * Synchronises all mirrors with their rows. Writes only differences, each file as a whole; yields in between, and each
 * mirror reflects its row at that moment.
 * @param check only report, write nothing
 * @throws AppError `conflict` when one of the folders is not a plain folder
 */
export async function mirror(workspace: Workspace, { check = false } = {}): Promise<Mirrored> {
  const { fs, newId, clock } = workspace.options;
  const root = path.join(workspace.location.root, storeFolder);
  const written: string[] = [];
  const removed: string[] = [];
  const edited: string[] = [];
  let total = 0;
  for (const { folder, name } of folders) {
    requireFolder(folder);
    requireFiles(folder, name);
  }
  removeOthers(namesOf((await workspace.store()).read()));
  let until = clock() + turnMs;
  for (let from = 1, through = 1; from <= through; from += portion) {
    const view = (await workspace.store()).read();
    through = view.state.questions.size; // question numbers have no gaps
    if (from === 1) for (const [at, text] of otherMirrors(view)) await keep(at, text);
    for (const [at, text] of questionMirrors(view, [from, from + portion - 1])) await keep(at, text);
  }
  return { total, written, removed, edited };

  /** Synchronously, so that a mirror written by another program for a new row is not removed. */
  function removeOthers(wanted: ReadonlySet<string>): void {
    for (const { folder, name } of folders)
      for (const found of entriesOf(folder)) {
        const at = `${folder}/${found.name}`;
        if (!name.test(found.name) || wanted.has(at)) continue;
        if (!isOurs(at)) edited.push(at);
        removed.push(at);
        if (!check) fs.rmSync(path.join(root, at), { force: true });
      }
  }

  async function keep(at: string, text: () => string): Promise<void> {
    await turn();
    total++;
    const next = stamped(text(), hashOf);
    const before = read(at);
    if (before === next) return;
    if (before !== null && !isUntouched(before, hashOf)) edited.push(at);
    written.push(at);
    if (check) return;
    const file = path.join(root, at);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(fs, file, Buffer.from(next), `${file}.${newId()}.tmp`);
  }

  async function turn(): Promise<void> {
    if (clock() < until) return;
    await nextTurn();
    for (const { folder } of folders) requireFolder(folder);
    until = clock() + turnMs;
  }

  /** Refuses links, which could redirect our writes and deletions. */
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

  function requireFiles(folder: string, name: RegExp): void {
    for (const entry of entriesOf(folder))
      if (entry.isDirectory() && name.test(entry.name))
        throw new AppError(
          'conflict',
          `${relative(path.join(root, folder, entry.name))} is a folder where a mirror belongs: remove it`,
        );
  }

  function relative(at: string): string {
    return path.relative(workspace.location.root, at).split(path.sep).join('/');
  }

  function entriesOf(folder: string) {
    try {
      return fs.readdirSync(path.join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  function isOurs(at: string): boolean {
    const text = read(at);
    return text === null || isUntouched(text, hashOf);
  }

  /** Null for a missing file. Does not follow links; a link is not a mirror. */
  function read(at: string): string | null {
    const file = path.join(root, at);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return null;
    return stat.isFile() ? fs.readFileSync(file, 'utf8') : '';
  }
}

/** The names of all expected mirrors. Paths consist of ids only. */
function namesOf(view: View): Set<string> {
  return new Set([
    ...requestsOf(view).flatMap(({ id }) => boxes.map((box) => `queue/${box}/${id}.md`)),
    ...[...view.state.questions.keys()].map((id) => `questions/${id}.md`),
    ...listRfcs(view).map(({ id }) => `rfcs/${id}.md`),
  ]);
}

const boxes = ['inbox', 'outbox'] as const;

function requestsOf(view: View) {
  return listRequests(view, { box: 'all', of: [], limit: Number.MAX_SAFE_INTEGER }).requests;
}

/** Mirrors of requests and RFCs: path and text function, if the row still exists. */
function* otherMirrors(view: View): Generator<readonly [string, () => string]> {
  const workspace = workspaceOf(view);
  for (const { id } of requestsOf(view)) {
    const request = requestDetails(view, id);
    if (request) for (const box of boxes) yield [`queue/${box}/${id}.md`, () => requestMirror(request, box)];
  }
  for (const { id } of listRfcs(view)) {
    const rfc = rfcView(view, id);
    if (rfc) yield [`rfcs/${id}.md`, () => rfcMirror(rfc, workspace)];
  }
}

function* questionMirrors(view: View, numbers: readonly [number, number]): Generator<readonly [string, () => string]> {
  const workspace = workspaceOf(view);
  for (const question of listQuestions(view, { numbers }).questions)
    yield [`questions/${question.id}.md`, () => questionMirror(question, workspace)];
}
