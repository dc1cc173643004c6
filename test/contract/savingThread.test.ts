/** The packaged thread that writes the editor’s snapshots. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { registerWork } from '../../src/app/work/work.ts';
import type { ThreadWork } from '../../src/ui/kit/keepers.ts';
import { root } from '../support/host.ts';
import { dump } from '../support/store/dump.ts';
import { writeManyByHand } from '../support/store/handwriting.ts';
import { work } from '../support/store/lab.ts';
import { agent } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { noting } from '../support/store/savedState.ts';

describe('the thread that writes snapshots', () => {
  after(removeSandboxes);

  it('writes a snapshot for the next program while its own program continues', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const store = await workspace.store();
    await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'First' });
    writeManyByHand(sandbox.journal, [{ records: Array.from({ length: 500 }, (_, at) => work(`H${String(at)}`)) }]);
    const { position } = (store.read(), store.position);
    const thread = new Worker(path.join(root, 'dist', 'thread.cjs'), {
      workerData: { kind: 'save', folder: sandbox.folder } satisfies ThreadWork,
      env: { ...process.env, XDG_STATE_HOME: path.dirname(sandbox.userFolder) },
    });
    const ended = once(thread, 'exit');
    await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Second' });
    assert.deepEqual(await ended, [0]);
    const saved = workspace.stateFile.read()?.snapshot;
    assert.ok(saved && saved.position >= position);
    assert.ok(!store.hasGrown(64 * 1024), 'nothing is left to write');
    const live = dump(store.read());
    const noted = noting();
    const next = await sandbox.open({ fs: noted.fs }).store();
    assert.deepEqual(dump(next.read()), live);
    assert.ok(noted.opened.includes('.sqlite'));
  });
});
