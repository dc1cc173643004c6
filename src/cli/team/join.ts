/** `holdpoint team join`: copies a shared journal to this machine. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Io } from '../kit/io.ts';
import type { Verbs } from '../kit/verbs.ts';
import { refusedOr1 } from './people.ts';
import { joinTeam } from '../../app/team/joining.ts';

/** With the URL of the agents' login. */
const databaseUrl = 'HOLDPOINT_DATABASE_URL';

export function joinVerb(team: Command, { io, inFolder, globals }: Verbs): void {
  team
    .command('join <name> [url]')
    .description("join a shared workspace with the agents' login, which is kept outside of the workspace")
    .requiredOption(
      '--fingerprint <hex>',
      'fingerprint of the root key; compare it with the person who shared the workspace',
    )
    .action((name: string, given: string | undefined, options: { readonly fingerprint: string }, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const url = await urlFrom(io, given);
          if (globals(command).json !== true) io.err(`Copying ${name} to this machine…`);
          const { shared, bytes, file } = await joinTeam(workspace, { name, url, ...options });
          const kept = file === null ? '' : ` The URL is kept in ${file}, which only you can read.`;
          const text = [
            `Joined ${shared.name}: ${plural(bytes, 'byte')} copied and compared.${kept}`,
            'Next: connect your own login in the editor, so that you can decide ("Connect to Your Team…" in "Holdpoint: You and Your Devices…").',
          ].join('\n');
          return { text, schema: 'team_join', data: { workspace: shared.workspace, name: shared.name, bytes, file } };
        },
        refusedOr1,
      ),
    );
}

/** Null: the environment has it. */
async function urlFrom({ env, askSecret }: Io, given: string | undefined): Promise<string | null> {
  if (given !== undefined) return given;
  if ((env[databaseUrl] ?? '') !== '') return null;
  const typed = (await askSecret?.("URL of your agents' login (not shown): ")) ?? '';
  if (typed !== '') return typed;
  throw new AppError('bad_input', `give the URL of your agents' login: after the name, or in ${databaseUrl}`);
}
