/** Makes a sandbox's workspace a shared one, as it is without its server, and confirms its copy as a server would. */
import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { besideStateFile } from '../../../src/app/workspace/sharedFile.ts';
import type { Answered } from '../../../src/store/shared/confirmed.ts';

export function markShared(workspace: Workspace): void {
  const { state } = workspace.standing();
  const file = besideStateFile(workspace.stateFile.path, 'shared');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ v: 1, workspace: state?.workspace?.id, name: 'team' }));
}

/** Confirms the copy as it is now. */
export function confirmNow(workspace: Workspace, changes: Partial<Answered> = {}): void {
  const { state } = workspace.standing();
  const { position, head } = workspace.position()!;
  workspace.confirmed.write({ workspace: state!.workspace!.id, position, head, ...changes });
}
