/** `holdpoint hook <host>`: hosts run it before tool calls. A separate bundle does it, because this program starts more slowly. */
import type { Command } from 'commander';
import { hostNames } from '../../core/kit/limits.ts';
import type { Verbs } from '../kit/verbs.ts';

export function hookVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('hook')
    .description("answer a host's hook, with its JSON on standard input. Exit 0: no objection; 2: denied or unknown")
    .argument('<host>', `${hostNames.join(', ')}, or generic`)
    .option('--form <json>', "for generic: the description of the host's calls (holdpoint setup --command)")
    .action(async (host: string, { form }: { form?: string }, command: Command) => {
      const { workspace } = globals(command);
      exit(
        await io.answerHook([
          host,
          ...(workspace === undefined ? [] : ['--workspace', workspace]),
          ...(form === undefined ? [] : ['--form', form]),
        ]),
      );
    });
}
