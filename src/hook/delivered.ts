/** Remembers delivered stop messages in the user-level folder, so that each is delivered once. */
import path from 'node:path';
import * as z from 'zod';
import type { Workspace } from '../app/workspace/workspace.ts';
import { replaceFile } from '../store/journal/files.ts';

const notes = z.array(z.tuple([z.string(), z.string()]));
const kept = 500;

/**
 * Records the ids not delivered before and returns them; none if they cannot be recorded, because they would repeat
 * forever.
 */
export function firstTime(workspace: Workspace, session: string, ids: readonly string[]): string[] {
  const { fs } = workspace.options;
  const file = path.join(workspace.userFolder, 'hooks', 'told.json');
  const key = (id: string) => `${workspace.location.root} ${id}`;
  try {
    const before = read();
    const fresh = ids.filter((id) => !before.some(([one, what]) => one === session && what === key(id)));
    if (fresh.length === 0) return [];
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const after = [...before, ...fresh.map((id): [string, string] => [session, key(id)])].slice(-kept);
    replaceFile(fs, file, Buffer.from(JSON.stringify(after)), `${file}.${workspace.options.newId()}`);
    return fresh;
  } catch {
    return [];
  }

  function read(): [string, string][] {
    try {
      return notes.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    } catch {
      return [];
    }
  }
}
