/** `holdpoint hook <host>`: what hosts run before their tools. A bundle of its own does it: this program starts slower. */
import type { Command } from 'commander';
import { hostNames } from '../../hosts/names.ts';
import type { Verbs } from '../kit/verbs.ts';

export function hookVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('hook')
    .description(
      "answer a host's hook: its JSON on standard input; exit 0: nothing to say, 2: denied or cannot be told",
    )
    .argument('<host>', hostNames.join(', '))
    .action(async (host: string, _options: object, command: Command) => {
      const { workspace } = globals(command);
      exit(await io.answerHook([host, ...(workspace === undefined ? [] : ['--workspace', workspace])]));
    });
}
