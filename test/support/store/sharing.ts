/** Makes a sandbox's workspace a shared one, as it is without its server, and confirms its copy as a server would. */
import { foundingRecords } from '../../../src/app/team/ring.ts';
import { writeSharedFile, writeUserFile, type SharedFile } from '../../../src/app/workspace/sharedFile.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Answered } from '../../../src/store/shared/confirmed.ts';
import { hashOfRecord } from '../../../src/trust/ringRecords.ts';
import { makeHuman, type Human } from './people.ts';

/**
 * Joins as after a human's act: the root's ring has all keys that counted so far.
 * @returns what was written
 */
export function markShared(workspace: Workspace, root: Human = makeHuman('Root'), name = 'team'): SharedFile {
  const id = workspace.standing().state?.workspace?.id;
  if (id === undefined) throw new Error('the workspace has no record yet');
  const { fs, newId } = workspace.options;
  const files = { fs, newId, stateFile: workspace.stateFile.path };
  const { pins } = workspace;
  const others = pins().filter(({ keyid }) => keyid !== root.keyid);
  const records = foundingRecords({ signer: root, now: workspace.now }, id, [root.pin, ...others]);
  const shared: SharedFile = {
    ...{ v: 1, workspace: id, name, joinedAt: workspace.now() },
    roots: [root.pin.publicKey],
  };
  writeUserFile(files, 'ring', {
    ...{ v: 1, workspace: id, records: records.map(String), rows: records.length, ignored: [], trouble: null },
    seen: { seq: records.length - 1, hash: hashOfRecord(records.at(-1)!) },
  });
  writeSharedFile(files, shared);
  return shared;
}

/**
 * The same workspace, whose acts are appended to the copy as if its server had acknowledged and sent them: a program
 * that finds its workspace shared would ask the server.
 */
export async function appendingHere(workspace: Workspace): Promise<Workspace> {
  const store = await workspace.store();
  return { ...workspace, store: () => Promise.resolve(store) };
}

/** Confirms the copy as it is now. */
export function confirmNow(workspace: Workspace, changes: Partial<Answered> = {}): void {
  const { state } = workspace.standing();
  const { position, head } = workspace.position()!;
  workspace.confirmed.write({ workspace: state!.workspace!.id, position, head, ...changes });
}
