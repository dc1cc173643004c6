/**
 * Stores with a given number of open questions. A journal does not contain its folder, so one is created and copied.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../src/app/workspace/workspace.ts';
import type { Actor, RecordInput } from '../src/core/records/records.ts';
import { noLine } from '../src/core/records/parts.ts';
import { journalPath, storeFolder } from '../src/store/journal/files.ts';
import { encodeLine } from '../src/store/journal/line.ts';
import { parseRecords } from '../src/store/store.ts';
import type { Anchor } from '../src/store/journal/stateFile.ts';

export interface Place {
  readonly folder: string;
  readonly home: string;
}

export interface Seed extends Place {
  readonly anchor: Anchor;
}

const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
export const system: Actor = { kind: 'system', id: 'holdpoint' };
export const asker: Actor = { kind: 'agent', id: 'bench-001', worktree: '.' };
const workItems = 100;

export function openPlace(
  { folder, home }: Place,
  options: Partial<Pick<WorkspaceOptions, 'saveBeside' | 'env' | 'humanLogin'>> = {},
): Workspace {
  return openWorkspace({
    folder,
    fs,
    env: {},
    platform: process.platform,
    home,
    clock: Date.now,
    newId: randomUUID,
    wasm: () => fs.readFileSync(wasmFile),
    ...options,
  });
}

/** Environment for programs, so that they find this place's user-level files. */
export function environmentOf({ home }: Place): NodeJS.ProcessEnv {
  const { XDG_STATE_HOME: _, ...env } = process.env;
  return { ...env, HOME: home, USERPROFILE: home, LOCALAPPDATA: path.join(home, 'AppData', 'Local') };
}

export function newPlace(parent: string): Place {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(parent, 'place-')));
  const place = { folder: path.join(base, 'ws'), home: path.join(base, 'home') };
  fs.mkdirSync(place.folder);
  fs.mkdirSync(place.home);
  return place;
}

/**
 * The question that every writer asks, with the same fields, so that rows and lines are comparable. `mark` makes it
 * unique.
 */
export function questionOf(
  number: number,
  mark: string,
  expiresAt: string,
): Extract<RecordInput, { kind: 'question.raised' }> {
  const area = number % workItems;
  return {
    kind: 'question.raised',
    v: 1,
    id: `Q-${String(number)}`,
    text: `May the importer of area ${String(area)} drop rows it cannot read (${mark}), or must it stop at the first?`,
    type: 'clarification',
    urgency: 'medium',
    mode: 'sync',
    work: `t-${String(area)}`,
    choices: [
      { label: 'Drop', description: 'Count what was dropped and go on.' },
      { label: 'Stop', description: 'Nothing is imported.', recommended: true },
    ],
    background: 'About one row in ten thousand is not what the format says. Partners see the result the next morning.',
    impact: 'Decides whether the nightly import can run unattended.',
    files: [{ path: `src/area-${String(area)}/import.ts`, line: 12 }],
    holds: number % 2 === 0 ? [`src/area-${String(area)}/part-${String(number)}/**`] : [],
    expiresAt,
  };
}

type Write = ReturnType<typeof openJournalWriter>['write'];

/**
 * A store with `count` open sync questions and a snapshot, as if asked one after another.
 * @param more writes further lines
 */
export async function makeSeed(parent: string, count: number, more?: (write: Write) => void): Promise<Seed> {
  const place = newPlace(parent);
  const { write, close } = openJournalWriter(journalPath(place.folder));
  writeQuestions(write, count);
  more?.(write);
  close();
  return saved(place);
}

/** Reads a journal as the first program does, and writes the snapshot. */
export async function saved(place: Place): Promise<Seed> {
  const workspace = openPlace(place);
  await workspace.store();
  workspace.close();
  const anchor = workspace.stateFile.read();
  if (!anchor) throw new Error('no anchor was written');
  return { ...place, anchor };
}

/** A copy of a seed to work on; without `snapshot`, everything must be replayed from the journal. */
export function copySeed(parent: string, seed: Seed, snapshot = true): Place {
  const place = newPlace(parent);
  fs.cpSync(path.join(seed.folder, storeFolder), path.join(place.folder, storeFolder), {
    recursive: true,
    filter: (file) => snapshot || !/\.(sqlite|json)$/.test(file),
  });
  flushLarge(path.join(place.folder, storeFolder));
  openPlace(place).stateFile.advance({
    ...seed.anchor,
    root: place.folder,
    snapshot: snapshot ? seed.anchor.snapshot : null,
    current: snapshot ? seed.anchor.current : null,
  });
  return place;
}

/** Otherwise the first flush that is measured would write them, which takes seconds. */
function flushLarge(folder: string): void {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || fs.statSync(file).size < 1_000_000) continue;
    const descriptor = fs.openSync(file, 'r+');
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
  }
}

/** The snapshot, a plain SQLite file. */
export function snapshotFile(seed: Seed): string {
  return path.join(seed.folder, storeFolder, `${seed.anchor.snapshot?.name ?? ''}.sqlite`);
}

/** Writes a journal from its start in large chunks. */
export function openJournalWriter(file: string) {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const journal = fs.openSync(file, 'wx', 0o600);
  let at = 0;
  let prev = noLine;
  let waiting: Buffer[] = [];
  const flush = () => {
    fs.writeSync(journal, Buffer.concat(waiting));
    waiting = [];
  };
  const close = () => {
    flush();
    fs.fsyncSync(journal);
    fs.closeSync(journal);
  };
  const write = (time: number, actor: Actor, records: RecordInput[]) => {
    const written = { actor, records: parseRecords(records) };
    const { bytes, hash } = encodeLine({ at, prev, op: randomUUID(), time: new Date(time).toISOString(), ...written });
    waiting.push(bytes);
    at += bytes.length;
    prev = hash;
    if (waiting.length === 1_000) flush();
  };
  return { write, close };
}

export function workspaceCreated(): RecordInput {
  return { kind: 'workspace.created', v: 1, workspace: randomUUID(), minReader: 1, minWriter: 1 };
}

function writeQuestions(write: Write, count: number): void {
  const began = Date.now() - count;
  const expiresAt = new Date(began + 365 * 24 * 60 * 60 * 1000).toISOString();
  write(began, system, [workspaceCreated()]);
  write(began, asker, [
    { kind: 'agent.registered', v: 1, id: asker.id, type: 'bench', host: 'bench', label: asker.id },
    ...Array.from({ length: workItems }, (_, area): RecordInput => ({
      kind: 'work.registered',
      v: 1,
      id: `t-${String(area)}`,
      workKind: 'task',
      title: `Import of area ${String(area)}`,
      holds: [`src/area-${String(area)}`, `test/area-${String(area)}/*.test.ts`],
    })),
    { kind: 'work.registered', v: 1, id: 'free', workKind: 'task', title: 'Work without a question' },
  ]);
  for (let number = 1; number <= count; number++)
    write(began + number, asker, [questionOf(number, `no ${String(number)}`, expiresAt)]);
}
