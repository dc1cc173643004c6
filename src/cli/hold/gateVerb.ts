/** `holdpoint gate` as a verb: its help, commits, and arguments that `plainGate` does not parse. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { lookAtHeld } from '../../app/hold/lookAtHeld.ts';
import { confirmWith } from '../../app/workspace/freshness.ts';
import { collect } from '../kit/arguments.ts';
import { askCommitGate, isCommitGate, type CommitOptions } from './commitGate.ts';
import { answerGate, type GateOptions } from './gate.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import { printError, type Globals } from '../kit/runVerb.ts';
import { jsonOf } from '../kit/outputs.ts';
import { openFolder } from '../kit/openFolder.ts';
import type { Verbs } from '../kit/verbs.ts';

export function gateVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('gate')
    .description('check whether work, files or this session may continue. Exit 0: yes; 2: no or unknown')
    .option('--work <id>', 'a work item')
    .option('--file <path>', 'a file (repeat)', collect, [])
    .option('--commit <range>', 'check the files and messages of a commit or a range of commits')
    .option('--staged', 'check staged changes')
    .option('--message-file <file>', 'check the message of a commit in progress')
    .action(async (options: GateOptions & CommitOptions, command: Command) => {
      const flags = globals(command);
      exit(await (isCommitGate(options) ? answerCommits(io, flags, options) : answerGate(io, flags, options)));
    });
}

async function answerCommits(io: Io, flags: Globals, options: GateOptions & CommitOptions): Promise<ExitCode> {
  try {
    const workspace = openFolder(io, flags.workspace);
    try {
      if (options.work !== undefined || options.file.length > 0)
        throw new AppError('bad_input', 'Ask either about commits or about work and files.');
      await confirmWith(workspace);
      await lookAtHeld(workspace);
      const { allowed, ...shown } = askCommitGate(io, workspace, options);
      if (flags.json) io.out(jsonOf(shown));
      else if (allowed) io.out(shown.text);
      else io.err(shown.text);
      return allowed ? 0 : 2;
    } finally {
      workspace.close();
    }
  } catch (error) {
    printError(io, flags, error, { result: 'denied' });
    return 2;
  }
}
