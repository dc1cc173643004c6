/** Snapshots that programs write while idle, so that later programs need not replay days of journal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { saveWhenIdle } from '../../../src/app/workspace/savingWhenIdle.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { longLine } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { until } from '../../support/until.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { noting } from '../../support/store/savedState.ts';

describe('a snapshot while idle', function () {
  this.timeout(240_000);
  afterEach(removeSandboxes);

  async function used(): Promise<{ sandbox: Sandbox; store: Store }> {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await register(store, 'T1');
    writeManyByHand(sandbox.journal, [longLine('H'), longLine('I')]);
    store.read();
    return { sandbox, store };
  }

  async function register(store: Store, id: string): Promise<void> {
    await registerWork(store, agent(), { id, workKind: 'task', title: id });
  }

  function files(sandbox: Sandbox): string[] {
    return fs.readdirSync(sandbox.at('ws', '.holdpoint')).filter((name) => name.startsWith('holdpoint-'));
  }

  it('is loaded by the next program, and its writer continues', async () => {
    const { sandbox, store } = await used();
    assert.ok(store.hasGrown(1));
    store.save();
    assert.equal(files(sandbox).length, 2);
    assert.ok(!store.hasGrown(1), 'once');
    await register(store, 'T2');
    const noted = noting();
    const next = await sandbox.open({ fs: noted.fs }).store();
    assert.deepEqual(dump(next.read()), dump(store.read()));
    assert.ok(noted.opened.includes('.sqlite'));
  });

  it('is not written for few changes, nor after another program wrote one', async () => {
    const { sandbox, store } = await used();
    assert.ok(!store.hasGrown(1024 * 1024 * 1024));
    (await sandbox.open().store()).save();
    assert.ok(!store.hasGrown(1));
  });

  it('replaces older ones, and removes those left unfinished by crashed programs', async () => {
    const { sandbox, store } = await used();
    const [left, writing] = ['left', 'writing'].map((content, index) => {
      const name = `holdpoint-${String(index)}-0123456789abcdef.sqlite.6f1c-${String(index)}.tmp`;
      fs.writeFileSync(sandbox.at('ws', '.holdpoint', name), content);
      return name;
    });
    fs.utimesSync(sandbox.at('ws', '.holdpoint', left!), 0, 0);
    store.save();
    await register(store, 'T2');
    store.save();
    const found = files(sandbox);
    assert.equal(found.length, 3, found.join(', '));
    assert.ok(found.includes(writing!), 'another program may still be at it');
  });

  it('is written in this thread after a quiet time', async () => {
    const { sandbox, store } = await used();
    const idle = saveWhenIdle(
      () => store,
      () => 0,
      { worthIt: [{ quietMs: 0, bytes: 1 }] },
    );
    idle.stir();
    await until('it is written', () => !store.hasGrown(1));
    idle.stop();
    assert.equal(files(sandbox).length, 2);
  });
});
