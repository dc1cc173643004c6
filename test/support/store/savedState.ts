/** A store whose state is saved, and a saved state that another program wrote. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { State } from '../../../src/core/state/state.ts';
import { type FileSystem, storeFolder } from '../../../src/store/journal/files.ts';
import { formatCurrent, formatState } from '../../../src/store/saved/snapshot.ts';
import { currentFile } from '../../../src/store/saved/current.ts';
import { sha256 } from '../../../src/trust/canonical.ts';
import { agent, decide, type Human } from './people.ts';
import { type Sandbox } from './sandbox.ts';
import { withHuman } from './withHuman.ts';

/** Q-1 answered and Q-2 open, which holds src/auth; the state is saved. */
export async function savedBy(): Promise<{ readonly sandbox: Sandbox; readonly human: Human }> {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API tokens' });
  const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
  await raiseQuestion(store, agent(), { ...asked, text: 'Drop the table?' });
  await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { choices: ['No'] } });
  await raiseQuestion(store, agent(), { ...asked, text: 'Rotate the keys?', holds: ['src/auth/**'] });
  store.save();
  workspace.close();
  return { sandbox, human };
}

/** The files of saved states: a database, its state, and what gates read. */
export function savedFiles({ folder }: Pick<Sandbox, 'folder'>): string[] {
  const store = path.join(folder, storeFolder);
  const names = fs.readdirSync(store).filter((name) => name.startsWith('holdpoint-') || name === currentFile);
  return names.map((name) => path.join(store, name));
}

/** Without `state.json`, which each program that commits writes. */
export function snapshotFiles(sandbox: Pick<Sandbox, 'folder'>): string[] {
  return savedFiles(sandbox).filter((file) => path.basename(file).startsWith('holdpoint-'));
}

/** The next program finds no saved state. */
export function removeSaved(sandbox: Pick<Sandbox, 'folder'>): void {
  for (const file of savedFiles(sandbox)) fs.rmSync(file);
}

/** What the editor's saving thread does, and how long the journal was each time. */
export function savingThread({ journal }: Pick<Sandbox, 'journal'>, open: () => Workspace) {
  const begun: number[] = [];
  const saveBeside = async () => {
    begun.push(fs.statSync(journal).size);
    const store = await open().store();
    if (store.hasGrown(1)) store.save();
  };
  return { begun, saveBeside };
}

/** A file system that notes which files are opened, by the endings of their names. */
export function noting(): { readonly opened: string[]; readonly fs: FileSystem } {
  const opened: string[] = [];
  const openSync: typeof fs.openSync = (file, ...how) => {
    opened.push(path.extname(String(file)));
    return fs.openSync(file, ...how);
  };
  return { opened, fs: { ...fs, openSync } };
}

function withoutQ2(state: State): void {
  state.questions.delete('Q-2');
  state.holders.delete('Q-2');
}

/** Writes what any program of the user can write: the snapshot, and what gates read. */
export function forge(workspace: Workspace, change: (state: State) => void = withoutQ2): void {
  const { state } = workspace.standing();
  assert.ok(state);
  change(state);
  const { snapshot } = workspace.stateFile.read() ?? {};
  write(workspace, `${snapshot?.name ?? ''}.json`, formatState(state), snapshot?.stateHash);
  forgeForGates(workspace);
}

/** The same, but only what gates read: programs that read the whole state find the question. */
export function forgeForGates(workspace: Workspace, change: (state: State) => void = withoutQ2): void {
  const { state } = workspace.standing();
  assert.ok(state);
  const forged = { ...state, questions: new Map(state.questions), holders: new Set(state.holders) };
  change(forged);
  write(workspace, currentFile, formatCurrent(forged), workspace.stateFile.read()?.current?.stateHash);
}

function write({ location, stateFile }: Workspace, name: string, content: Buffer, hash = '-'): void {
  fs.writeFileSync(path.join(location.root, storeFolder, name), content);
  fs.writeFileSync(stateFile.path, fs.readFileSync(stateFile.path, 'utf8').replace(hash, sha256(content)));
}
