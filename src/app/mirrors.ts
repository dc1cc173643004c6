/**
 * Mirrors: Markdown views of rows for people and models to read (seed 004). They are written from the database and never
 * read back: what somebody edits in one is overwritten, and said.
 */
import path from 'node:path';
import { isUntouched, stamped } from '../core/mirrorText.ts';
import { errorCode, replaceFile } from '../store/files.ts';
import { storeFolder } from '../store/journalFile.ts';
import type { View } from '../store/store.ts';
import { hashOf } from '../trust/canonical.ts';
import { AppError } from './errors.ts';
import { questionMirror, requestMirror, rfcMirror } from './mirrorTexts.ts';
import { listRequests, requestDetails, workspaceOf } from './requestViews.ts';
import { listRfcs, rfcView } from './rfcViews.ts';
import { listQuestions } from './views.ts';
import type { Workspace } from './workspace.ts';

/** Folders within the store, and the names of mirrors in them: nothing else in there is ours. */
const folders: readonly { readonly folder: string; readonly name: RegExp }[] = [
  { folder: 'queue/inbox', name: /^R-\d+\.md$/ },
  { folder: 'queue/outbox', name: /^R-\d+\.md$/ },
  { folder: 'questions', name: /^Q-\d+\.md$/ },
  { folder: 'rfcs', name: /^RFC-\d+\.md$/ },
];

/** What was done, or with `check` what is to be done. Paths are relative to the store's folder. */
export interface Mirrored {
  readonly total: number;
  /** New, or not as the row is. */
  readonly written: readonly string[];
  /** Their row is not there. */
  readonly removed: readonly string[];
  /** Of all those: what somebody had changed by hand. That is gone. */
  readonly edited: readonly string[];
}

/**
 * Brings all mirrors in line with their rows. Writes only what differs, each file as a whole.
 * @param check look only: nothing is written
 * @throws AppError `conflict` when one of the folders is no plain folder
 */
export async function mirror(workspace: Workspace, { check = false } = {}): Promise<Mirrored> {
  const store = await workspace.store();
  const wanted = mirrorsOf(store.read());
  const { fs, newId } = workspace.options;
  const root = path.join(workspace.location.root, storeFolder);
  const written: string[] = [];
  const removed: string[] = [];
  const edited: string[] = [];
  for (const { folder, name } of folders) requirePlain(folder, name);
  for (const { folder, name } of folders)
    for (const found of filesIn(folder)) {
      const at = `${folder}/${found}`;
      if (!name.test(found) || wanted.has(at)) continue;
      if (!isOurs(at)) edited.push(at);
      removed.push(at);
      if (!check) fs.rmSync(path.join(root, at), { force: true });
    }
  for (const [at, text] of wanted) {
    const before = read(at);
    if (before === text) continue;
    if (before !== null && !isUntouched(before, hashOf)) edited.push(at);
    written.push(at);
    if (check) continue;
    const file = path.join(root, at);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(fs, file, Buffer.from(text), `${file}.${newId()}.tmp`);
  }
  return { total: wanted.size, written, removed, edited };

  /** Whoever can put a link here must not make us write or delete somewhere else. */
  function requirePlain(folder: string, name: RegExp): void {
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
    for (const found of filesIn(folder)) {
      const at = path.join(root, folder, found);
      if (name.test(found) && fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory())
        throw new AppError('conflict', `${relative(at)} is a folder where a mirror belongs: remove it`);
    }
  }

  function relative(at: string): string {
    return path.relative(workspace.location.root, at).split(path.sep).join('/');
  }

  function filesIn(folder: string): string[] {
    try {
      return fs.readdirSync(path.join(root, folder)).sort();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  function isOurs(at: string): boolean {
    const text = read(at);
    return text === null || isUntouched(text, hashOf);
  }

  /** Null for what is not there. A link is never followed: it is no mirror, whatever it leads to. */
  function read(at: string): string | null {
    const file = path.join(root, at);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return null;
    return stat.isFile() ? fs.readFileSync(file, 'utf8') : '';
  }
}

/** Every mirror there should be, by its path. Names are made of ids alone. */
function mirrorsOf(view: View): Map<string, string> {
  const workspace = workspaceOf(view);
  const mirrors = new Map<string, string>();
  const add = (at: string, text: string) => mirrors.set(at, stamped(text, hashOf));
  for (const { id } of listRequests(view, { box: 'all', of: [], limit: Number.MAX_SAFE_INTEGER }).requests) {
    const request = requestDetails(view, id);
    if (!request) continue;
    for (const box of ['inbox', 'outbox'] as const) add(`queue/${box}/${id}.md`, requestMirror(request, box));
  }
  for (const question of listQuestions(view).questions)
    add(`questions/${question.id}.md`, questionMirror(question, workspace));
  for (const { id } of listRfcs(view)) {
    const rfc = rfcView(view, id);
    if (rfc) add(`rfcs/${id}.md`, rfcMirror(rfc, workspace));
  }
  return mirrors;
}
