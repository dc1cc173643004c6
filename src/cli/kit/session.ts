/** Determines the workspace and the calling agent. */
import fs from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { agentOfWorktree, givenAgent } from '../../app/workspace/agents.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import type { Answering } from '../../app/workspace/atGate.ts';
import type { WorkspaceOptions } from '../../app/workspace/workspace.ts';
import type { Io } from './io.ts';

/** @throws AppError `bad_input` if the folder does not exist */
export function optionsOf(io: Io, folder: string | undefined): WorkspaceOptions {
  const absolute = path.resolve(io.cwd, folder ?? '.');
  if (!fs.statSync(absolute, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('bad_input', `--workspace: ${absolute} is not a folder`);
  return {
    ...thisMachine(io, io.home),
    folder: absolute,
    wasm: () => {
      compileOnce();
      return fs.readFileSync(path.join(io.programs, 'sql-wasm.wasm.br'));
    },
  };
}

/**
 * Keeps V8 from compiling SQLite's busiest functions a second time, with its optimizing compiler. A command ends before
 * that pays: two functions alone take 90 ms of processor time, a third of `question list`.
 */
function compileOnce(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}

/** The agent that HOLDPOINT_AGENT_ID names, else the worktree's shell. A shell is never treated as a human. */
export function shellSession(io: Io, workspace: Answering): AgentSession {
  const given = io.env['HOLDPOINT_AGENT_ID'];
  const id = given === undefined ? agentOfWorktree(workspace, 'shell') : givenAgent(workspace, given);
  return { actor: { kind: 'agent', id, worktree: workspace.worktree }, host: 'shell' };
}

/** Whether the caller identified itself. */
export function isNamed(io: Io): boolean {
  return io.env['HOLDPOINT_AGENT_ID'] !== undefined;
}
