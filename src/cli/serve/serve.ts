/** `holdpoint serve`: the forms of the editor in a browser, until the program is stopped; tokens of agents that call it. */
import path from 'node:path';
import * as z from 'zod';
import { addToken, listTokens, removeToken, type AgentToken } from '../../app/tokens/tokens.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Io } from '../kit/io.ts';
import { table, type VerbOutputs } from '../kit/outputs.ts';
import { argvOf, openFolder, verb, type Verb } from '../kit/verb.ts';

const dayMs = 24 * 60 * 60_000;

export const serveVerbs: readonly Verb[] = [
  verb({
    words: 'serve',
    help: ['People and setup', 'serve the forms to browsers on this machine'],
    about: 'serve the forms of the editor to browsers, on this machine; every decision needs a passkey',
    input: z.strictObject({
      port: z.string().optional().describe('the port; default: 4764'),
      listen: z.string().optional().describe('an address beyond this machine: needs --origin, and TLS'),
      origin: z.string().optional().describe('https://… as browsers call the server'),
      tls_cert: z.string().optional().describe("the server's own certificate, as PEM"),
      tls_key: z.string().optional().describe('its private key, as PEM'),
      behind_proxy: z.boolean().optional().describe('a proxy in front of the server terminates TLS'),
    }),
    hints: {
      ...{ port: '--port <n>', listen: '--listen <address>', origin: '--origin <url>' },
      ...{ tls_cert: '--tls-cert <file>', tls_key: '--tls-key <file>' },
    },
    run: ({ io, flags }, input) => io.serveForms(argvOf(input, flags)),
  }),
  verb({
    words: 'serve token add <name>',
    about:
      'make a token with which an agent calls the server for this workspace; it decides nothing, and is shown once',
    input: z.strictObject({
      name: z.string(),
      agent: z.string().optional().describe('the agent that it acts as; default: the name'),
      days: z
        .int()
        .min(1)
        .max(3_650)
        .optional()
        .describe('the number of days after which it expires; default: it does not'),
      also: z.array(z.string()).default([]).describe('more workspaces that it opens'),
    }),
    hints: { agent: '--agent <id>', also: '--also <dir...>' },
    run({ io, workspace }, { name, agent = name, days, also }) {
      const roots = [...new Set([workspace.location.root, ...also.map((folder) => rootOf(io, folder))])];
      const secret = addToken(workspace, { name, agent, roots, expiresAt: expiryOf(workspace, days) });
      const text = `${secret}\nThis is shown once. Programs send it as "Authorization: Bearer …" and act as ${agent}.`;
      return { text, schema: 'serve_token_add', data: { name, agent, token: secret } };
    },
  }),
  verb({
    words: 'serve token list',
    about: 'list the tokens of all workspaces, without their secrets',
    run({ workspace }) {
      const data = { tokens: listTokens(workspace).map(shownToken) };
      return { text: listText(data), schema: 'serve_token_list', data };
    },
  }),
  verb({
    words: 'serve token remove <name>',
    about: 'end a token immediately, also for streams that are open',
    input: z.strictObject({ name: z.string() }),
    run({ workspace }, { name }) {
      removeToken(workspace, name);
      return { text: `${name} is removed.`, schema: 'serve_token_remove', data: { removed: name } };
    },
  }),
];

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
