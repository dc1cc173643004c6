/** Questions that agents raise while a real server is away: held at once on this machine, numbered when it is back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { askGate } from '../../../src/app/hold/gate.ts';
import { commitGate } from '../../../src/app/hold/commitGate.ts';
import { raiseOrHold } from '../../../src/app/question/heldHere.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { RaiseInput } from '../../../src/app/question/raise.ts';
import { teamStatus } from '../../../src/app/team/status.ts';
import { openInbox } from '../../../src/app/waiting/inbox.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { GateReason } from '../../../src/core/hold/gate.ts';
import type { State } from '../../../src/core/state/state.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import { checkGate } from '../../../src/tools/hold/checkGate.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { awaitAnswer } from '../../../src/tools/question/awaitAnswer.ts';
import { listQuestions } from '../../../src/tools/question/listQuestions.ts';
import { settingsOfUrl, urlOf } from '../../../src/store/shared/settings.ts';
import { openAtMost } from '../../../src/core/hold/crowd.ts';
import { raiseQuestion as raiseTool } from '../../../src/tools/question/raiseQuestion.ts';
import { adasAgent as agent, cancel, decide } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import { runs } from '../../support/runs.ts';
import type { Proxy } from '../../support/proxy.ts';
import { startProxy } from '../../support/proxy.ts';
import { startShared } from '../../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';

const reasonText = ({ code, subject, holder }: GateReason) => `${code} ${subject} ${holder?.id ?? ''}`;
/** Everything in the state, in its order. */
const snapshotOf = (state: State) =>
  JSON.stringify(state, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  );
const asked: RaiseInput = { text: 'Which way?', type: 'clarification', urgency: 'high', mode: 'sync', work: null };

describe('questions raised while the server is away', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  let isAway = false;
  const proxies: Proxy[] = [];
  before(async () => {
    database = await startShared();
  });
  after(() => database.stop());
  afterEach(async () => {
    removeSandboxes();
    for (const proxy of proxies.splice(0)) await proxy.close();
    if (isAway) back();
  });

  function away(): void {
    database.postgres.crash();
    isAway = true;
  }

  function back(): void {
    database.postgres.start();
    isAway = false;
  }

  async function shared() {
    const one = await adasWorkspace(database, async (workspace) => {
      const store = await workspace.store();
      for (const id of ['T1', 'T2', 'T3']) await registerWork(store, agent(), { workKind: 'task', id, title: id });
    });
    const another = (more: Partial<WorkspaceOptions> = {}) => openAs(database, one.sandbox, 'ada', more);
    return { ...one, another };
  }

  const texts = async (workspace: Workspace) =>
    [...(await workspace.store()).read().state.questions.values()].map(({ id, raised }) => `${id} ${raised.text}`);
  const deny = (workspace: Workspace, work: string) =>
    askGate(workspace, { work, session: { agent: 'other-001' } }).reasons.map(
      ({ code, subject, holder }) => `${code} ${subject} ${holder?.id ?? ''}`,
    );
  const context = (workspace: Workspace) => ({
    workspace,
    session: agent(),
    signal: new AbortController().signal,
    waitMs: 0,
  });
  const tool = { type: 'clarification', work_id: 'T1', wait_seconds: 0 };

  it('hold at once for every program of this machine, and are numbered once the server is back', async () => {
    const { sandbox, workspace, another } = await shared();
    // Other programs then begin with a saved state, of which they read only parts.
    const saving = (await workspace.store()).saving(0);
    assert.ok(saving);
    finish(saving);
    away();
    const raised = await runTool(raiseTool, context(workspace), { text: 'Which way?', ...tool, holds: ['src/a.ts'] });
    assert.equal(raised.status, 'ok', raised.text);
    assert.match(raised.text, /^Held here: "Which way\?" is saved on this machine and has no number yet/);
    assert.deepEqual([raised.data['result'], raised.data['outcome']], ['waiting', 'held_here']);
    const other = another();
    assert.deepEqual(deny(other, 'T1'), ['held_work T1 pending-1']);
    assert.deepEqual(deny(other, 'T2'), []);
    assert.equal(commitGate(other, [{ name: 'c', files: ['src/a.ts'], message: '' }]).state, 'BLOCKED');
    assert.equal(other.standing().state?.questions.size, 0);
    const checked = await runTool(checkGate, context(other), { work_id: 'T1' });
    assert.equal(checked.status, 'denied');
    assert.match(checked.text, /it has no number until the server of this shared workspace answers/);
    assert.deepEqual(
      (checked.data['free'] as { id: string }[]).map(({ id }) => id),
      ['T2', 'T3'],
    );
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: sandbox.folder, tool_name: 'Edit' };
    const call = { ...payload, tool_input: { file_path: path.join(sandbox.folder, 'src/a.ts') } };
    const hook = await answerHook(
      { host: 'claude-code', folder: sandbox.folder, bytes: Buffer.from(JSON.stringify(call)) },
      { ...other.options, env: other.options.env },
    );
    assert.match(hook.out + hook.err, /src\/a\.ts is held by/);
    assert.equal((await teamStatus(other)).pending, 1);
    const [listed] = [...openInbox(other.options).look()];
    assert.deepEqual(listed?.items, []);
    assert.deepEqual(
      listed.pending.map(({ name, title, asked_by, refused }) => ({ name, title, asked_by, refused })),
      [{ name: 'pending-1', title: 'Which way?', asked_by: 'Ada/copilot-001', refused: null }],
    );
    const waiting = await runTool(awaitAnswer, context(other), { wait_seconds: 0 });
    assert.deepEqual([waiting.data['result'], waiting.data['held_here']], ['waiting', ['Which way?']]);
    back();
    await other.confirm(20_000);
    assert.ok(other.outbox.isEmpty());
    const [after] = [...openInbox(other.options).look()];
    assert.deepEqual([after?.items.length, after?.pending], [1, []]);
    assert.deepEqual(await texts(other), ['Q-1 Which way?']);
    assert.deepEqual(deny(other, 'T1'), ['held_work T1 Q-1']);
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Which way?']);
  });

  it('are named to agents that start, continue or list questions meanwhile', async () => {
    const { sandbox, workspace, another } = await shared();
    let ahead = 0;
    const hook = async (event: object, by: string) => {
      const program = another();
      const clock = () => Date.now() + ahead;
      const payload = { session_id: 's', cwd: sandbox.folder, transcript_path: '/t', ...event };
      const { out } = await answerHook(
        { host: 'claude-code', folder: sandbox.folder, bytes: Buffer.from(JSON.stringify(payload)) },
        { ...program.options, clock, env: { ...program.options.env, HOLDPOINT_AGENT_ID: by } },
      );
      return out;
    };
    const start = { hook_event_name: 'SessionStart', source: 'startup' };
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' };
    assert.doesNotMatch(await hook(start, 'copilot-001'), /does not answer|last answered|UNKNOWN/);
    away();
    // A copy that was confirmed a moment ago is current.
    ahead = 20_000;
    await raiseOrHold(workspace, agent(), { ...asked, work: 'T1' });
    const own = await hook(start, 'copilot-001');
    assert.match(own, /The server of this shared workspace last answered at .* holds on this machine at once/);
    assert.match(own, /Held here: .{0,2}"Which way\?.{0,2}" is saved on this machine and has no number yet/);
    assert.match(await hook(prompt, 'copilot-001'), /Held here: /);
    const others = await hook(start, 'other-001');
    assert.match(others, /last answered at/);
    assert.doesNotMatch(others, /Held here/);
    assert.doesNotMatch(await hook(prompt, 'other-001'), /Held here/);
    const listed = await runTool(listQuestions, context(workspace), {});
    assert.match(listed.text, /\npending-1 · sync · held here, no number yet · Ada\/copilot-001 · Which way\?/);
    assert.deepEqual(
      (listed.data['held_here'] as { name: string }[]).map(({ name }) => name),
      ['pending-1'],
    );
    const elsewhere = await runTool(listQuestions, context(workspace), { agent: 'other-001' });
    assert.ok(!('held_here' in elsewhere.data));
  });

  it('get their numbers in the order in which they were raised, after those of the server', async () => {
    const { workspace, another } = await shared();
    away();
    const other = another();
    for (const [at, text] of ['One?', 'Two?', 'Three?'].entries())
      await raiseOrHold(at === 1 ? other : workspace, agent(), { ...asked, text });
    back();
    await raiseOrHold(workspace, agent(), { ...asked, text: 'Four?' });
    assert.deepEqual(await texts(workspace), ['Q-1 One?', 'Q-2 Two?', 'Q-3 Three?', 'Q-4 Four?']);
  });

  it('are numbered once, also by a program that ends between appending and removing, and by several at once', async () => {
    const { workspace, another, ada } = await shared();
    away();
    await raiseOrHold(workspace, agent(), { ...asked, work: 'T1' });
    workspace.close();
    back();
    const kept = (file: unknown) => String(file).includes('.outbox');
    const rmSync: typeof fs.rmSync = (file, more) => {
      if (kept(file)) throw new Error('ended here');
      fs.rmSync(file, more);
    };
    const ended = another({ fs: { ...realFs, rmSync } });
    assert.deepEqual(await texts(ended), ['Q-1 Which way?']);
    assert.ok(!ended.outbox.isEmpty());
    // The question is decided meanwhile, so only the id of the act shows that it was appended.
    await decide(ended, ada, 'Q-1', cancel);
    ended.close();
    const programs = [another(), another(), another()];
    await Promise.all(programs.map((one) => one.confirm(20_000)));
    for (const one of programs) {
      await one.confirm(20_000);
      assert.deepEqual(await texts(one), ['Q-1 Which way?']);
      assert.ok(one.outbox.isEmpty());
      assert.deepEqual(deny(one, 'T1'), []);
    }
  });

  it('are refused at once where the copy shows that they would be', async () => {
    const { workspace } = await shared();
    away();
    const refused = async (input: Partial<RaiseInput>, code: string) => {
      await assert.rejects(raiseOrHold(workspace, agent(), { ...asked, ...input }), { code });
      assert.ok(workspace.outbox.isEmpty());
    };
    await refused({ work: 'T9' }, 'not_found');
    await refused({ text: 'x'.repeat(2_001) }, 'bad_input');
    await refused({ holds: ['../outside'] }, 'bad_input');
    await refused({ type: 'approval', choices: [{ label: 'Maybe' }] }, 'bad_input');
    assert.deepEqual(deny(workspace, 'T1'), []);
  });

  it('are held once when repeated, and hold more when widened', async () => {
    const { workspace } = await shared();
    const store = await workspace.store();
    await raiseQuestion(store, agent(), { ...asked, text: 'Later?', mode: 'async', work: 'T2' });
    away();
    await raiseOrHold(workspace, agent(), { ...asked, work: 'T1' });
    const again = await raiseOrHold(workspace, agent(), { ...asked, work: 'T1' });
    assert.ok('heldHere' in again && again.already);
    assert.equal(workspace.outbox.list().length, 1);
    await raiseOrHold(workspace, agent(), { ...asked, text: 'Later?', work: 'T2' });
    assert.deepEqual(deny(workspace, 'T2'), ['held_work T2 Q-1']);
    back();
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Later?', 'Q-2 Which way?']);
    assert.deepEqual(deny(workspace, 'T2'), ['held_work T2 Q-1']);
  });

  it('hold when the server got the question but its reply was lost, and are numbered once', async () => {
    const { workspace, another } = await shared();
    const proxy = await startProxy(database.postgres);
    proxies.push(proxy);
    const settings = { ...settingsOfUrl(database.postgres.url('ada_agent')), host: '127.0.0.1', port: proxy.port };
    const behind = another({ env: { HOLDPOINT_DATABASE_URL: urlOf(settings) } });
    await behind.store();
    proxy.onReplyTo('append_agent', () => {
      proxy.cut();
    });
    const raised = await raiseOrHold(behind, agent(), { ...asked, work: 'T1' });
    assert.ok('heldHere' in raised);
    assert.deepEqual(deny(behind, 'T1'), ['held_work T1 pending-1']);
    proxy.restore();
    await behind.confirm(20_000);
    assert.ok(behind.outbox.isEmpty());
    assert.deepEqual(await texts(behind), ['Q-1 Which way?']);
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Which way?']);
  });

  it('never release anything, whatever is held and asked', async () => {
    const { workspace } = await shared();
    const store = await workspace.store();
    const work = fc.constantFrom('T1', 'T2', 'T3', null);
    const holds = fc.array(fc.constantFrom('src', 'src/a.ts', 'lib/**'), { maxLength: 2 });
    const question = fc.record({
      text: fc.constantFrom('One?', 'Two?', 'Three?', 'Four?'),
      type: fc.constantFrom('clarification', 'approval'),
      urgency: fc.constantFrom('low', 'critical'),
      mode: fc.constantFrom('sync', 'async'),
      work,
      holds,
    });
    const by = fc.constantFrom('copilot-001', 'other-001');
    const queries = [
      ...['T1', 'T2', 'T3'].map((one) => ({ work: one })),
      ...['src/a.ts', 'src/b.ts', 'lib/c.ts'].map((one) => ({ files: [one] })),
      ...['copilot-001', 'other-001'].map((one) => ({ session: { agent: `Ada/${one}` } })),
    ];
    const denied = () => queries.flatMap((query) => askGate(workspace, query).reasons.map((one) => reasonText(one)));
    const file = path.join(workspace.outbox.folder, 'any');
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.tuple(by, question)),
        fc.array(fc.tuple(by, question), { maxLength: 4 }),
        async (known, held) => {
          if (known) await raiseQuestion(store, agent(known[0]), known[1]);
          const before = denied();
          const state = snapshotOf(store.read().state);
          for (const [who, input] of held)
            workspace.outbox.add({ v: 1, op: randomUUID(), ...agent(who), input, at: workspace.now() });
          const after = denied();
          assert.deepEqual(
            before.filter((one) => !after.includes(one)),
            [],
          );
          for (const [, input] of held)
            if (input.work !== null && (input.mode === 'sync' || input.type === 'approval'))
              assert.equal(askGate(workspace, { work: input.work }).verdict, 'deny');
          assert.equal(snapshotOf(store.read().state), state);
          fs.rmSync(path.dirname(file), { recursive: true, force: true });
          assert.deepEqual(denied(), before);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('get into the journal of a workspace that has left its team meanwhile', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await registerWork(await workspace.store(), agent(), { workKind: 'task', id: 'T1', title: 'T1' });
    const input = { ...asked, work: 'T1' };
    workspace.outbox.add({ v: 1, op: randomUUID(), ...agent(), input, at: workspace.now() });
    assert.deepEqual(deny(workspace, 'T1'), ['held_work T1 pending-1']);
    const next = sandbox.open();
    assert.deepEqual(await texts(next), ['Q-1 Which way?']);
    assert.deepEqual(deny(next, 'T1'), ['held_work T1 Q-1']);
    assert.ok(next.outbox.isEmpty());
  });

  it('are waited for until a human has answered', async () => {
    const { workspace, another, ada } = await shared();
    away();
    const raising = runTool(raiseTool, context(workspace), { text: 'Which way?', ...tool, wait_seconds: 120 });
    while (workspace.outbox.isEmpty()) await new Promise((resolve) => setTimeout(resolve, 50));
    back();
    const other = another();
    for (;;) {
      await other.confirm(20_000);
      if ((await texts(other)).length > 0) break;
    }
    await decide(other, ada, 'Q-1');
    const answered = await raising;
    assert.match(answered.text, /^Q-1 answered by Ada/);
    assert.equal(answered.data['result'], 'proceed');
  });

  it('fail as before where they cannot be saved, and deny everything where they cannot be read', async () => {
    const { workspace, another } = await shared();
    away();
    const full: typeof fs.openSync = (file, flags, mode) => {
      if (String(file).includes('.outbox')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return fs.openSync(file, flags, mode);
    };
    const failing = another({ fs: { ...realFs, openSync: full } });
    await assert.rejects(raiseOrHold(failing, agent(), asked), { code: 'offline' });
    assert.equal(askGate(workspace, { work: 'T1' }).state, 'CLEAR');
    await raiseOrHold(workspace, agent(), { ...asked, work: 'T1' });
    const [name = ''] = fs.readdirSync(workspace.outbox.folder);
    fs.writeFileSync(path.join(workspace.outbox.folder, name), '{"v":2}');
    assert.equal(askGate(workspace, { work: 'T2' }).state, 'UNKNOWN');
    assert.equal((await teamStatus(workspace)).pending, null);
    fs.rmSync(path.join(workspace.outbox.folder, name));
    assert.equal(askGate(workspace, { work: 'T2' }).state, 'CLEAR');
  });

  it('reach their agent and stop this machine when the journal refuses them, and are appended once it can', async () => {
    const { workspace } = await shared();
    const store = await workspace.store();
    const op = randomUUID();
    const at = workspace.now();
    workspace.outbox.add({ v: 1, op, ...agent(), input: { ...asked, work: 'T9' }, at });
    workspace.outbox.add({ v: 1, op: randomUUID(), ...agent(), input: { ...asked, text: 'Next?', work: 'T2' }, at });
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Next?']);
    assert.deepEqual(
      workspace.outbox.list().map((one) => [one.op, one.refused?.why]),
      [[op, 'work item "T9" is not registered']],
    );
    const { state, problem } = askGate(workspace, { work: 'T1' });
    assert.equal(state, 'UNKNOWN');
    assert.match(problem?.message ?? '', /is not known \(work item "T9" is not registered\)/);
    const seen = await runTool(awaitAnswer, context(workspace), { wait_seconds: 100 });
    assert.match(
      seen.text,
      /^Not raised: .*did not accept "Which way\?": work item "T9" is not registered\. It has no/,
    );
    assert.deepEqual([seen.data['result'], seen.data['outcome']], ['denied', 'not_raised']);
    await registerWork(store, agent(), { workKind: 'task', id: 'T9', title: 'T9' });
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Next?', 'Q-2 Which way?']);
    assert.equal(askGate(workspace, { work: 'T1' }).state, 'CLEAR');
  });

  it('are not kept back by one that cannot be read', async () => {
    const { workspace } = await shared();
    for (const text of ['One?', 'Two?'])
      workspace.outbox.add({ v: 1, op: randomUUID(), ...agent(), input: { ...asked, text }, at: workspace.now() });
    const [first = ''] = fs.readdirSync(workspace.outbox.folder);
    fs.writeFileSync(path.join(workspace.outbox.folder, first), '{');
    await workspace.confirm(20_000);
    assert.deepEqual(await texts(workspace), ['Q-1 Two?']);
    assert.deepEqual(
      workspace.outbox.kept().map(({ raise }) => raise),
      [null],
    );
  });

  it('hold and are numbered although their agent reached its limit meanwhile', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    for (const id of ['T1', 'T2']) await registerWork(store, agent(), { workKind: 'task', id, title: id });
    workspace.outbox.add({ v: 1, op: randomUUID(), ...agent(), input: { ...asked, work: 'T1' }, at: workspace.now() });
    for (let count = 0; count < openAtMost.holders; count++)
      await raiseQuestion(store, agent(), { ...asked, text: `Question ${String(count)}?`, work: 'T2' });
    assert.deepEqual(deny(workspace, 'T1'), ['held_work T1 pending-1']);
    await assert.rejects(raiseQuestion(store, agent(), { ...asked, text: 'One more?' }), { code: 'denied' });
    await workspace.confirm(20_000);
    assert.ok(workspace.outbox.isEmpty());
    assert.equal((await texts(workspace)).at(-1), `Q-${String(openAtMost.holders + 1)} Which way?`);
  });
});
