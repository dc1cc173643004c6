/** Two people, two machines and one server: the built programs, with the names that they choose by themselves. */
import assert from 'node:assert/strict';
import { openServer } from '../../../src/store/shared/server.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { askHook } from '../../support/askHook.ts';
import { holdpoint } from '../../support/holdpoint.ts';
import { environment, startMcp, type Mcp } from '../../support/mcp.ts';
import type { Postgres } from '../../support/postgres.ts';
import { askAgent, decide, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { endOf, line } from '../../support/store/sharedDatabase.ts';
import { makeLogins, shareAsAda, startGuarded } from '../../support/store/team.ts';

interface Machine {
  readonly sandbox: Sandbox;
  readonly env: Record<string, string>;
  /** An MCP server as Claude Code starts it. */
  readonly claude: Mcp;
}

describe('the agents of two people', function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let urls: ReadonlyMap<string, string>;
  let signer: Human;
  let ada: Machine;
  let grace: Machine;
  const url = (login: string) => urls.get(login) ?? assert.fail(login);

  const verb = (machine: Machine, ...args: string[]) =>
    holdpoint({ workspace: machine.sandbox.folder, env: machine.env }, ...args);
  const start = async (sandbox: Sandbox, more: Record<string, string> = {}): Promise<Machine> => {
    const place = { folder: sandbox.folder, home: sandbox.home };
    return {
      sandbox,
      env: environment(place, more),
      claude: await startMcp(place, { name: 'claude-code', env: more }),
    };
  };
  /** What the hook of Claude Code says to an edit. */
  const edits = ({ sandbox, env }: Machine) => {
    const input = { file_path: `${sandbox.folder}/free.ts`, content: 'x' };
    const { status, stdout, stderr } = askHook(
      { workspace: sandbox.folder, env },
      { tool_name: 'Write', tool_input: input },
    );
    assert.ok(status === 0 || status === 2, stderr);
    return stdout.includes('"deny"') || status === 2 ? `denied: ${stdout}${stderr}` : 'allowed';
  };
  /** Ada's own program, with her login. */
  const asAda = () =>
    ada.sandbox.open({
      clock: Date.now,
      env: { HOLDPOINT_DATABASE_URL: url('ada_agent') },
      humanLogin: () => url('ada'),
    });
  const ask = async (machine: Machine, input: object) => {
    const { data, text } = await machine.claude.call('holdpoint_raise_question', {
      type: 'decision',
      urgency: 'low',
      wait_seconds: 0,
      ...input,
    });
    const { id } = data as { id?: string };
    return id ?? /Q-\d+/.exec(text)?.[0] ?? assert.fail(text);
  };
  const refused = async (name: string, input: object) => {
    const { text } = await grace.claude.call(name, input);
    return text;
  };

  before(async () => {
    postgres = await startGuarded();
    urls = await makeLogins(postgres, ['Ada', 'Grace Hopper']);
    const shared = await shareAsAda(
      'two',
      urls,
      { person: 'Grace Hopper', human: 'grace_hopper', agent: 'grace_hopper_agent' },
      (_, human) => Promise.resolve((signer = human)),
    );
    ada = await start(shared.sandbox, { HOLDPOINT_DATABASE_URL: url('ada_agent') });
    const there = makeSandbox();
    const env = environment({ folder: there.folder, home: there.home });
    const joined = await holdpoint(
      { workspace: there.folder, env },
      ...['team', 'join', 'two', url('grace_hopper_agent'), '--fingerprint', shared.fingerprint],
    );
    assert.equal(joined.code, 0, joined.err);
    grace = await start(there);
  });
  after(async () => {
    await Promise.all([ada, grace].map(({ claude }) => claude.close()));
    removeSandboxes();
    await postgres.stop();
  });

  it('have different ids, and each is held by its own question alone', async () => {
    const id = await ask(ada, { text: 'Which way?' });
    assert.match(edits(ada), /denied:.*Q-1/s);
    assert.equal(edits(grace), 'allowed');
    assert.equal(
      (await verb(ada, 'gate', '--file', 'free.ts')).code,
      0,
      'it holds the session that asked, and no file',
    );
    assert.equal((await verb(ada, 'gate')).code, 2, 'a shell that names no session may be of any agent of its person');
    assert.equal((await verb(grace, 'gate')).code, 0);
    await grace.claude.call('holdpoint_record_work', { id: 'G-1', title: 'Other work', status: 'in_progress' });
    for (const status of ['in_progress', 'todo'] as const)
      await grace.claude.call('holdpoint_record_work', {
        ...{ id: `for-ada-${status}`, title: 'For Ada', status },
        assigned_agent: 'Ada/claude-code-001',
      });
    assert.match(edits(ada), /denied:.*Q-1/s, 'work of another person’s agent is not what it works on');
    const { data } = await grace.claude.call('holdpoint_list_items', { agent: 'Ada/claude-code-001' });
    assert.deepEqual(
      (data['questions'] as { id: string; agent_id: string }[]).map((one) => [one.id, one.agent_id]),
      [[id, 'Ada/claude-code-001']],
    );
    const work = await verb(grace, 'work', 'list', '--json');
    assert.match(work.out, /Grace Hopper\/claude-code-001/);
    assert.match(
      (await verb(grace, 'question', 'create', '--type', 'decision', '--text', 'Mine?', '--mode', 'async')).out,
      /Q-2/,
    );
    assert.match((await verb(ada, 'question', 'list')).out, /Grace Hopper\/shell-001/);
  });

  it('are shown without their person to that person, and whole to others and to programs', async () => {
    for (const [machine, first, second] of [
      [ada, 'claude-code-001', 'Grace Hopper/shell-001'],
      [grace, 'Ada/claude-code-001', 'shell-001'],
    ] as const) {
      const { out } = await verb(machine, 'question', 'list');
      for (const [id, name] of [
        ['Q-1', first],
        ['Q-2', second],
      ] as const)
        assert.ok(out.includes(` · ${name} · ${id === 'Q-1' ? 'Which' : 'Mine'}`), out);
      const { out: json } = await verb(machine, 'question', 'list', '--json');
      for (const whole of ['Ada/claude-code-001', 'Grace Hopper/shell-001']) assert.ok(json.includes(whole), json);
    }
    assert.match((await verb(ada, 'inbox')).out, / Grace Hopper\/shell-001 +Mine[^]* claude-code-001 +Which/);
    assert.match((await verb(grace, 'work', 'show', 'G-1')).out, /Registered by claude-code-001/);
    assert.match((await verb(ada, 'work', 'show', 'G-1')).out, /Registered by Grace Hopper\/claude-code-001/);
    const own = async (machine: Machine) => (await verb(machine, 'work', 'list', '--agent', 'claude-code-001')).out;
    assert.match(await own(grace), /G-1/);
    assert.doesNotMatch(await own(ada), /G-1/);
  });

  it('do not end, answer, park, rewrite or submit what belongs to another person’s agent', async () => {
    const id = await ask(ada, { text: 'Async?', mode: 'async', assumption: 'Yes.' });
    assert.match(
      await refused('holdpoint_withdraw_question', { id, reason: 'Found it.' }),
      /only Ada\/claude-code-001/i,
    );
    assert.equal((await verb(grace, 'question', 'withdraw', id, '--reason', 'Found it.')).code, 2);
    const own = asAda();
    await own.store();
    await own.confirm(10_000);
    await askAgent(own, signer, id);
    assert.match(await refused('holdpoint_reply_question', { id, text: 'Because.' }), /only Ada\/claude-code-001/i);
    assert.match(
      await refused('holdpoint_park_question', { id, doing: 'This.', next: 'That.' }),
      /only Ada\/claude-code-001/i,
    );
    const rfc = await ada.claude.call('holdpoint_propose_rfc', { title: 'Tokens', summary: 'Short.' });
    assert.ok(!rfc.isError, rfc.text);
    assert.match(await refused('holdpoint_propose_rfc', { id: 'RFC-1', summary: 'Other.' }), /Ada\/claude-code-001/);
    assert.match(await refused('holdpoint_propose_rfc', { id: 'RFC-1', submit: true }), /Ada\/claude-code-001/);
    await ada.claude.call('holdpoint_record_work', {
      id: 'A-1',
      title: 'Mine',
      status: 'in_progress',
      holds: ['a/**'],
    });
    assert.match(await refused('holdpoint_record_work', { id: 'A-1', status: 'done' }), /another person/);
    assert.match(await refused('holdpoint_record_work', { id: 'A-1', remove_holds: ['a/**'] }), /another person/);
    assert.match(
      await refused('holdpoint_record_work', {
        ...{ id: 'A-1', title: 'Mine', assigned_agent: 'claude-code-001', status: 'in_progress' },
      }),
      /another person/,
    );
    const { text } = await ada.claude.call('holdpoint_reply_question', { id, text: 'Because.' });
    assert.match(text, /Your reply was sent/);
    own.close();
  });

  it('get no answers of each other, and no earlier ones', async () => {
    const own = asAda();
    await own.store();
    await own.confirm(10_000);
    await decide(own, signer, 'Q-1');
    const { text } = await grace.claude.call('holdpoint_list_items', {});
    assert.doesNotMatch(text, /Yes, go on/);
    const asked = await ask(grace, { text: 'Which way?', mode: 'async', assumption: 'Left.' });
    assert.notEqual(asked, 'Q-1', 'its own question');
    assert.match((await ada.claude.call('holdpoint_list_items', {})).text, /Q-1.*Yes, go on/s);
    assert.equal(edits(ada), 'allowed');
    own.close();
  });

  it('cannot write as another person’s agent: the server refuses it', async () => {
    const server = openServer({ settings: settingsOfUrl(url('grace_hopper_agent')) });
    const [shared] = await server.workspaces();
    const id = shared?.id ?? assert.fail('no workspace');
    try {
      for (const [by, actor] of [
        ['Ada/claude-code-001', 'agent'],
        ['claude-code-001', 'agent'],
        ['Grace Hopper/x/claude-code-001', 'agent'],
        ['Ada/claude-code-001', 'system'],
      ] as const) {
        const { bytes } = line({ ...(await endOf(server, id)), actor, by });
        await assert.rejects(server.append('agent', id, bytes), /begin with "Grace Hopper\/"|only an agent/);
      }
    } finally {
      await server.close();
    }
    const named = await holdpoint(
      { workspace: grace.sandbox.folder, env: { ...grace.env, HOLDPOINT_AGENT_ID: 'Ada/claude-code-001' } },
      ...['work', 'register', '--id', 'X-1', '--title', 'X'],
    );
    assert.match(named.err, /another person's agent/);
  });
});
