/** What a machine answers while a real server is away, and what becomes of it when the server is back. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { confirmWith, freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { checkGate } from '../../../src/tools/hold/checkGate.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { listQuestions } from '../../../src/tools/question/listQuestions.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { minute, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared } from '../../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace } from '../../support/store/sharedWorkspace.ts';

const second = 1_000;
const asking = { type: 'clarification', urgency: 'high', mode: 'sync', work: null } as const;

describe('a machine whose server is away', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  before(async () => {
    database = await startShared();
  });
  after(() => database.stop());
  afterEach(removeSandboxes);

  const shared = () =>
    adasWorkspace(database, async (workspace) =>
      raiseQuestion(await workspace.store(), agent('other-001'), { ...asking, text: 'May I?', holds: ['held'] }),
    );

  const state = async (workspace: Workspace, file = 'free.ts') => {
    await confirmWith(workspace);
    return askGate(workspace, { files: [file], session: { agent: 'Ada/copilot-001' } }).state;
  };

  it('goes on within the lease, then denies, and records what went on once the server is back', async () => {
    const { sandbox, workspace } = await shared();
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'current');
    database.postgres.crash();
    sandbox.clock.now += 6 * second;
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'offline');
    assert.equal(await state(workspace, 'held/a.ts'), 'BLOCKED');
    const listing = await runTool(listQuestions, context, {});
    assert.equal(listing.status, 'ok', listing.text);
    const raising = raiseQuestion(await workspace.store(), agent(), { ...asking, text: 'And now?' });
    await assert.rejects(raising, { code: 'offline' });
    sandbox.clock.now += 15 * minute;
    assert.equal(await state(workspace), 'UNKNOWN');
    database.postgres.start();
    assert.equal(await state(workspace), 'CLEAR');
    const back = await runTool(checkGate, context, { files: ['free.ts'] });
    assert.equal(back.status, 'ok', back.text);
    const { rows } = (await workspace.store()).read();
    const spans = rows.all(rows.query.selectFrom('offline_spans').select(['count', 'agents', 'paths']));
    assert.deepEqual(
      spans.map((row) => ({ ...row })),
      [{ count: 1, agents: '["Ada/copilot-001"]', paths: '["free.ts"]' }],
    );
    assert.ok(workspace.offlineLog.isEmpty());
  });
});
