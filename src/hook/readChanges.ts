/**
 * Remembers in the user-level folder what a session has read: each change of a held file once after a call and once before
 * it stops, and each outcome once before it stops. A change that is undone is forgotten: the same one is read again when
 * it comes back.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Difference, Found } from '../app/hold/lookAtHeld.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import { jsonOrNull } from '../core/kit/quickChecks.ts';
import { replaceFile } from '../store/journal/files.ts';

/** A change after a call and before a stop; what was said before a stop; what a session's start said. */
interface Reader {
  readonly session: string | null;
  readonly when: 'call' | 'stop' | 'told' | 'start';
}

const keptFiles = 500;
const keyLength = 16;

/**
 * What of it this session has not read yet. If that cannot be remembered, a call reads everything again, and a stop
 * nothing: it would never end.
 */
export function unreadChanges(workspace: Answering, reader: Reader, found: readonly Found[]): readonly Found[] {
  const keys = found.flatMap((one) => [
    ...one.differences.map((difference) => keyOf(one.id, difference)),
    ...(one.lost ? [keyOf(one.id)] : []),
  ]);
  const { mayWrite = () => true } = workspace.options;
  const read = mayWrite() ? exchange(workspace, reader, () => keys) : null;
  if (read === null) return reader.when === 'call' ? found : [];
  return found.map((one) => ({
    ...one,
    differences: one.differences.filter((difference) => !read.has(keyOf(one.id, difference))),
    lost: one.lost && !read.has(keyOf(one.id)),
  }));
}

/** With its time, a file that was restored and then changed in the same way has changed again. */
function keyOf(id: string, difference?: Difference): string {
  const { path: name, is, changedAt }: Partial<Difference> = difference ?? {};
  // Of a file that is gone, the time is its folder's.
  return hashOf(id, name, is, is === null ? null : changedAt).slice(0, keyLength);
}

function hashOf(...parts: readonly (string | number | null | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Replaces what is remembered and returns what was. Null if it cannot be written. */
export function exchange(
  { options, userFolder, location }: Answering,
  { session, when }: Reader,
  next: (before: readonly string[]) => readonly string[],
): ReadonlySet<string> | null {
  const { fs, newId } = options;
  const folder = path.join(userFolder, 'hooks', 'read');
  const file = path.join(folder, hashOf(location.root, session, when).slice(0, 32));
  try {
    const before = readKeys();
    const keys = next(before);
    if (keys.length === 0 && before.length > 0) fs.rmSync(file, { force: true });
    if (keys.length > 0 && keys.join() !== before.join()) {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const names = fs.readdirSync(folder);
      if (names.length > keptFiles) for (const name of names) fs.rmSync(path.join(folder, name), { force: true });
      replaceFile(fs, file, Buffer.from(JSON.stringify(keys)), `${file}.${newId()}`);
    }
    return new Set(before);
  } catch {
    return null;
  }

  function readKeys(): readonly string[] {
    if (!fs.existsSync(file)) return [];
    const parsed = jsonOrNull(fs.readFileSync(file, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
  }
}
