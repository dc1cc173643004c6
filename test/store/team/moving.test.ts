/** Reading a journal that moves to a server: other work goes on meanwhile, and nothing is read twice. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { registerWork } from '../../../src/app/work/work.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { readLocalJournal } from '../../../src/store/shared/replica.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { inMemory, makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const trust = createTrust(() => []);
const lines = 1_200;

describe('a journal that moves to a server', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = makeSandbox(inMemory);
    const store = await sandbox.open().store();
    for (let nth = 0; nth < lines; nth++)
      await registerWork(store, agent(), { id: `T-${String(nth)}`, workKind: 'task', title: 'One' });
    sandbox.close();
  });
  afterEach(removeSandboxes);

  const read = (from: { fs?: FileSystem; onStep?: () => void } = {}) =>
    readLocalJournal({ root: sandbox.folder, fs: from.fs ?? realFs, trust }, from.onStep);

  it('is read no further once the human has stopped it', async () => {
    let steps = 0;
    const onStep = () => {
      steps++;
      throw new Error('stopped');
    };
    await assert.rejects(read({ onStep }), /stopped/);
    assert.equal(steps, 1);
  });

  it('gives the rows from an offset on without reading those before it', async () => {
    let count = 0;
    const counting: FileSystem = {
      ...realFs,
      readSync: ((...given: Parameters<typeof fs.readSync>) => {
        count++;
        return fs.readSync(...given);
      }) as typeof fs.readSync,
    };
    const journal = await read({ fs: counting });
    const all = [...journal.batches(0)].flat();
    const lengthOf = (rows: typeof all) => rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.equal(lengthOf(all), journal.size);
    for (const left of [0, 1, 500]) {
      const wanted = all.slice(all.length - left);
      count = 0;
      const rows = [...journal.batches(journal.size - lengthOf(wanted))].flat();
      assert.deepEqual(rows, wanted);
      assert.equal(count, left);
    }
  });
});
