/** `holdpoint team`: the server of a shared journal. Sharing, leaving and keys are signed by a human, in the editor. */
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import * as z from 'zod';
import {
  joinTeam,
  invite,
  prepareTeam,
  removeLogin,
  teamMembers,
  type Invitation,
  type Member,
  type PersonsLogin,
} from '../../app/team/people.ts';
import { teamStatus, type TeamStatus } from '../../app/team/servers.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/text.ts';
import type { Io } from '../kit/io.ts';
import { ignoredRowText, table } from '../kit/outputs.ts';
import { verb, type Verb } from '../kit/verb.ts';
import path from 'node:path';

// `holdpoint team init`, `invite` and `members`: the logins of a team's people.

const schema = path.join(import.meta.dirname, '..', 'media', 'sql', 'schema.sql');

const initVerb = verb({
  words: 'team init [url]',
  help: ['People and setup', 'one journal for a team: set it up, join it, see how it is'],
  about:
    "prepare a database, as its owner, create each person's logins, and check what logins may do; may run again at any time",
  input: z.strictObject({
    url: z.string().optional(),
    person: z.array(z.string()).default([]).describe('a person who gets a login, and one for their agents'),
  }),
  hints: { person: '--person <name>' },
  async run({ io }, { url, person }) {
    const logins = await prepareTeam(await ownersUrl(io, url), schema, person);
    const next = logins.length === 0 ? 'Create logins with --person NAME, once for each person.' : loginsText(logins);
    return { text: `The database is prepared.\n${next}`, schema: 'team_init', data: { logins } };
  },
});

/** An argument can be seen in lists of processes, so it is the last way that the documentation names. */
async function ownersUrl(io: Io, given: string | undefined): Promise<string> {
  const url =
    given ?? io.env['HOLDPOINT_OWNER_URL'] ?? (await io.askSecret?.("URL of the database's owner (not shown): ")) ?? '';
  if (url.trim() !== '') return url;
  throw new AppError(
    'bad_input',
    "give the URL of the database's owner: set HOLDPOINT_OWNER_URL, or run this in a terminal",
  );
}

/** @throws AppError `denied` */
function humansUrl({ env }: Io): string {
  const url = env['HOLDPOINT_HUMAN_URL'] ?? '';
  if (url !== '') return url;
  throw new AppError(
    'denied',
    "only a human's login can do this, and the command line has none, because agents use it: set HOLDPOINT_HUMAN_URL for this one command, in a shell that no agent uses",
  );
}

const belongs = {
  human:
    'for the editor alone ("Connect to Your Team…" in "Holdpoint: You and Your Devices…"). Agents must not see it.',
  agent: "for the person's agents: holdpoint team join keeps it for one workspace; or set HOLDPOINT_DATABASE_URL.",
} as const;

function loginsText(logins: readonly PersonsLogin[]): string {
  const parts = logins.map(({ person, login, kind, url }) => {
    const head = `${login} (${kind === 'human' ? person : `agents of ${person}`})`;
    return url === null
      ? `${head}: exists already; its password stays as it is`
      : `${head}: ${belongs[kind]}\n  ${url}`;
  });
  return [
    'Each URL contains a password and is shown this once. Send it to its person over a safe channel.',
    '',
    ...parts,
  ].join('\n');
}

const inviteVerb = verb({
  words: 'team invite <person>',
  about:
    'add a person to a shared workspace and print what they paste to join; needs HOLDPOINT_HUMAN_URL, and HOLDPOINT_OWNER_URL for logins that do not exist',
  input: z.strictObject({ person: z.string() }),
  async run({ io, workspace }, { person }) {
    const owner = io.env['HOLDPOINT_OWNER_URL'] ?? null;
    const data = await invite(workspace, { person, own: humansUrl(io), owner, schema });
    return { text: invitationText(data), schema: 'team_invite', data };
  },
});

function invitationText({ person, name, logins, roots }: Invitation): string {
  const urlOf = (kind: 'human' | 'agent') => {
    const { login = '', url = null } = logins.find((one) => one.kind === kind) ?? {};
    return url ?? `the URL of ${login}, which exists already`;
  };
  const [root = '', ...others] = roots;
  return [
    `${person} is a member of ${name} now: ${logins.map(({ login }) => login).join(', ')}.`,
    '',
    `Send ${person} this over a safe channel. A URL contains a password and is shown this once.`,
    `1. In a terminal, in your clone: holdpoint team join ${name} --fingerprint ${root}`,
    `   It asks for a URL. Paste this: ${urlOf('agent')}`,
    '2. In the editor, where agents cannot see it: "Connect to Your Team…" in "Holdpoint: You and Your Devices…"',
    `   Paste this: ${urlOf('human')}`,
    '3. In the editor: "Holdpoint: You and Your Devices…". Copy your public key and send it back.',
    '',
    `Then tell ${person} the fingerprint over another channel, for example on the phone: they compare it.`,
    ...(others.length === 0 ? [] : [`Other team owner keys that can be compared: ${others.join(', ')}`]),
  ].join('\n');
}

const membersVerb = verb({
  words: 'team members',
  about: 'list the logins of a shared workspace, or remove one',
  input: z.strictObject({
    remove: z.string().optional().describe('end a membership, as an administrator; needs HOLDPOINT_HUMAN_URL'),
  }),
  hints: { remove: '--remove <login>' },
  async run({ io, workspace }, { remove }) {
    if (remove === undefined) return shownMembers(await teamMembers(workspace));
    await removeLogin(workspace, humansUrl(io), remove);
    return { text: `Removed: ${remove}.`, schema: 'team_members', data: { removed: [remove] } };
  },
});

function shownMembers(members: readonly Member[]) {
  const rows = members.map(({ login, kind, person, admin }) => [login, kind, admin ? 'yes' : 'no', person]);
  const text = table(['login', 'kind', 'admin', 'person'], rows);
  return { text, schema: 'team_members', data: { members } } as const;
}

const databaseUrl = 'HOLDPOINT_DATABASE_URL';

const joinVerb = verb({
  words: 'team join <name> [url]',
  about: "join a shared workspace with the agents' login, which is kept outside of the workspace",
  input: z.strictObject({
    name: z.string(),
    url: z.string().optional(),
    fingerprint: z
      .string()
      .describe('fingerprint of the team owner key; compare it with the person who shared the workspace'),
  }),
  hints: { fingerprint: '--fingerprint <hex>' },
  async run({ io, flags, workspace }, { name, url: given, fingerprint }) {
    const url = await urlFrom(io, given);
    if (!flags.json) io.err(`Copying ${name} to this machine…`);
    const { shared, file } = await joinTeam(workspace, { name, url, fingerprint });
    const kept = file === null ? '' : ` The URL is kept in ${file}, which only you can read.`;
    const text = [
      `Joined ${shared.name}: its journal was copied and compared.${kept}`,
      'Next: connect your own login in the editor, so that you can decide ("Connect to Your Team…" in "Holdpoint: You and Your Devices…").',
    ].join('\n');
    return { text, schema: 'team_join', data: { workspace: shared.workspace, name: shared.name, file } };
  },
});

/** Null: the environment has it. */
async function urlFrom({ env, askSecret }: Io, given: string | undefined): Promise<string | null> {
  if (given !== undefined) return given;
  if ((env[databaseUrl] ?? '') !== '') return null;
  const typed = (await askSecret?.("URL of your agents' login (not shown): ")) ?? '';
  if (typed !== '') return typed;
  throw new AppError('bad_input', `give the URL of your agents' login: after the name, or in ${databaseUrl}`);
}

const statusVerb = verb({
  words: 'team status',
  about: "say whether this machine's copy of a shared journal is current; exits with 2 if it is not",
  failed: () => 2,
  async run({ workspace }) {
    const data = await teamStatus(workspace);
    const isStale = data.state === 'offline' || data.state === 'unknown';
    return { text: statusText(data), schema: 'team_status', data, code: isStale ? 2 : 0 };
  },
});

export const teamVerbs: readonly Verb[] = [initVerb, inviteVerb, joinVerb, statusVerb, membersVerb];

const onlyRoot =
  'If it is lost, keys can no longer be added or removed here: its owner makes another key a team owner key in the editor ("Holdpoint: You and Your Devices…").';

function statusText({ state, name, since, position, ring, problem }: TeamStatus): string {
  if (state === 'local') return 'Not shared: the journal of this workspace is on this machine only.';
  const shared = name === null ? 'Shared' : `Shared as ${name}`;
  const last = since === null ? '' : ` (last confirmed at ${since.slice(0, 19).replace('T', ' ')} UTC)`;
  return [
    state === 'current' ? `${shared}: current` : `${shared}: ${state === 'offline' ? 'offline' : 'UNKNOWN'}${last}`,
    ...(problem === null ? [] : [problem]),
    `Journal: ${bytes(position.here)} here, ${bytes(position.server)} on the server`,
    ring === null
      ? 'List of keys: not usable, so no decision is valid'
      : `List of keys: ${plural(ring.records, 'record')}, ${ring.roots.length === 1 ? 'team owner key' : 'team owner keys'} of ${ring.roots.join(', ')}`,
    ...(ring?.roots.length === 1 ? [onlyRoot] : []),
    ...(ring?.ignored ?? []).map(ignoredRowText),
  ].join('\n');
}

function bytes(count: number | null): string {
  return count === null ? 'not known' : `${String(count)} bytes`;
}

/** Reads a line from a terminal without showing it. Null where no person is at one, and after Ctrl-C or Ctrl-D. */
export async function readSecret(question: string): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  stderr.write(question);
  const silent = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      stderr.write('\n');
      resolve(null);
    });
  });
}
