/**
 * Two machines of one team: an agent on one asks, a human on the other answers. Two clones and two homes, of two users where
 * this machine has them. Each part is real but the agents' minds.
 */
import fs from 'node:fs';
import path from 'node:path';
import { journalPath } from '../../src/store/journal/files.ts';
import { prepareDatabase } from '../../src/store/shared/migrate.ts';
import { settingsOfUrl } from '../../src/store/shared/settings.ts';
import { sampleRepository } from '../support/clones.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost, root } from '../support/host.ts';
import { owner, startPostgres, type Postgres } from '../support/postgres.ts';
import { secondUser, secondUserOfEditors } from '../support/secondUser.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { personAsProgram, personAtEditor, type Person } from './teamPeople.ts';

export interface TeamJobOptions {
  readonly say: (line: string) => void;
  /** Whether people use editors, with pictures; else programs play them. */
  readonly editors: boolean;
}

export interface TeamJob {
  readonly gateBefore: number;
  readonly gatesAfter: readonly number[];
  readonly answers: readonly string[];
  readonly sameBytes: boolean;
}

const question = 'Should API tokens be JWT or sessions?';
const answer = 'Sessions: revoking has to be instant.';

export async function playTeamJob(options: TeamJobOptions): Promise<TeamJob> {
  const { folder, remove } = await temporaryFolder();
  const people: Person[] = [];
  let postgres: Postgres | undefined;
  try {
    postgres = await startPostgres({
      settings: { listen_addresses: '127.0.0.1', password_encryption: 'scram-sha-256' },
      hba: [`local all ${owner} trust`, 'host all all 127.0.0.1/32 scram-sha-256'],
    });
    return await play(options, { folder, postgres, people });
  } finally {
    for (const person of people) await person.close();
    await postgres?.stop();
    await remove();
  }
}

interface Stage {
  readonly folder: string;
  readonly postgres: Postgres;
  /** All who have begun. */
  readonly people: Person[];
}

async function play({ say, editors }: TeamJobOptions, { folder, postgres, people }: Stage): Promise<TeamJob> {
  const urls = await makeLogins(postgres);
  say(`PostgreSQL ${String(postgres.version)} keeps the journal. Ada, Grace and their agents have a login each.`);
  const second = editors ? secondUserOfEditors(await findHost()) : secondUser();
  say(
    'why' in second
      ? `Two machines: two clones and two homes, of one user (${second.why}).`
      : 'Two machines: two clones and two homes, of two users of this system.',
  );
  const repository = sampleRepository(folder);
  const begin = async (name: string) => {
    const login = name.toLowerCase();
    const user = login === 'ada' || 'why' in second ? undefined : second;
    const person = await (editors ? personAtEditor : personAsProgram)({
      ...{ name, user, machine: repository.machine(login, user) },
      urls: { own: urls.get(login) ?? '', agents: urls.get(`${login}_agent`) ?? '' },
    });
    people.push(person);
    return person;
  };
  const [ada, grace] = [await begin('Ada'), await begin('Grace')];
  await agentOf(ada, 'work', 'register', '--id', 't-1', '--title', 'API tokens', '--status', 'in_progress');
  const fingerprint = await ada.share('tokens');
  say(`Ada shares the workspace as "tokens". Fingerprint of the root key: ${fingerprint.slice(0, 16)}…`);
  const env = { ...ada.shell.env, HOLDPOINT_HUMAN_URL: urls.get('ada') };
  const added = await holdpoint({ ...ada.shell, env }, 'team', 'invite', 'Grace');
  say(`Ada: $ holdpoint team invite Grace      exit ${String(added.code)}`);
  await grace.join({ workspace: 'tokens', fingerprint });
  const status = await agentOf(grace, 'team', 'status');
  say(`Grace joins. Grace's machine: $ holdpoint team status      exit ${String(status.code)}`);
  quote(say, status.out);
  await ada.trust(await grace.publicKey(), 'Grace');
  say('Ada compares the fingerprint of Grace’s key and adds it to the ring.');
  return exchange(say, ada, grace);
}

async function exchange(say: TeamJobOptions['say'], ada: Person, grace: Person): Promise<TeamJob> {
  const pictures = async (moment: string) => {
    for (const [name, person] of [
      ['ada', ada],
      ['grace', grace],
    ] as const) {
      const file = await person.picture(`team-${moment}-${name}`);
      if (file !== null) say(`  picture: ${path.relative(root, file)}`);
    }
  };
  const create = ['question', 'create', '--text', question, '--blocking-task-id', 't-1', '--file', 'src/auth.js:1'];
  const asking = called(agentOf(ada, ...create, '--wait', '300'));
  const id = await grace.sees(question);
  say(`The agent on Ada's machine asks, and waits. On Grace's machine: ${id} "${question}"`);
  const waiting = called(agentOf(grace, 'question', 'await', id, '--wait', '300'));
  await ada.sees(question);
  const before = await agentOf(grace, 'gate', '--work', 't-1');
  say(`Grace's machine: $ holdpoint gate --work t-1      exit ${String(before.code)}`);
  quote(say, before.err || before.out);
  await pictures('asked');

  const began = performance.now();
  await grace.answer(id, answer);
  say(`Grace answers on her machine: "${answer}"`);
  const [there, here] = await Promise.all([asking, waiting]);
  for (const [whose, { at, out, code }] of [
    ['Ada', there],
    ['Grace', here],
  ] as const) {
    const after = (at - began).toFixed(0);
    say(`The agent on ${whose}'s machine goes on ${after} ms after Grace began to answer (exit ${String(code)}):`);
    say(`  ${out.split('\n').find((line) => line.includes('Sessions')) ?? out}`);
  }
  const gates = [await agentOf(ada, 'gate', '--work', 't-1'), await agentOf(grace, 'gate', '--work', 't-1')];
  say(`$ holdpoint gate --work t-1      exit ${gates.map(({ code }) => String(code)).join(' and ')}`);
  await pictures('answered');
  const journals = () => [ada, grace].map(({ shell }) => fs.readFileSync(journalPath(shell.workspace)));
  const areSame = () => {
    const [first, second] = journals();
    return first !== undefined && second !== undefined && first.equals(second);
  };
  await until('both copies have the same bytes', areSame);
  say('Both copies have the same bytes.');
  return {
    gateBefore: before.code,
    gatesAfter: gates.map(({ code }) => code),
    answers: [there.out, here.out],
    sameBytes: true,
  };
}

/** @returns the URL of each login */
async function makeLogins(postgres: Postgres): Promise<ReadonlyMap<string, string>> {
  const logins = await prepareDatabase({
    owner: settingsOfUrl(postgres.url(owner)),
    schema: fs.readFileSync(path.join(root, 'media', 'sql', 'schema.sql'), 'utf8'),
    logins: ['ada', 'grace'].flatMap((login) => [
      { login, kind: 'human' },
      { login: `${login}_agent`, kind: 'agent' },
    ]),
  });
  const url = (login: string, password: string | null) =>
    `postgresql://${login}:${password ?? ''}@127.0.0.1:${String(postgres.port)}/postgres`;
  return new Map(logins.map(({ login, password }) => [login, url(login, password)]));
}

function agentOf({ shell }: Person, ...args: readonly string[]) {
  return holdpoint({ ...shell, env: { ...shell.env, HOLDPOINT_AGENT_ID: 'builder-001' } }, ...args);
}

async function called<T>(call: Promise<T>): Promise<T & { readonly at: number }> {
  const result = await call;
  return { ...result, at: performance.now() };
}

function quote(say: TeamJobOptions['say'], text: string): void {
  for (const line of text.split('\n')) say(`  ${line}`);
}
