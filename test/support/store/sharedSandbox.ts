/**
 * Runs the tests of the store on a shared journal: with HOLDPOINT_TEST_JOURNAL=postgres, each sandbox's workspace is one on
 * a real server, copied to the sandbox's machine. Tests open sandboxes without waiting, so a thread does the preparing.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import { addMember, foundingRecords } from '../../../src/app/team/ring.ts';
import {
  readSharedRing,
  writeSharedFile,
  writeUserFile,
  type SharedFile,
  type UserFiles,
} from '../../../src/app/workspace/sharedFile.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/app/workspace/workspace.ts';
import { beginningOf } from '../../../src/core/records/records.ts';
import { hashOfRecord } from '../../../src/trust/ringRecords.ts';
import { findStore } from '../../../src/store/journal/findStore.ts';
import { journalPath } from '../../../src/store/journal/files.ts';
import { openStateFile } from '../../../src/store/journal/stateFile.ts';
import { makeHuman, type Human } from './human.ts';
import type { Order } from './sharedWorker.ts';

/** Whether sandboxes are shared in this run. */
export const isSharedRun = process.env['HOLDPOINT_TEST_JOURNAL'] === 'postgres';

interface Prepared {
  readonly agent: string;
  readonly human: string;
  /** The first line. */
  readonly first: string;
}

interface SharedPlace {
  readonly root: Human;
  readonly shared: SharedFile;
  readonly urls: Prepared;
}

const places = new Map<string, SharedPlace>();
let ask: ((order: Order) => string) | null = null;

/** What a program of this machine gets to open a shared workspace; prepares it at the first call. */
export function sharedOptions(folder: string, home: string): Partial<WorkspaceOptions> {
  const { urls } = places.get(folder) ?? prepare(folder, home);
  return { env: { HOLDPOINT_DATABASE_URL: urls.agent }, humanLogin: () => urls.human };
}

function prepare(folder: string, home: string): SharedPlace {
  ask ??= startWorker();
  const id = randomUUID();
  const name = `t${id.slice(0, 8)}`;
  const urls = JSON.parse(ask({ does: 'prepare', id, name, created: beginningOf(id) })) as Prepared;
  const root = makeHuman('Root');
  const user = path.join(home, '.local', 'state', 'holdpoint');
  const stateFile = openStateFile(fs, user, findStore(fs, user, folder), randomUUID).path;
  const files = { fs, stateFile, newId: randomUUID };
  const at = '2026-03-02T09:00:00.000Z';
  const records = foundingRecords({ signer: root, now: () => at }, id, [root.pin]);
  for (const [after, record] of records.entries()) ask({ does: 'ring', id, record: String(record), after });
  const shared: SharedFile = {
    ...{ v: 1, workspace: id, name, roots: [root.pin.publicKey], joinedAt: at },
  };
  writeRing(files, id, records.map(String));
  writeSharedFile(files, shared);
  fs.mkdirSync(path.dirname(journalPath(folder)), { recursive: true });
  fs.writeFileSync(journalPath(folder), urls.first);
  const place = { root, shared, urls };
  places.set(folder, place);
  return place;
}

/** Adds a human's key to the team's ring, on the server and here. */
export function joinRing(workspace: Workspace, human: Human): void {
  const place = places.get(workspace.location.root);
  if (!place || !ask) throw new Error('this sandbox is not shared');
  const { id, send } = { id: place.shared.workspace, send: ask };
  const stateFile = workspace.stateFile.path;
  const records: string[] = [];
  const ring = readSharedRing(fs, stateFile, place.shared);
  void addMember(
    {
      signer: place.root,
      now: workspace.now,
      append: (record) => {
        records.push(Buffer.from(record).toString());
        return Promise.resolve('won');
      },
    },
    ring,
    human.pin,
  );
  const [record] = records;
  if (record === undefined) throw new Error('the key was not added');
  send({ does: 'ring', id, record, after: ring.rows });
  const file = JSON.parse(fs.readFileSync(stateFile.replace(/\.json$/, '.ring.json'), 'utf8')) as { records: string[] };
  writeRing({ fs, stateFile, newId: randomUUID }, id, [...file.records, record]);
}

function writeRing(files: UserFiles, workspace: string, records: readonly string[]): void {
  const seen = { seq: records.length - 1, hash: hashOfRecord(Buffer.from(records.at(-1) ?? '')) };
  const rest = { rows: records.length, ignored: [], trouble: null };
  writeUserFile(files, 'ring', { v: 1, workspace, seen, records, ...rest });
}

function startWorker(): (order: Order) => string {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./sharedWorker.ts', import.meta.url), {
    workerData: { port: port2, flag },
    transferList: [port2],
  });
  worker.unref();
  const send = (order: Order): string => {
    Atomics.store(flag, 0, 0);
    worker.postMessage(order);
    if (Atomics.wait(flag, 0, 0, 60_000) === 'timed-out') throw new Error('the server thread does not answer');
    const { said, failed } = receiveMessageOnPort(port1)?.message as { said?: string; failed?: string };
    if (said === undefined) throw new Error(failed);
    return said;
  };
  process.once('exit', () => send({ does: 'stop' }));
  return send;
}
