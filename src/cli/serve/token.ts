/** `holdpoint serve token`: tokens with which agents call the server. */
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { addToken, listTokens, removeToken, type AgentToken } from '../../app/tokens/tokens.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Io } from '../kit/io.ts';
import type { VerbOutputs } from '../kit/outputs.ts';
import { openFolder } from '../kit/openFolder.ts';
import { table } from '../kit/table.ts';
import type { Verbs } from '../kit/verbs.ts';

interface AddOptions {
  readonly agent?: string;
  readonly days?: number;
  readonly also?: readonly string[];
}

const dayMs = 24 * 60 * 60_000;
const daysAtMost = 3_650;

export function tokenVerbs(serve: Command, { io, inFolder }: Verbs): void {
  const token = serve.command('token').description('tokens with which agents call the server; no token decides');
  token
    .command('add <name>')
    .description('make a token for this workspace; it is shown once')
    .option('--agent <id>', 'the agent that it acts as; default: the name')
    .option('--days <n>', 'the number of days after which it expires; default: it does not', days)
    .option('--also <dir...>', 'more workspaces that it opens')
    .action((name: string, { agent = name, days, also = [] }: AddOptions, command: Command) =>
      inFolder(command, (workspace) => {
        const roots = [...new Set([workspace.location.root, ...also.map((folder) => rootOf(io, folder))])];
        const secret = addToken(workspace, { name, agent, roots, expiresAt: expiryOf(workspace, days) });
        const text = `${secret}\nThis is shown once. Programs send it as "Authorization: Bearer …" and act as ${agent}.`;
        return { text, schema: 'serve_token_add', data: { name, agent, token: secret } };
      }),
    );
  token
    .command('list')
    .description('list the tokens of all workspaces, without their secrets')
    .action((_options: unknown, command: Command) =>
      inFolder(command, (workspace) => {
        const data = { tokens: listTokens(workspace).map(shownToken) };
        return { text: listText(data), schema: 'serve_token_list', data };
      }),
    );
  token
    .command('remove <name>')
    .description('end a token immediately, also for streams that are open')
    .action((name: string, _options: unknown, command: Command) =>
      inFolder(command, (workspace) => {
        removeToken(workspace, name);
        return { text: `${name} is removed.`, schema: 'serve_token_remove', data: { removed: name } };
      }),
    );
}

function days(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= daysAtMost) return number;
  throw new InvalidArgumentError(`give a number from 1 to ${String(daysAtMost)}`);
}

function expiryOf({ options }: Workspace, count: number | undefined): string | null {
  return count === undefined ? null : new Date(options.clock() + count * dayMs).toISOString();
}

function rootOf(io: Io, folder: string): string {
  const workspace = openFolder(io, path.resolve(io.cwd, folder));
  try {
    return workspace.location.root;
  } finally {
    workspace.close();
  }
}

function shownToken({ name, agent, roots, createdAt, expiresAt }: AgentToken) {
  return { name, agent, workspaces: roots, created_at: createdAt, expires_at: expiresAt };
}

function listText({ tokens }: VerbOutputs['serve_token_list']): string {
  if (tokens.length === 0) return 'No tokens.';
  const rows = tokens.map(({ name, agent, expires_at, workspaces }) => [
    name,
    visibleText(agent),
    expires_at?.slice(0, 10) ?? 'never',
    visibleText(workspaces.join(', ')),
  ]);
  return table(['NAME', 'AGENT', 'EXPIRES', 'WORKSPACES'], rows);
}
