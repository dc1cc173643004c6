import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { agentOfWorktree, agentType, openAgent, type AgentOptions } from '../../../src/app/workspace/agents.ts';
import { acknowledgeOffered, recordOffer, undeliveredQuestions } from '../../../src/app/waiting/delivery.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import { questionView } from '../../../src/app/question/views.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { programsOf, type Programs } from '../../../src/store/journal/programs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { locally } from '../../support/store/locally.ts';

/** The programs of this test: each is alive until it is killed, without notice. */
function machine() {
  const alive = new Set<number>();
  let last = 0;
  return {
    start(): Programs & { kill(): void } {
      const pid = ++last;
      alive.add(pid);
      return {
        self: { pid, started: 'then', noted: 0 },
        isRunning: (program) => alive.has(program.pid),
        kill: () => alive.delete(pid),
      };
    },
  };
}

const asked = { text: 'Which way?', type: 'decision', urgency: 'medium', mode: 'sync', work: null } as const;

async function ask(workspace: Workspace, session: AgentSession, text = 'Which way?'): Promise<string> {
  return (await raiseQuestion(await workspace.store(), session, { ...asked, text })).question.id;
}

describe('agents', () => {
  afterEach(removeSandboxes);

  describe('have a type that is derived from their host', () => {
    const cases: readonly [name: string, type: string][] = [
      ['claude-code', 'claude-code'],
      ['Claude Code', 'claude-code'],
      ['codex-mcp-client', 'codex'],
      ['Visual Studio Code', 'visual-studio-code'],
      ['gpt-4', 'gpt-4'],
      ['  ', 'agent'],
      ['7️⃣ human; rm -rf /', 'human-rm-rf'],
      ['漢字', 'agent'],
      ['x'.repeat(500), 'x'.repeat(30)],
    ];
    for (const [name, type] of cases)
      it(`${JSON.stringify(name.slice(0, 30))} is ${type.slice(0, 30)}`, () => {
        assert.equal(agentType(name), type);
      });
  });

  describe('have a number', () => {
    function setting() {
      const sandbox = makeSandbox();
      const workspace = sandbox.open();
      const { start } = machine();
      const open = (programs: Programs, more: Partial<AgentOptions> = {}) =>
        openAgent(workspace, { type: 'codex', host: 'mcp', programs, ...more });
      return { sandbox, workspace, start, open };
    }

    it('that increases only while another one is alive', () => {
      const { start, open } = setting();
      const one = start();
      assert.equal(open(one).session.actor.id, 'codex-001');
      assert.equal(open(start()).session.actor.id, 'codex-002');
      one.kill();
      assert.equal(open(start()).session.actor.id, 'codex-001');
      assert.equal(open(start()).session.actor.id, 'codex-003');
    });

    it('of their own type', () => {
      const { start, open } = setting();
      open(start());
      assert.equal(open(start(), { type: 'Claude Code' }).session.actor.id, 'claude-code-001');
    });

    it('that is free immediately after its release', () => {
      const { start, open } = setting();
      const agent = open(start());
      agent.release();
      assert.equal(open(start()).session.actor.id, 'codex-001');
    });

    it('for each of two agents in one program', () => {
      const { start, open } = setting();
      const one = start();
      assert.deepEqual([open(one).session.actor.id, open(one).session.actor.id], ['codex-001', 'codex-002']);
    });

    it('even if nothing can be saved', () => {
      const { sandbox, start, open } = setting();
      fs.mkdirSync(sandbox.userFolder, { recursive: true });
      fs.writeFileSync(path.join(sandbox.userFolder, 'agents'), 'not a folder');
      assert.equal(open(start()).session.actor.id, 'codex-001');
    });

    it('whatever the saved files contain', () => {
      const { sandbox, start, open } = setting();
      open(start()).release();
      const folder = path.join(sandbox.userFolder, 'agents');
      const [store = ''] = fs.readdirSync(folder);
      const note = path.join(folder, store, 'codex-001.7.json');
      for (const [index, content] of ['', '{', '{"v":1}', '\0'].entries()) {
        fs.writeFileSync(note, content);
        fs.utimesSync(note, sandbox.clock.now / 1000, sandbox.clock.now / 1000);
        assert.equal(open(start()).session.actor.id, `codex-${String(index + 2).padStart(3, '0')}`, 'being written');
      }
      fs.utimesSync(note, 0, 0);
      assert.equal(open(start()).session.actor.id, 'codex-001', 'left behind');
    });

    it('from the environment, if it is valid', () => {
      const { start, open, workspace } = setting();
      assert.equal(open(start(), { given: 'builder-007' }).session.actor.id, 'builder-007');
      assert.throws(() => open(start(), { given: 'human' }), /HOLDPOINT_AGENT_ID: is the name of another kind/);
      assert.equal(open(start(), { given: 'payments-agent' }).session.actor.id, 'payments-agent');
      enrolledHuman(workspace, 'Alice');
      assert.throws(() => open(start(), { given: 'ALICE' }), /ALICE is the name of a human here/);
    });

    it('or a name without one, which no program chooses by itself', async () => {
      const { start, open, workspace } = setting();
      const store = await workspace.store();
      await registerWork(store, open(start(), { given: 'codex' }).session, { id: 'T1', title: 'First' });
      assert.ok(store.read().state.agents.has('codex'));
      assert.equal(open(start(), { type: 'codex' }).session.actor.id, 'codex-001');
    });
  });

  it('can tell whether real programs run', async () => {
    const programs = programsOf(fs, Date.now);
    assert.ok(programs.isRunning(programs.self));
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const other = { pid: child.pid!, started: null, noted: Date.now() };
    assert.ok(programs.isRunning(other));
    if (process.platform === 'linux') assert.ok(!programs.isRunning({ ...other, started: 'at another time' }));
    assert.ok(!programs.isRunning({ ...other, noted: 0 }), 'noted before the machine started');
    child.kill();
    await once(child, 'exit');
    assert.ok(!programs.isRunning(other));
  });

  locally('get different numbers when many real programs start at once', async function () {
    this.timeout(240_000);
    const sandbox = makeSandbox();
    const script = path.join(import.meta.dirname, '..', '..', 'support', 'store', 'claimAgent.ts');
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [script, sandbox.folder, sandbox.home], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const ids = await Promise.all(
      children.map(async (child) => String((await once(child.stdout.setEncoding('utf8'), 'data'))[0])),
    );
    assert.equal(new Set(ids).size, 6, ids.join(' '));
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
    const after = openAgent(sandbox.open(), { type: 'codex', host: 'mcp', programs: programsOf(fs, Date.now) });
    assert.equal(after.session.actor.id, 'codex-001');
  });

  describe('in linked worktrees', () => {
    function worktrees(): { main: Workspace; linked: Workspace; sandbox: Sandbox } {
      const sandbox = makeSandbox();
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
          cwd: sandbox.folder,
          stdio: 'pipe',
        });
      git('init', '-q');
      git('commit', '-q', '--allow-empty', '-m', 'first');
      git('worktree', 'add', '-q', sandbox.at('linked'));
      return { sandbox, main: sandbox.open(), linked: sandbox.open({ folder: sandbox.at('linked') }) };
    }

    it('share the store, and have separate, stable numbers', async () => {
      const { sandbox, main, linked } = worktrees();
      assert.equal(linked.location.root, main.location.root);
      assert.equal(linked.worktree, '../linked');
      const { start } = machine();
      const open = (workspace: Workspace, programs: Programs) =>
        openAgent(workspace, { type: 'codex', host: 'mcp', programs }).session;
      const [a, b] = [start(), start()];
      const first = open(main, a);
      const second = open(linked, b);
      assert.deepEqual([first.actor.id, second.actor.id], ['codex-001', 'codex-002']);
      await ask(main, first);
      await ask(linked, second);
      for (const program of [a, b]) program.kill();
      const again = sandbox.open({ folder: sandbox.at('linked') });
      assert.equal(open(again, start()).actor.id, 'codex-002');
      assert.equal(open(again, start()).actor.id, 'codex-003');
      assert.equal(open(sandbox.open(), start()).actor.id, 'codex-001');
    });

    it('have separate shells', async () => {
      const { main, linked } = worktrees();
      assert.equal(agentOfWorktree(main, 'shell'), 'shell-001');
      const actor = { kind: 'agent', id: 'shell-001', worktree: main.worktree } as const;
      await ask(main, { actor, host: 'shell' });
      assert.equal(agentOfWorktree(linked, 'shell'), 'shell-002');
      assert.equal(agentOfWorktree(main, 'shell'), 'shell-001');
    });
  });

  it('get the answers to their predecessor; two live ones do not get each other’s', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    const { start } = machine();
    const open = (programs: Programs, session: string) =>
      openAgent(workspace, { type: 'codex', host: 'mcp', programs, session }).session;
    const store = await workspace.store();
    const waitingFor = ({ actor }: AgentSession) => undeliveredQuestions(store.read(), actor.id).map(({ id }) => id);
    const [a, b] = [start(), start()];
    const one = open(a, 's-1');
    const two = open(b, 's-2');
    const first = await ask(workspace, one, 'First?');
    const second = await ask(workspace, two, 'Second?');
    await decide(workspace, human, first);
    await decide(workspace, human, second);
    assert.deepEqual([waitingFor(one), waitingFor(two)], [[first], [second]]);

    // The offer ends with its session: the next session has not seen it, whatever it calls.
    await recordOffer(store, one, [first], false);
    a.kill();
    const next = open(start(), 's-3');
    assert.equal(next.actor.id, one.actor.id);
    assert.deepEqual(await acknowledgeOffered(store, next), []);
    assert.deepEqual(waitingFor(next), [first]);
    await recordOffer(store, next, [first], false);
    assert.deepEqual(await acknowledgeOffered(store, next), [first]);
    assert.deepEqual([waitingFor(next), waitingFor(two)], [[], [second]]);
    assert.ok(questionView(store.read(), first)?.acknowledged_at);
  });
});
