/**
 * Remembers in the user-level folder when calls of tools began, so that a change of a held file is put down to the call
 * during which it happened. Only while something held has a baseline.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { SeenCall } from '../app/hold/lookAtHeld.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import type { Surroundings } from './surroundings.ts';

const keptAtMost = 200;

function folderOf(surroundings: Surroundings): string {
  return path.join(userFolder(surroundings), 'hooks', 'calls');
}

function fileOf(surroundings: Surroundings, { session }: HookCall, { name, input }: ToolUse): string {
  const key = createHash('sha256')
    .update(JSON.stringify([session, name, input]))
    .digest('hex');
  return path.join(folderOf(surroundings), key.slice(0, 32));
}

/** Never throws: without it, a change is put down to no call. */
export function noteStart(surroundings: Surroundings, call: HookCall): void {
  if (!call.tool) return;
  try {
    const folder = folderOf(surroundings);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(fileOf(surroundings, call, call.tool), String(surroundings.clock()), { mode: 0o600 });
    // Of calls that were denied or whose end no hook saw.
    const names = fs.readdirSync(folder);
    if (names.length > keptAtMost) for (const name of names) fs.rmSync(path.join(folder, name), { force: true });
  } catch {
    return;
  }
}

/** The call that has just ended; null if no hook saw it begin. */
export function endedCall(surroundings: Surroundings, call: HookCall): SeenCall | null {
  const { tool } = call;
  if (!tool) return null;
  try {
    const file = fileOf(surroundings, call, tool);
    const since = Number(fs.readFileSync(file, 'utf8'));
    fs.rmSync(file, { force: true });
    return Number.isFinite(since) && since > 0 ? { text: textOf(tool), since } : null;
  } catch {
    return null;
  }
}

function textOf({ name, command, files }: ToolUse): string {
  if (command !== '') return command.trim().slice(0, 1_000);
  return [name, ...files].join(' ').slice(0, 1_000);
}
