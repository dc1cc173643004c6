/** A long journal without a usable saved state, which another thread reads and saves before the editor opens it. */
import assert from 'node:assert/strict';
import { registerWork } from '../../../src/app/work/work.ts';
import { dump } from '../../support/store/dump.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { longLine } from '../../support/store/lab.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { agent } from '../../support/store/people.ts';
import { locally } from '../../support/store/locally.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { noting, savingThread } from '../../support/store/savedState.ts';

type Changes = Parameters<Sandbox['open']>[0];

describe('a journal read first by another thread', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  /** @param lines some 700 KB each */
  async function written(lines: number): Promise<Sandbox> {
    const sandbox = makeSandbox();
    await registerWork(await sandbox.open().store(), agent(), { id: 'T1', workKind: 'task', title: 'T1' });
    write(sandbox, lines, 'H');
    return sandbox;
  }

  function write(sandbox: Sandbox, lines: number, prefix: string): void {
    const line = (_: unknown, number: number) => longLine(`${prefix}${String(number)}-`);
    writeManyByHand(sandbox.journal, Array.from({ length: lines }, line));
  }

  const thread = (sandbox: Sandbox) => savingThread(sandbox, () => sandbox.open());

  locally('is opened from what that thread saved', async () => {
    const sandbox = await written(2);
    const { begun, saveBeside } = thread(sandbox);
    const { opened, fs } = noting();
    const store = await sandbox.open({ saveBeside, fs }).store();
    assert.equal(begun.length, 1);
    assert.ok(opened.includes('.sqlite'), opened.join(' '));
    assert.deepEqual(dump(store.read()), dump((await sandbox.open().store()).read()));
    await sandbox.open({ saveBeside }).store();
    assert.equal(begun.length, 1, 'the next window has a saved state');
  });

  locally('is read there again once most of it is not in the saved state', async () => {
    const sandbox = await written(2);
    const { begun, saveBeside } = thread(sandbox);
    await sandbox.open({ saveBeside }).store();
    write(sandbox, 2, 'M');
    const store = await sandbox.open({ saveBeside }).store();
    assert.equal(begun.length, 2);
    assert.equal(store.read().state.work.size, 12_001);
  });

  const alone: readonly (readonly [why: string, lines: number, changes: (sandbox: Sandbox) => Changes])[] = [
    ['it is short', 1, () => ({})],
    ['nothing may be written', 2, () => ({ mayWrite: () => false })],
    [
      'an administrator manages the keys, because nothing that a thread saves is believed',
      2,
      (sandbox) => ({ managedFolder: writeManagedRing(sandbox, []).folder, fs: filesOf() }),
    ],
  ];
  for (const [why, lines, changes] of alone)
    locally(`is read here where ${why}`, async () => {
      const sandbox = await written(lines);
      const { begun, saveBeside } = thread(sandbox);
      const store = await sandbox.open({ saveBeside, ...changes(sandbox) }).store();
      assert.equal(begun.length, 0);
      assert.equal(store.read().state.work.size, lines * 3_000 + 1);
    });

  locally('is read here when that thread fails', async () => {
    const sandbox = await written(2);
    const store = await sandbox.open({ saveBeside: () => Promise.reject(new Error('of that thread')) }).store();
    assert.equal(store.read().state.work.size, 6_001);
  });
});
