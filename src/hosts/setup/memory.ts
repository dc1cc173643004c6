/**
 * What files were like before setup, kept in the user-level folder: so that removing gives back the very bytes. It is a
 * convenience and nothing rests on it: without it, or for a file that was edited since, only our own parts are taken out.
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
      /** The user's bytes in base64; null: there was no file. */
      before: z.base64().nullable(),
      /** SHA-256 of what setup wrote. */
      after: z.string(),
    }),
  ),
  /** Folders that setup made. */
  folders: z.array(z.string()),
});
export type Memory = z.infer<typeof remembered>;

/** @param workspace real path */
export function readMemory(userFolder: string, workspace: string): Memory {
  try {
    const memory = remembered.parse(JSON.parse(fs.readFileSync(fileOf(userFolder, workspace), 'utf8')));
    if (memory.workspace === workspace) return memory;
  } catch {
    // None, or none that can be used.
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
