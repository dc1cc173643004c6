/** Held files in a team: each machine has files of its own, so each has baselines and changes of its own. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { commitGate } from '../../../src/app/hold/commitGate.ts';
import { acceptChanges } from '../../../src/app/hold/decisions.ts';
import { lookAtHeld } from '../../../src/app/hold/lookAtHeld.ts';
import { restoreHeld } from '../../../src/app/hold/restore.ts';
import { takeBaselines } from '../../../src/app/hold/takeBaselines.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { databaseUrl } from '../../../src/store/shared/settings.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { shownSubject } from '../../../src/core/question/question.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { adasAgent as agent, signedBy, decide, yes } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';

describe('held files in a team', function () {
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
    proxy.restore();
    removeSandboxes();
  });

  /** Q-1 holds `src`; Ada and Grace have different branches, and each machine has a baseline. */
  async function team() {
    const one = await adasWorkspace(database, async (workspace) =>
      registerWork(await workspace.store(), agent(), { id: 'T-1', workKind: 'task', title: 'One' }),
    );
    const sandbox = makeSandbox();
    const url = `postgresql://ada_agent@127.0.0.1:${String(proxy.port)}/postgres`;
    const there = openAs(database, sandbox, null, { env: { [databaseUrl]: url } });
    await one.join(there);
    const [here, other] = [one.sandbox, sandbox].map(({ folder }) => path.join(folder, 'src/a.ts')) as [string, string];
    for (const [file, text] of [
      [here, 'main\n'],
      [other, 'branch\n'],
    ] as const) {
      fs.mkdirSync(path.dirname(file));
      fs.writeFileSync(file, text);
    }
    const context = { workspace: one.workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    const asked = await runOperation(raiseQuestion, context, { type: 'decision', text: 'Which way?', holds: ['src'] });
    assert.equal(asked.status, 'ok', asked.text);
    await there.confirm(20_000);
    assert.equal(await takeBaselines(there), true, 'the other machine has files of its own');
    assert.equal(await takeBaselines(there), false);
    await one.workspace.confirm(20_000);
    assert.equal(await takeBaselines(one.workspace), false);
    return { ...one, there, here, other, sandbox };
  }

  const changesOf = (workspace: Workspace) => workspace.standing().state?.heldFiles.get('Q-1')?.changes ?? [];
  const differences = async (workspace: Workspace) =>
    (await lookAtHeld(workspace)).flatMap((one) => one.differences.map(({ path: name }) => name));
  const committing = (content: string) => [
    { name: 'it', files: ['src/a.ts'], message: '', contentOf: () => Buffer.from(content) },
  ];
  const isDenied = (workspace: Workspace, content: string) =>
    commitGate(workspace, committing(content)).changed.length > 0;

  it('are compared on each machine with its own baseline', async () => {
    const { workspace, there, here, other } = await team();
    for (const one of [workspace, there]) assert.deepEqual(await differences(one), []);
    fs.writeFileSync(other, 'changed\n');
    assert.deepEqual(await differences(there), ['src/a.ts']);
    await workspace.confirm(20_000);
    assert.equal(changesOf(workspace).length, 1, 'its human is notified on every machine');
    assert.deepEqual(await differences(workspace), [], 'but only one of them has changed');
    assert.equal(changesOf(workspace).length, 1);

    fs.writeFileSync(here, 'changed too\n');
    assert.deepEqual(await differences(workspace), ['src/a.ts']);
    assert.equal(changesOf(workspace).length, 2);
    await there.confirm(20_000);
    await restoreHeld(there, other, () => null);
    assert.equal(fs.readFileSync(other, 'utf8'), 'branch\n');
    await workspace.confirm(20_000);
    const [left, ...more] = changesOf(workspace);
    assert.deepEqual([left?.is, more], [hashOfText('changed too\n'), []], 'each machine restores its own');
    assert.equal(fs.readFileSync(here, 'utf8'), 'changed too\n');
  });

  it('are denied to commits where they changed, and elsewhere only with the content that they got there', async () => {
    const { workspace, ada, there, other } = await team();
    fs.writeFileSync(other, 'changed\n');
    await lookAtHeld(there);
    await workspace.confirm(20_000);
    await decide(workspace, ada, 'Q-1', yes);
    await there.confirm(20_000);
    assert.deepEqual([isDenied(there, 'changed\n'), isDenied(there, 'more\n')], [true, true]);
    assert.equal(isDenied(there, 'branch\n'), false, 'as it was there');
    assert.equal(isDenied(workspace, 'the answer\n'), false, 'nothing had changed here');
    assert.equal(isDenied(workspace, 'changed\n'), true, 'brought here by another way');

    const store = await workspace.store();
    const { state } = store.read();
    const shown = hashOf(shownSubject(state, state.questions.get('Q-1')!));
    const signing = signedBy(store, ada);
    assert.equal(await acceptChanges(signing, 'Q-1', { path: 'src/a.ts', shown }), 'decided');
    await there.confirm(20_000);
    for (const one of [workspace, there]) assert.equal(isDenied(one, 'changed\n'), false);
    assert.equal(there.standing().state?.heldFiles.size, 0);
  });

  it('are noticed also while the server does not answer, and recorded when it does', async () => {
    const { there, other } = await team();
    proxy.halfOpen();
    fs.writeFileSync(other, 'changed\n');
    assert.deepEqual(await differences(there), ['src/a.ts']);
    assert.equal(changesOf(there).length, 0);
    proxy.restore();
    await there.confirm(20_000);
    await lookAtHeld(there);
    assert.equal(changesOf(there).length, 1);
  });

  it('in a worktree of a teammate get no baseline where that is another folder, or none', async () => {
    const { workspace, there, sandbox } = await team();
    const beside = path.join(path.dirname(sandbox.folder), 'feature');
    fs.mkdirSync(path.join(beside, 'src'), { recursive: true });
    fs.writeFileSync(path.join(beside, 'src/secret.ts'), 'of another project\n');
    const session = agent('other-001');
    const inWorktree = { ...session, actor: { ...session.actor, worktree: '../feature' } };
    const context = { workspace, session: inWorktree, signal: new AbortController().signal, waitMs: 0 };
    const asked = await runOperation(raiseQuestion, context, { type: 'decision', text: 'And there?', holds: ['src'] });
    assert.equal(asked.status, 'ok', asked.text);
    await there.confirm(20_000);
    assert.equal(there.standing().state?.holders.has('Q-2'), true);
    assert.equal(await takeBaselines(there), false);
  });
});

function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
