import type { Command } from 'commander';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';
import type { Tool } from '../../tools/kit/tool.ts';
import type { ExitCode, Io } from './io.ts';
import type { Shown } from './outputs.ts';
import type { Globals, VerbOptions } from './runVerb.ts';

/** What is printed as it is made, with `--json` too: one call of `out` each. */
export interface Lines {
  readonly lines: Iterable<string>;
}

/** What a family of verbs is given. */
export interface Verbs {
  readonly io: Io;
  globals(command: Command): Globals;
  /** Runs a tool and notes the exit code. */
  run(command: Command, tool: () => Promise<Tool>, input: () => object, options?: VerbOptions): Promise<void>;
  /** Prints something derived from the state; needs no database. */
  look(command: Command, show: (state: State) => Shown): Promise<void>;
  /** The same from the workspace, its database too. */
  read(command: Command, show: (workspace: Workspace) => Promise<Shown | Lines>): Promise<void>;
  /** The same where the store may be in any state, UNKNOWN too. @param failed the exit code for an error; 1 if left out */
  inFolder(
    command: Command,
    show: (workspace: Workspace) => Shown | Lines | Promise<Shown | Lines>,
    failed?: (error: unknown) => ExitCode,
  ): Promise<void>;
  exit(code: ExitCode): void;
}
