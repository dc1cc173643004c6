/**
 * What hooks remember in the user-level folder. When a call began, so that a change of a held file is put down to the call
 * during which it happened. What a session has read: each change of a held file once after a call and once before it stops,
 * and each outcome once before it stops. A change that is undone is forgotten: the same one is read again when it comes
 * back.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Difference, Found, SeenCall } from '../app/hold/lookAtHeld.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import { jsonOrNull } from '../core/kit/quickChecks.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { makeFolderOf, replaceQuickly } from '../store/journal/files.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import type { Surroundings } from './surroundings.ts';

/** Of sessions that have ended, and of calls whose end no hook saw. */
const keptFiles = 500;

/** Replaces what is remembered under a name and returns what was. Null if it cannot be written. */
function exchangeNote(
  { fs, newId }: Pick<Surroundings, 'fs' | 'newId'>,
  folder: string,
  name: readonly unknown[],
  next: (before: readonly string[]) => readonly string[],
): ReadonlySet<string> | null {
  const file = path.join(folder, hashOf(name).slice(0, 32));
  try {
    const found = fs.existsSync(file) ? jsonOrNull(fs.readFileSync(file, 'utf8')) : [];
    const before = Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
    const keys = next(before);
    if (keys.length === 0 && before.length > 0) fs.rmSync(file, { force: true });
    if (keys.length > 0 && keys.join() !== before.join()) {
      makeFolderOf(fs, file);
      const names = fs.readdirSync(folder);
      if (names.length > keptFiles) for (const other of names) fs.rmSync(path.join(folder, other), { force: true });
      replaceQuickly(fs, file, Buffer.from(JSON.stringify(keys)), `${file}.${newId()}`);
    }
    return new Set(before);
  } catch {
    return null;
  }
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function callNote(
  surroundings: Surroundings,
  { session }: HookCall,
  { name, input }: ToolUse,
  next: readonly string[],
) {
  const folder = path.join(userFolder(surroundings), 'hooks', 'calls');
  return exchangeNote(surroundings, folder, [session, name, input], () => next);
}

/** Never throws: without it, a change is put down to no call. */
export function noteStart(surroundings: Surroundings, call: HookCall): void {
  if (call.tool) callNote(surroundings, call, call.tool, [String(surroundings.clock())]);
}

/** The call that has just ended; null if no hook saw it begin. */
export function endedCall(surroundings: Surroundings, call: HookCall): SeenCall | null {
  const { tool } = call;
  const [since] = (tool && callNote(surroundings, call, tool, [])) ?? [];
  return tool && since !== undefined ? { text: textOf(tool), since: Number(since) } : null;
}

function textOf({ name, command, files }: ToolUse): string {
  return (command === '' ? [name, ...files].join(' ') : command.trim()).slice(0, 1_000);
}

/** A change after a call and before a stop; what was said before a stop; what a session's start said. */
interface Reader {
  readonly session: string | null;
  readonly when: 'call' | 'stop' | 'told' | 'start';
}

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
  return hashOf([id, name, is, is === null ? null : changedAt]).slice(0, keyLength);
}

/** Replaces what a session has read and returns what it had. Null if it cannot be written. */
export function exchange(
  { options, userFolder: folder, location }: Answering,
  { session, when }: Reader,
  next: (before: readonly string[]) => readonly string[],
): ReadonlySet<string> | null {
  return exchangeNote(options, path.join(folder, 'hooks', 'read'), [location.root, session, when], next);
}
