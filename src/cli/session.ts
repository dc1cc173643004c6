/** The shell's head: which workspace, and who is calling. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../app/errors.ts';
import type { AgentSession } from '../app/session.ts';
import { openWorkspace } from '../app/workspace.ts';
import type { Workspace } from '../app/workspace.ts';
import { agentId } from '../core/text.ts';
import type { Io } from './io.ts';

const defaultAgent = 'shell-001';

/** @throws AppError `bad_input` when the folder is not there */
export function openFolder(io: Io, folder: string | undefined): Workspace {
  const absolute = path.resolve(io.cwd, folder ?? '.');
  if (!fs.statSync(absolute, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('bad_input', `--workspace: ${absolute} is not a folder`);
  return openWorkspace({
    folder: absolute,
    fs,
    env: io.env,
    platform: io.platform,
    home: io.home,
    clock: Date.now,
    newId: randomUUID,
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm')),
  });
}

/** The agent named by HOLDPOINT_AGENT_ID, else `shell-001`. Always an agent: a shell is no human. */
export function shellSession(io: Io, workspace: Workspace): AgentSession {
  const given = io.env['HOLDPOINT_AGENT_ID'];
  const parsed = agentId.safeParse(given ?? defaultAgent);
  if (!parsed.success)
    throw new AppError('bad_input', `HOLDPOINT_AGENT_ID: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
  return { actor: { kind: 'agent', id: parsed.data, worktree: workspace.worktree }, host: 'shell' };
}

/** Whether the caller said who it is. */
export function isNamed(io: Io): boolean {
  return io.env['HOLDPOINT_AGENT_ID'] !== undefined;
}
