/** What verbs of the command line share: their output, and their stores. */
import type { Command } from 'commander';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';
import type { Operation } from '../../tools/kit/operation.ts';
import type { ExitCode, Io } from './io.ts';
import type { Shown } from './outputs.ts';
import type { Globals, VerbOptions } from './runVerb.ts';

/** Output that is printed while it is made, also with `--json`: one call of `out` for each line. */
export interface Lines {
  readonly lines: Iterable<string>;
}

/** What each family of verbs receives. */
export interface Verbs {
  readonly io: Io;
  globals(command: Command): Globals;
  /** Runs a tool and records the exit code. */
  run(command: Command, operation: Operation, input: () => object, options?: VerbOptions): Promise<void>;
  /** Prints something derived from the state, without the database. */
  look(command: Command, show: (state: State, own: string | null) => Shown): Promise<void>;
  /** Prints something derived from the workspace, including its database. */
  read(command: Command, show: (workspace: Workspace) => Shown | Promise<Shown | Lines>): Promise<void>;
  /** Runs on stores in any state, including UNKNOWN. @param failed the exit code for an error; default 1 */
  inFolder(
    command: Command,
    show: (workspace: Workspace) => Shown | Lines | Promise<Shown | Lines>,
    failed?: (error: unknown) => ExitCode,
  ): Promise<void>;
  exit(code: ExitCode): void;
}
