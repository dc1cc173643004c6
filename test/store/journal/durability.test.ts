/**
 * Acknowledged acts are on the disk, whichever program wrote them; and an unreadable file is never taken for a missing
 * one.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { replaceJournal } from '../../../src/store/journal/journalFile.ts';
import { fault } from '../../support/store/faults.ts';
import { enrolledHuman } from '../../support/store/people.ts';
import { inMemory, makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { newDisk, type Disk } from '../../support/faults/disk.ts';
import { namesByHand } from '../../support/faults/agreement.ts';
import { ask, setStage } from '../../support/faults/stage.ts';
import { putTree } from '../../support/faults/tree.ts';

describe('a disk that forgets what was not flushed', () => {
  afterEach(removeSandboxes);

  function losePower(sandbox: Sandbox, disk: Disk): void {
    putTree(
      sandbox.base,
      disk.afterLoss('all of it is lost', () => 0),
    );
  }

  /** Another program acts after one has written "Slow?" but not flushed it; then the power fails. */
  async function whileWriting(act: (open: ReturnType<Sandbox['open']>) => Promise<() => void>): Promise<Sandbox> {
    const sandbox = makeSandbox(inMemory);
    const disk = newDisk(sandbox.base);
    await setStage(sandbox.open({ fs: disk.fs }));
    const now = await act(sandbox.open({ fs: disk.fs }));
    let armed = true;
    const fdatasyncSync = (descriptor: number) => {
      if (!armed) {
        disk.fs.fdatasyncSync(descriptor);
        return;
      }
      armed = false;
      now();
      losePower(sandbox, disk);
      throw fault('EIO');
    };
    const store = await sandbox.open({ fs: { ...disk.fs, fdatasyncSync } }).store();
    await assert.rejects(async () => ask(store, 'Slow?', null));
    return sandbox;
  }

  it('keeps keys that a human enrolled, in new folders', async () => {
    const sandbox = makeSandbox(inMemory);
    const disk = newDisk(sandbox.base);
    await setStage(sandbox.open({ fs: disk.fs }));
    losePower(sandbox, disk);
    assert.equal(askGate(sandbox.open(), { work: 'answered' }).state, 'CLEAR');
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
    fs.rmSync(sandbox.journal);
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'UNKNOWN', 'and it is known to be in use');
  });

  it('keeps lines that another program read before they were flushed', async () => {
    const sandbox = await whileWriting(async (other) => {
      const store = await other.store();
      return () => {
        store.read();
        other.close();
      };
    });
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
  });

  it('keeps what a second program got as already existing', async () => {
    const sandbox = await whileWriting(async (other) => {
      const store = await other.store();
      return () => {
        void ask(store, 'Slow?', null);
      };
    });
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
    assert.ok(namesByHand(sandbox).includes('Slow?'));
  });
});

describe('a file that is briefly unreadable', () => {
  afterEach(removeSandboxes);

  async function used(): Promise<Sandbox> {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await setStage(workspace);
    workspace.close();
    fs.mkdirSync(path.join(sandbox.folder, 'below'));
    return sandbox;
  }

  it('does not make its folder count as unused', async () => {
    const sandbox = await used();
    const below = path.join(sandbox.folder, 'below');
    const [file] = fs.readdirSync(path.join(sandbox.userFolder, 'stores'));
    let failed = false;
    const readFileSync = ((name: string, encoding: BufferEncoding) => {
      if (path.basename(name) !== file || failed) return fs.readFileSync(name, encoding);
      failed = true;
      throw fault('EIO');
    }) as typeof fs.readFileSync;
    const workspace = sandbox.open({ folder: below, fs: { ...realFs, readFileSync } });
    assert.ok(failed);
    assert.equal(workspace.location.root, sandbox.folder);
    assert.equal(askGate(workspace, { files: ['src/held/x.ts'] }).verdict, 'deny');
  });

  it('is reported if the stores cannot even be listed', async () => {
    const sandbox = await used();
    const readdirSync = (() => {
      throw fault('EIO');
    }) as unknown as typeof fs.readdirSync;
    assert.throws(
      () => sandbox.open({ folder: path.join(sandbox.folder, 'below'), fs: { ...realFs, readdirSync } }),
      /EIO/,
    );
  });

  it('does not turn a human’s decision into a forgery', async () => {
    const sandbox = await used();
    let failing = true;
    const readFileSync = ((name: string, encoding: BufferEncoding) => {
      if (failing && name.endsWith('keys.json')) throw fault('EIO');
      return fs.readFileSync(name, encoding);
    }) as typeof fs.readFileSync;
    const workspace = sandbox.open({ fs: { ...realFs, readFileSync } });
    assert.equal(askGate(workspace, { work: 'answered' }).state, 'UNKNOWN');
    failing = false;
    workspace.reopen();
    assert.equal(askGate(workspace, { work: 'answered' }).state, 'CLEAR');
    assert.deepEqual(workspace.standing().state?.refusals, []);
  });

  it('is not overwritten: the key ring, or the journal replaced by a recovery', async () => {
    const sandbox = await used();
    const workspace = sandbox.open({ fs: { ...realFs, existsSync: () => false } });
    enrolledHuman(workspace, 'Grace');
    assert.equal(workspace.pins().length, 2);
    const whole = fs.readFileSync(sandbox.journal);
    replaceJournal(workspace.options.fs, sandbox.folder, Buffer.from('another'), () => 'aside');
    assert.deepEqual(fs.readFileSync(`${sandbox.journal}.aside-aside`), whole);
  });

  it('is not closed twice', async () => {
    const sandbox = await used();
    const closed: number[] = [];
    const closeSync = (descriptor: number) => {
      closed.push(descriptor);
      fs.closeSync(descriptor);
      throw fault('EIO');
    };
    const workspace = sandbox.open({ fs: { ...realFs, readFileSync: fs.readFileSync, closeSync } });
    assert.equal(workspace.standing().problem, null);
    closed.length = 0;
    workspace.close();
    workspace.close();
    assert.equal(closed.length, 1);
  });
});
