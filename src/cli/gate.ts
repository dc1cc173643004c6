/** `holdpoint gate`: the yes or no for shells, commits and scripts. Anything but a clear allow exits 2. */
import type { Command } from 'commander';
import { AppError } from '../app/errors.ts';
import { askGate } from '../app/gate.ts';
import { isRfc } from '../core/holds.ts';
import { gateText } from '../tools/texts.ts';
import { visibleJson } from '../core/visible.ts';
import { collect } from './arguments.ts';
import { askCommitGate, isCommitGate } from './commitGate.ts';
import type { CommitOptions } from './commitGate.ts';
import type { Verbs } from './verbs.ts';
import { printError } from './runVerb.ts';
import { isNamed, openFolder, shellSession } from './session.ts';

export function gateVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('gate')
    .description('may this work, these files or this session go on? Exit 0: yes; 2: no, or it cannot be told')
    .option('--work <id>', 'a work item')
    .option('--file <path>', 'a file (repeat)', collect, [])
    .option('--commit <range>', 'the files and messages of a commit or a range of them')
    .option('--staged', 'what is staged for a commit')
    .option('--message-file <file>', 'the message of a commit in the making')
    .action((options: { work?: string; file: string[] } & CommitOptions, command: Command) => {
      const flags = globals(command);
      try {
        const workspace = openFolder(io, flags.workspace);
        try {
          if (isCommitGate(options)) {
            if (options.work !== undefined || options.file.length > 0)
              throw new AppError('bad_input', 'Ask for commits, or for work and files: not for both at once.');
            const { allowed, text, data } = askCommitGate(io, workspace, options);
            if (flags.json) io.out(JSON.stringify(data));
            else if (allowed) io.out(text);
            else io.err(text);
            exit(allowed ? 0 : 2);
            return;
          }
          const asked = [options.work, ...options.file].filter((subject) => subject !== undefined).join(', ');
          const answer = askGate(workspace, { work: options.work, files: options.file, session: sessionOf() });
          const text = gateText(
            answer,
            asked === '' ? 'this session' : asked,
            workspace.standing().state?.work.get(options.work ?? ''),
          );
          const { verdict, state, conditions, constraints } = answer;
          const reasons = answer.reasons.map(({ code, subject, holder }) => ({
            code,
            subject,
            question: holder && !isRfc(holder) ? holder.id : null,
            rfc: holder && isRfc(holder) ? holder.id : null,
          }));
          if (flags.json) io.out(visibleJson({ verdict, state, reasons, conditions, constraints, text }));
          else if (verdict === 'allow') io.out(text);
          else io.err(text);
          exit(verdict === 'allow' ? 0 : 2);

          function sessionOf() {
            if (isNamed(io)) return { agent: shellSession(io, workspace).actor.id };
            return asked === '' ? ('unknown' as const) : undefined;
          }
        } finally {
          workspace.close();
        }
      } catch (error) {
        printError(io, flags, error);
        exit(2);
      }
    });
}
