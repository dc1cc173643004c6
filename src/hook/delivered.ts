/**
 * Remembers in the user-level folder what was delivered: stop messages, so that each is delivered once, and what a session's
 * start delivered, so that its first prompt, which is in the same message, does not repeat it.
 */
import path from 'node:path';
import * as z from 'zod';
import type { Workspace } from '../app/workspace/workspace.ts';
import { replaceFile } from '../store/journal/files.ts';

const notes = z.array(z.tuple([z.string(), z.string()]));
type Note = z.infer<typeof notes>[number];
const kept = 500;

/**
 * Records the ids not delivered before and returns them; none if they cannot be recorded, because they would repeat
 * forever.
 */
export function firstTime(workspace: Workspace, session: string, ids: readonly string[]): string[] {
  const all = noteFile(workspace, 'told.json');
  try {
    const before = all.read();
    const fresh = ids.filter((id) => !before.some(([one, what]) => one === session && what === all.key(id)));
    if (fresh.length === 0) return [];
    all.write([...before, ...fresh.map((id): Note => [session, all.key(id)])]);
    return fresh;
  } catch {
    return [];
  }
}

export function noteStart(workspace: Workspace, session: string, ids: readonly string[]): void {
  const all = noteFile(workspace, 'starts.json');
  try {
    if (ids.length > 0) all.write([...all.read(), ...ids.map((id): Note => [session, all.key(id)])]);
  } catch {
    // The first prompt repeats it.
  }
}

/** Those of these ids that the session's start has just delivered; the next prompt delivers all again. */
export function takeStart(workspace: Workspace, session: string, ids: readonly string[]): ReadonlySet<string> {
  const all = noteFile(workspace, 'starts.json');
  try {
    const before = all.read();
    const own = before.filter(([one]) => one === session);
    if (own.length > 0) all.write(before.filter(([one]) => one !== session));
    return new Set(ids.filter((id) => own.some(([, what]) => what === all.key(id))));
  } catch {
    return new Set();
  }
}

function noteFile({ options, userFolder, location }: Workspace, name: string) {
  const { fs, newId } = options;
  const file = path.join(userFolder, 'hooks', name);
  return {
    key: (id: string) => `${location.root} ${id}`,
    read(): Note[] {
      try {
        return notes.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
      } catch {
        return [];
      }
    },
    write(all: readonly Note[]): void {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(fs, file, Buffer.from(JSON.stringify(all.slice(-kept))), `${file}.${newId()}`);
    },
  };
}
