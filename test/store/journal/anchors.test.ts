/** Where a journal had got, as programs record it in the user's folder: by the one that writes, once for all that read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { registerWork } from '../../../src/app/work/work.ts';
import { work } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';

describe('the record of how far a journal had got', () => {
  afterEach(removeSandboxes);

  const register = async (sandbox: Sandbox, id: string) => {
    const workspace = sandbox.open();
    await registerWork(await workspace.store(), agent(), { id, workKind: 'task', title: id });
    return workspace;
  };

  /** A program that read everything, and counts how often it flushes from then on. */
  async function reader(sandbox: Sandbox) {
    let flushes = 0;
    const count = (descriptor: number, flush: (descriptor: number) => void) => {
      flushes += 1;
      flush(descriptor);
    };
    const workspace = sandbox.open({
      fs: {
        ...realFs,
        fsyncSync: (descriptor) => {
          count(descriptor, fs.fsyncSync);
        },
        fdatasyncSync: (descriptor) => {
          count(descriptor, fs.fdatasyncSync);
        },
      },
    });
    const store = await workspace.store();
    const anchor = () => {
      store.read();
      flushes = 0;
      store.anchor();
      return flushes;
    };
    return { workspace, anchor };
  }

  it('is written once: a program that reads writes and flushes nothing where the writer has', async () => {
    const sandbox = makeSandbox();
    (await register(sandbox, 'T1')).close();
    const { workspace, anchor } = await reader(sandbox);
    anchor();
    (await register(sandbox, 'T2')).close();
    const before = workspace.stateFile.stamp();
    assert.equal(anchor(), 0);
    assert.equal(workspace.stateFile.stamp(), before);
    fs.rmSync(sandbox.journal);
    assert.equal(sandbox.open().standing().problem?.code, 'missing', 'and it counts');
  });

  it('is written, after a flush, by a program that reads where the writer ended before', async () => {
    const sandbox = makeSandbox();
    (await register(sandbox, 'T1')).close();
    const { workspace, anchor } = await reader(sandbox);
    writeManyByHand(sandbox.journal, [{ records: [work('T2')] }]);
    const before = workspace.stateFile.read()?.position ?? NaN;
    assert.ok(anchor() >= 2, 'the journal and the record');
    assert.equal(workspace.stateFile.read()?.position, (await workspace.store()).position.position);
    assert.ok((workspace.stateFile.read()?.position ?? NaN) > before);
  });
});
