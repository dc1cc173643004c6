/** What a machine answers while a real server is away, and what becomes of it when the server is back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { shownSharingHash } from '../../../src/app/team/decisions.ts';
import { shareWorkspace } from '../../../src/app/team/sharing.ts';
import { confirmWith, freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { checkGate } from '../../../src/tools/hold/checkGate.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { listQuestions } from '../../../src/tools/question/listQuestions.ts';
import { agent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, minute, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared } from '../../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../../support/store/sharedDatabase.ts';

const connection = { kind: 'env', name: 'HOLDPOINT_DATABASE_URL' } as const;
const second = 1_000;

describe('a machine whose server is away', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  before(async () => {
    database = await startShared();
  });
  after(() => database.stop());
  afterEach(removeSandboxes);

  async function shared() {
    const box = makeSandbox();
    const workspace = box.open({
      env: { HOLDPOINT_DATABASE_URL: database.postgres.url('ada_agent') },
      humanLogin: () => database.postgres.url('ada'),
    });
    const ada = enrolledHuman(workspace);
    const store = await workspace.store();
    await raiseQuestion(store, agent('other-001'), {
      text: 'May I?',
      type: 'clarification',
      urgency: 'high',
      mode: 'sync',
      work: null,
      holds: ['held'],
    });
    const name = `w${randomUUID().slice(0, 8)}`;
    await shareWorkspace(
      { workspace, signer: ada, server: database.server('ada'), agents: 'ada_agent', name, connection },
      shownSharingHash(store.read().state),
    );
    return { box, workspace };
  }

  const state = async (workspace: Workspace, file = 'free.ts') => {
    await confirmWith(workspace);
    return askGate(workspace, { files: [file], session: { agent: 'copilot-001' } }).state;
  };

  it('goes on within the lease, then denies, and records what went on once the server is back', async () => {
    const { box, workspace } = await shared();
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'current');
    database.postgres.crash();
    box.clock.now += 6 * second;
    assert.equal(await state(workspace), 'CLEAR');
    assert.equal(freshnessOf(workspace).state, 'offline');
    assert.equal(await state(workspace, 'held/a.ts'), 'BLOCKED');
    const listing = await runTool(listQuestions, context, {});
    assert.equal(listing.status, 'ok', listing.text);
    const raising = raiseQuestion(await workspace.store(), agent(), {
      text: 'And now?',
      type: 'clarification',
      urgency: 'high',
      mode: 'sync',
      work: null,
    });
    await assert.rejects(raising, { code: 'offline' });
    box.clock.now += minute;
    assert.equal(await state(workspace), 'UNKNOWN');
    database.postgres.start();
    assert.equal(await state(workspace), 'CLEAR');
    const back = await runTool(checkGate, context, { files: ['free.ts'] });
    assert.equal(back.status, 'ok', back.text);
    const { rows } = (await workspace.store()).read();
    const spans = rows.all(rows.query.selectFrom('offline_spans').select(['count', 'agents', 'paths']));
    assert.deepEqual(
      spans.map((row) => ({ ...row })),
      [{ count: 1, agents: '["copilot-001"]', paths: '["free.ts"]' }],
    );
    assert.ok(workspace.offlineLog.isEmpty());
  });
});
