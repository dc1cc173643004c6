/** A verb's access to the outside world, its workspace and the calling agent. */

import fs from 'node:fs';
import path from 'node:path';
import { agentOfWorktree, givenAgent } from '../../app/workspace/agents.ts';
import type { Answering } from '../../app/workspace/atGate.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import type { WorkspaceOptions } from '../../app/workspace/workspace.ts';
import type { Guide, Step, StepInput } from '../../core/kit/guide.ts';

/** Tests pass their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder of the built programs, and of SQLite next to them. */
  readonly programs: string;
  out(text: string): void;
  err(text: string): void;
  /** Asks for something that must not be seen. Null where no person is at a terminal, and after Ctrl-C. */
  readonly askSecret?: (question: string) => Promise<string | null>;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Becomes the MCP server with these arguments. Returns once it listens; the program then runs as long as the server. */
  serveMcp(argv: readonly string[]): Promise<ExitCode>;
  /** Becomes the server of forms for browsers, as `serveMcp`. */
  serveForms(argv: readonly string[]): Promise<ExitCode>;
  /** Becomes the hook program with these arguments; this program ends with it. */
  answerHook(argv: readonly string[]): Promise<ExitCode>;
}

/** 0: done or proceed; 1: error; 2: denied or refused; 3: still waiting. docs/outcomes.md has the table. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface Globals {
  readonly workspace?: string | undefined;
  readonly json?: boolean | undefined;
}

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
  // An import would load it for gates, too.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
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

// Maps the steps that messages name to verbs.

const words: Readonly<Record<Step, (input: StepInput) => string>> = {
  raise_question: () => 'question create',
  await_answer: ({ id }) => `${String(id ?? '').startsWith('RFC-') ? 'rfc' : 'question'} await`,
  reply_question: () => 'question reply',
  withdraw_question: () => 'question withdraw',
  park_question: () => 'question park',
  list_questions: ({ id }) => (id === undefined ? 'question list' : 'question show'),
  register_work: () => 'work register',
  check_gate: () => 'work list',
  update_rfc: () => 'rfc update',
  get_rfc: () => 'rfc show',
  list_rfcs: () => 'rfc list',
  search_events: () => 'search',
  close_event: () => 'resolve',
  register_responsibility: () => 'responsibility register',
  create_request: () => 'request create',
  list_requests: ({ id }) => (id === undefined ? 'request list' : 'request show'),
  respond_to_request: () => 'request respond',
  await_request: () => 'request await',
};

/** Inputs that verbs take as arguments; all others are options with the same name. */
const argument = 'id';

/** `holdpoint rfc update RFC-3 --submit` */
export const verbGuide: Guide = {
  call: 'Run',
  name(step, input = {}) {
    const asOption = step === 'search_events' || step === 'register_work';
    const parts = Object.entries(input).map(([name, value]) => {
      if (name === argument && !asOption) return String(value);
      const option = `--${name.replaceAll('_', '-')}`;
      return value === true ? option : `${option} ${String(value)}`;
    });
    return ['holdpoint', words[step](input), ...parts].join(' ');
  },
};
