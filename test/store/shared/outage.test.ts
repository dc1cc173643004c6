/** What a machine answers while a real server is away, by every way in, and when the server is back. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { confirmWith, freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { settingsOfUrl, urlOf, ServerError } from '../../../src/store/shared/settings.ts';
import { checkGate } from '../../../src/tools/work/work.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { listQuestions } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion as raiseTool } from '../../../src/tools/question/asking.ts';
import { type Program, spawnServe } from '../../serve/program.ts';
import { askHook } from '../../support/askHook.ts';
import { holdpoint } from '../../support/holdpoint.ts';
import { environment, type Mcp, startMcp } from '../../support/mcp.ts';
import type { Postgres } from '../../support/postgres.ts';
import { type Proxy, startProxy } from '../../support/proxy.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { adasWorkspace } from '../../support/store/sharedWorkspace.ts';
import { makeLogins, shareAsAda, startGuarded } from '../../support/store/team.ts';
import { endOf, line, noLine, sharedDatabase } from '../../support/store/sharedDatabase.ts';
import type { Server } from '../../../src/store/shared/server.ts';
import type { SessionOptions } from '../../../src/store/shared/session.ts';
import { until } from '../../support/until.ts';

const second = 1_000;

const asking = { type: 'clarification', urgency: 'high', mode: 'sync', work: null } as const;

describe('a machine whose server is away', function () {
  this.timeout(240_000);
  const database = sharedDatabase();
  afterEach(removeSandboxes);

  const shared = () =>
    adasWorkspace(database, async (workspace) =>
      raiseQuestion(await workspace.store(), agent('other-001'), { ...asking, text: 'May I?', holds: ['held'] }),
    );

  const state = async (workspace: Workspace, file = 'free.ts') => {
    await confirmWith(workspace);
    return askGate(workspace, { files: [file], session: { agent: 'Ada/copilot-001' } }).state;
  };

  it('continues within the lease, then denies until the server is back', async () => {
    const { sandbox, workspace } = await shared();
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'current');
    database.postgres.crash();
    sandbox.clock.now += 6 * second;
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'offline');
    assert.equal(await state(workspace, 'held/a.ts'), 'BLOCKED');
    const listing = await runOperation(listQuestions, context, {});
    assert.equal(listing.status, 'ok', listing.text);
    const raising = await runOperation(raiseTool, context, { text: 'And now?', wait_seconds: 0 });
    assert.equal(raising.status, 'error');
    assert.match(raising.text, /^Not saved: the team's server does not answer; stop, and ask again \(/);
    sandbox.clock.now += 15 * minute;
    assert.equal(await state(workspace), 'UNKNOWN');
    database.postgres.start();
    assert.equal(await state(workspace), 'CLEAR');
    const back = await runOperation(checkGate, context, { files: ['free.ts'] });
    assert.equal(back.status, 'ok', back.text);
  });
});

describe('a question to a team whose server does not answer', function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let proxy: Proxy;
  let sandbox: Sandbox;
  let env: Record<string, string>;
  let mcp: Mcp;
  let served: Program;
  let token: string;

  before(async () => {
    postgres = await startGuarded();
    proxy = await startProxy(postgres);
    const urls = await makeLogins(postgres, ['Ada', 'Grace']);
    ({ sandbox } = await shareAsAda('away', urls, { person: 'Grace', human: 'grace', agent: 'grace_agent' }));
    const settings = settingsOfUrl(urls.get('ada_agent') ?? '');
    const login = { HOLDPOINT_DATABASE_URL: urlOf({ ...settings, host: '127.0.0.1', port: proxy.port }) };
    env = environment(sandbox, login);
    mcp = await startMcp(sandbox, { name: 'claude-code', env: login });
    served = await spawnServe(sandbox, ['--port', '0'], login);
    const added = await verb('serve', 'token', 'add', 'worker', '--agent', 'worker-001', '--json');
    token = (JSON.parse(added.out) as { token: string }).token;
  });
  after(async () => {
    await mcp.close();
    await served.stop();
    await proxy.close();
    await postgres.stop();
    removeSandboxes();
  });

  const verb = (...args: string[]) => holdpoint({ workspace: sandbox.folder, env }, ...args);
  /** All ways in, and what each answers to a question. */
  const ways: Readonly<Record<string, (text: string) => Promise<{ readonly said: string; readonly failed: boolean }>>> =
    {
      async mcp(text) {
        const { text: said, isError } = await mcp.call('holdpoint_raise_question', {
          ...{ text, wait_seconds: 0, holds: ['held.ts'] },
        });
        return { said, failed: isError };
      },
      async http(question) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ question });
        const reply = await fetch(`${served.origin}/api/blockers`, { method: 'POST', headers, body });
        return { said: await reply.text(), failed: reply.status === 503 };
      },
      async cli(text) {
        const { out, err, code } = await verb('question', 'create', '--text', text, '--wait', '0');
        return { said: out + err, failed: code === 1 };
      },
    };

  /** How long a saved question takes, in milliseconds. After an outage the first ones may still meet the old connection. */
  async function timeOf(ask: () => Promise<{ readonly said: string; readonly failed: boolean }>): Promise<number> {
    for (let tries = 1; ; tries++) {
      const asked = performance.now();
      const { said, failed } = await ask();
      if (!failed) return performance.now() - asked;
      assert.ok(tries < 5, said);
    }
  }

  const losses: Readonly<Record<string, () => void>> = {
    'refuses connections': () => {
      proxy.cut();
    },
    'is silent': () => {
      proxy.hold('toServer', 'toClient');
    },
  };

  for (const [what, lose] of Object.entries(losses))
    it(`fails within five seconds, by every way in, when it ${what}`, async () => {
      for (const [way, ask] of Object.entries(ways)) {
        const usual = await timeOf(() => ask(`Before, ${what}, ${way}?`));
        lose();
        // What was sent just before may be saved, or not.
        await new Promise((resolve) => setTimeout(resolve, 500));
        try {
          const began = performance.now();
          const { said, failed } = await ask(`During, ${way}?`);
          const took = performance.now() - began;
          assert.ok(failed, `${way}: ${said}`);
          assert.match(said, /[Nn]ot saved: the team's server does not answer; stop, and ask again/);
          assert.ok(took < 5_000 + usual, `${way}: ${String(took)} ms, usually ${String(usual)}`);
          const call = { tool_name: 'Write', tool_input: { file_path: `${sandbox.folder}/held.ts`, content: '' } };
          const { stdout, stderr } = askHook({ workspace: sandbox.folder, env }, call);
          assert.match(stdout + stderr, /held by Q-/);
        } finally {
          proxy.restore();
        }
      }
      const { out } = await verb('question', 'list', '--json');
      assert.doesNotMatch(out, /During/);
    });

  it('says within six seconds that it may be saved, and how to see it, when the reply is lost', async () => {
    for (const [way, ask] of Object.entries(ways)) {
      const usual = await timeOf(() => ask(`Before a lost reply, ${way}?`));
      proxy.onReplyTo('append_agent', () => {
        proxy.hold('toClient');
      });
      try {
        const began = performance.now();
        const { said, failed } = await ask(`Lost, ${way}?`);
        const took = performance.now() - began;
        assert.ok(failed, `${way}: ${said}`);
        assert.match(said, /this may have been saved. List your questions/);
        assert.doesNotMatch(said, /[Nn]othing was|[Nn]ot saved/);
        assert.ok(took < 7_000 + 2 * usual, `${way}: ${String(took)} ms, usually ${String(usual)}`);
      } finally {
        proxy.restore();
      }
      assert.equal((await verb('question', 'list')).out.split(`Lost, ${way}?`).length, 2, 'it is there, once');
    }
  });
});

/** What our client says when sessions and the server die. */
describe('a shared journal whose server fails', function () {
  this.timeout(180_000);
  const database = sharedDatabase();
  let ours: string;
  let proxy: Proxy;
  let agent: Server;

  beforeEach(async () => {
    ours = await database.fresh();
    proxy = await startProxy(database.postgres);
    agent = through(proxy);
  });
  afterEach(() => proxy.close());

  function through({ port }: Proxy, more: Partial<SessionOptions> = {}): Server {
    const settings = { ...settingsOfUrl(database.postgres.url('ada_agent')), host: '127.0.0.1', port };
    return database.another('ada_agent', { settings, ...more });
  }

  it('says "unknown" when no reply came; the same act settles what became of it', async () => {
    for (const [when, outcome] of [
      ['before', 'won'],
      ['after', 'duplicate'],
    ] as const) {
      const { bytes } = line(await endOf(agent, ours));
      proxy.cutAt('append_agent', when);
      await assert.rejects(agent.append('agent', ours, bytes), { code: 'unknown' });
      assert.equal((await agent.append('agent', ours, bytes)).outcome, outcome);
    }
  });

  it('says "offline" when nothing that writes was sent', async () => {
    proxy.cutAt('holdpoint.tail', 'after');
    await assert.rejects(agent.tail(ours, 0), { code: 'offline' });
    database.postgres.crash();
    await assert.rejects(agent.append('agent', ours, line({ at: 0, prev: noLine }).bytes), { code: 'offline' });
    database.postgres.start();
    assert.equal((await agent.append('agent', ours, line({ at: 0, prev: noLine }).bytes)).outcome, 'won');
  });

  it('says so within its time when the network is silent', async () => {
    const quick = through(proxy, { callMs: 300, connectMs: 300 });
    await quick.tail(ours, 0);
    proxy.hold('toServer', 'toClient');
    const { bytes } = line({ at: 0, prev: noLine });
    await assert.rejects(quick.append('agent', ours, bytes), { code: 'unknown', message: /no reply within 0\.3 s/ });
    await assert.rejects(quick.append('agent', ours, bytes), { code: 'offline' });
    await assert.rejects(quick.tail(ours, 0), { code: 'offline' });
  });

  it('does not count the time in which the program itself was busy', async () => {
    const quick = database.another('ada_agent', { callMs: 1_000 });
    await quick.tail(ours, 0);
    const asked = quick.tail(ours, 0);
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    assert.ok((await asked).size >= 0);
  });

  it('says "busy" when somebody keeps the lock, who loses it after five seconds, and writes nothing', async () => {
    const holder = await database.connect('ada_agent');
    const place = { at: 0, prev: noLine };
    await holder.query('begin');
    await holder.query('select * from holdpoint.append_agent($1, $2)', [ours, line(place).bytes]);
    const { bytes } = line(place);
    await assert.rejects(agent.append('agent', ours, bytes), { code: 'busy' });
    const won = async () => {
      try {
        return (await agent.append('agent', ours, bytes)).outcome === 'won';
      } catch (error) {
        assert.ok(error instanceof ServerError && error.code === 'busy', String(error));
        return false;
      }
    };
    await until('the server has ended the session of the one that hangs', won);
    assert.equal((await agent.tail(ours, 0)).rows.length, 1, 'its line is not there');
  });
});
