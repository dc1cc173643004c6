/** `holdpoint team join`: copies a shared journal to this machine. */
import type { Command } from 'commander';
import type { JoiningByUrl } from '../../app/team/joining.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Io } from '../kit/io.ts';
import type { Verbs } from '../kit/verbs.ts';
import { refusedOr1 } from './people.ts';
import { joinByUrl } from '../../app/team/joining.ts';

interface JoinOptions {
  readonly fingerprint: string;
  readonly service?: string;
}

export function joinVerb(team: Command, { io, inFolder, globals }: Verbs): void {
  team
    .command('join <name> [url]')
    .description("join a shared workspace with the agents' login, which is kept outside of the workspace")
    .requiredOption(
      '--fingerprint <hex>',
      'fingerprint of the root key; compare it with the person who shared the workspace',
    )
    .option('--service <name>', 'the entry of pg_service.conf that keeps, or gets, the URL')
    .action((name: string, url: string | undefined, options: JoinOptions, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const joining = await whereFrom(io, name, url, options);
          if (globals(command).json !== true) io.err(`Copying ${name} to this machine…`);
          const { shared, bytes, file } = await joinByUrl(workspace, joining);
          const kept = file === null ? '' : ` The URL is kept in ${file}, which only you can read.`;
          const text = [
            `Joined ${shared.name}: ${plural(bytes, 'byte')} copied and compared.${kept}`,
            'Next: connect your own login in the editor, so that you can decide ("Holdpoint: Connect to Your Team…" in the Command Palette).',
          ].join('\n');
          return { text, schema: 'team_join', data: { workspace: shared.workspace, name: shared.name, bytes, file } };
        },
        refusedOr1,
      ),
    );
}

const variable = 'HOLDPOINT_DATABASE_URL';

async function whereFrom(
  io: Io,
  name: string,
  given: string | undefined,
  { fingerprint, service }: JoinOptions,
): Promise<JoiningByUrl> {
  const kept = { kind: 'service', name: service ?? name } as const;
  if (given !== undefined) return { name, fingerprint, url: given, connection: kept };
  if (service !== undefined) return { name, fingerprint, url: null, connection: kept };
  if ((io.env[variable] ?? '') !== '')
    return { name, fingerprint, url: null, connection: { kind: 'env', name: variable } };
  const typed = (await io.askSecret?.("URL of your agents' login (not shown): ")) ?? '';
  if (typed !== '') return { name, fingerprint, url: typed, connection: kept };
  throw new AppError(
    'bad_input',
    `give the URL of your agents' login: after the name, in ${variable}, or as a service of pg_service.conf with --service`,
  );
}
