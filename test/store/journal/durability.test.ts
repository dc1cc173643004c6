/** What was acknowledged is on the disk, whoever wrote it; and what cannot be read is never taken for what is not there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { replaceJournal } from '../../../src/store/journal/journalFile.ts';
import { fault } from '../../support/store/faults.ts';
import { enrolledHuman } from '../../support/store/people.ts';
import { inMemory, makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';
import { newDisk } from '../../support/faults/disk.ts';
import type { Disk } from '../../support/faults/disk.ts';
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

  /** Another program acts while one has written "Slow?" and not flushed it; then the power is lost. */
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
    assert.throws(() => ask(store, 'Slow?', null));
    return sandbox;
  }

  it('has the keys that a human enrolled, in folders that were not there before', async () => {
    const sandbox = makeSandbox(inMemory);
    const disk = newDisk(sandbox.base);
    await setStage(sandbox.open({ fs: disk.fs }));
    losePower(sandbox, disk);
    assert.equal(askGate(sandbox.open(), { work: 'answered' }).state, 'CLEAR');
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
    fs.rmSync(sandbox.journal);
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'UNKNOWN', 'and it is known to be in use');
  });

  it('misses nothing that one program wrote and another took in before it was flushed', async () => {
    const sandbox = await whileWriting(async (other) => {
      const store = await other.store();
      return () => {
        store.read();
        other.close();
      };
    });
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
  });

  it('has what a second program was told is there already', async () => {
    const sandbox = await whileWriting(async (other) => {
      const store = await other.store();
      return () => {
        ask(store, 'Slow?', null);
      };
    });
    assert.equal(askGate(sandbox.open(), { work: 'held' }).state, 'BLOCKED');
    assert.ok(namesByHand(sandbox).includes('Slow?'));
  });
});

describe('what cannot be read for a moment', () => {
  afterEach(removeSandboxes);

  async function used(): Promise<Sandbox> {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await setStage(workspace);
    workspace.close();
    fs.mkdirSync(path.join(sandbox.folder, 'below'));
    return sandbox;
  }

  it('is not taken for a folder in which no store is in use', async () => {
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

  it('is told where it cannot even be told which stores there are', async () => {
    const sandbox = await used();
    const readdirSync = (() => {
      throw fault('EIO');
    }) as unknown as typeof fs.readdirSync;
    assert.throws(
      () => sandbox.open({ folder: path.join(sandbox.folder, 'below'), fs: { ...realFs, readdirSync } }),
      /EIO/,
    );
  });

  it('is not made a forgery of what a human decided', async () => {
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

  it('is not written over: the key ring, the journal that a way out replaces', async () => {
    const sandbox = await used();
    const workspace = sandbox.open({ fs: { ...realFs, existsSync: () => false } });
    enrolledHuman(workspace, 'Grace');
    assert.equal(workspace.pins().length, 2);
    const whole = fs.readFileSync(sandbox.journal);
    replaceJournal(workspace.options.fs, sandbox.folder, { bytes: Buffer.from('another'), ends: [] }, () => 'aside');
    assert.deepEqual(fs.readFileSync(`${sandbox.journal}.aside-aside`), whole);
  });

  it('does not make a program close one file twice', async () => {
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
