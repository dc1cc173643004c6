/** An answer on one machine of a team, and the call that waits for it on another. */
import assert from 'node:assert/strict';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { databaseUrl } from '../../../src/store/shared/settings.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { listQuestions } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { adasAgent as agent, decide } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';

describe('a call that waits for an answer from another machine', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  let proxy: Proxy;
  before(async () => {
    database = await startShared();
    proxy = await startProxy(database.postgres);
  });
  after(async () => {
    await proxy.close();
    await database.stop();
  });
  afterEach(() => {
    proxy.onMessage(null);
    proxy.restore();
    removeSandboxes();
  });

  async function team() {
    const one = await adasWorkspace(database, async (workspace) =>
      registerWork(await workspace.store(), agent(), { id: 'T-1', workKind: 'task', title: 'One' }),
    );
    const sandbox = makeSandbox();
    const env = { [databaseUrl]: `postgresql://ada_agent@127.0.0.1:${String(proxy.port)}/postgres` };
    const there = openAs(database, sandbox, null, { env });
    await one.join(there);
    there.onChange(() => undefined);
    one.workspace.onChange(() => undefined);
    return { ...one, there, another: () => openAs(database, sandbox) };
  }
  const context = (workspace: Workspace) => ({
    workspace,
    session: agent('waiter-001'),
    signal: new AbortController().signal,
    waitMs: Infinity,
  });
  const question = ({ standing }: Workspace) => [...(standing().state?.questions.values() ?? [])][0]?.id;
  const isRecorded = async (workspace: Workspace) => {
    await workspace.confirm(20_000);
    const { rows } = (await workspace.store()).read();
    return rows.all('SELECT * FROM deliveries').length > 0;
  };

  it('returns it before its delivery is recorded; until then it would be delivered again, not lost', async () => {
    const { workspace, ada, there, another } = await team();
    const later: Promise<void>[] = [];
    const asking = runOperation(
      raiseQuestion,
      { ...context(there), later: (recording) => void later.push(recording) },
      { text: 'Which way?', work_id: 'T-1', mode: 'sync' },
    );
    await until('asked', () => question(workspace) !== undefined);
    proxy.onMessage((text) => {
      if (text.includes('outcome.offered')) proxy.hold('toServer');
    });
    await decide(workspace, ada, question(workspace) ?? '');
    assert.equal((await asking).data['outcome'], 'answered');
    assert.equal(later.length, 1);
    assert.ok(!(await isRecorded(workspace)));
    // As after the end of the program that waited.
    const again = another();
    await again.confirm(20_000);
    assert.match((await runOperation(listQuestions, context(again), {})).text, /Also: .*answered/);
    proxy.restore();
    await Promise.all(later);
    assert.ok(await isRecorded(workspace));
  });

  it('has it recorded before it returns where the program may end afterwards', async () => {
    const { workspace, ada, there } = await team();
    const asking = runOperation(raiseQuestion, context(there), { text: 'And then?', work_id: 'T-1', mode: 'sync' });
    await until('asked', () => question(workspace) !== undefined);
    await decide(workspace, ada, question(workspace) ?? '');
    assert.equal((await asking).data['outcome'], 'answered');
    assert.ok(await isRecorded(workspace));
  });
});
