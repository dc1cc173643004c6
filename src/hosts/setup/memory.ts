/**
 * Keeps the original files in the user-level folder, so that removal restores the exact bytes. A convenience that
 * nothing depends on: without it, or after a later edit, removal strips only our own parts.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const remembered = z.strictObject({
  v: z.literal(1),
  workspace: z.string(),
  /** By real path. */
  files: z.record(
    z.string(),
    z.strictObject({
      /** The original bytes in base64; null if the file did not exist. */
      before: z.base64().nullable(),
      /** SHA-256 of what setup wrote. */
      after: z.string(),
    }),
  ),
  /** Folders that setup created. */
  folders: z.array(z.string()),
});
export type Memory = z.infer<typeof remembered>;

/** @param workspace real path */
export function readMemory(userFolder: string, workspace: string): Memory {
  try {
    const memory = remembered.parse(JSON.parse(fs.readFileSync(fileOf(userFolder, workspace), 'utf8')));
    if (memory.workspace === workspace) return memory;
  } catch {
    // Missing or unusable.
  }
  return { v: 1, workspace, files: {}, folders: [] };
}

/** @throws Error of the file system */
export function writeMemory(userFolder: string, memory: Memory): void {
  const file = fileOf(userFolder, memory.workspace);
  if (Object.keys(memory.files).length === 0 && memory.folders.length === 0) {
    fs.rmSync(file, { force: true });
    return;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  fs.writeFileSync(temporary, JSON.stringify(memory), { mode: 0o600, flag: 'wx' });
  fs.renameSync(temporary, file);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fileOf(userFolder: string, workspace: string): string {
  return path.join(userFolder, 'setup', `${sha256(Buffer.from(workspace)).slice(0, 32)}.json`);
}
