/** A server that was restored from an old backup gets back what machines still have. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { missingOnServer, restoreServer } from '../../../src/app/team/restoring.ts';
import { addMember as addKey } from '../../../src/app/team/ring.ts';
import { readSharedRing } from '../../../src/app/workspace/sharedRing.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { appendRing } from '../../../src/store/shared/administration.ts';
import { adasAgent as agent, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';
import { startShared } from '../../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';

describe('a server restored from an old backup', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  before(async () => {
    database = await startShared();
  });
  after(() => database.stop());
  afterEach(removeSandboxes);

  const register = async (workspace: Workspace, id: string) =>
    registerWork(await workspace.store(), agent(), { id, workKind: 'task', title: id });
  const state = (workspace: Workspace) => askGate(workspace, {}).state;
  const journalOf = (sandbox: Sandbox) => fs.readFileSync(sandbox.journal);

  /** Ada's and Grace's machines, with a journal and a ring that go on after a backup which is then restored. */
  async function rolledBack() {
    const one = await adasWorkspace(database, (workspace) => register(workspace, 'before'));
    const { sandbox: mine, workspace, ada, id, join } = one;
    const hers = makeSandbox();
    const there = openAs(database, hers, 'grace');
    const confirm = async () => {
      for (const { clock } of [mine, hers]) clock.now += 60_000;
      for (const one of [workspace, there]) await one.confirm(20_000);
    };
    await join(there);
    const restoreOld = database.postgres.backUp();
    await confirm();
    for (const nth of [1, 2, 3]) await register(nth === 2 ? there : workspace, `lost-${String(nth)}`);
    const anchor = { workspace: id, roots: [ada.pin.publicKey] };
    const append = (record: Uint8Array, after: number) => appendRing(database.server('ada'), id, record, after);
    const ring = readSharedRing(workspace.options.fs, workspace.stateFile.path, anchor);
    await addKey({ signer: ada, now: () => workspace.now(), append }, ring, makeHuman('Grace').pin);
    await confirm();
    restoreOld();
    // The first contact only finds that the connection is gone.
    await confirm();
    await confirm();
    assert.deepEqual([state(workspace), state(there)], ['UNKNOWN', 'UNKNOWN']);
    return { mine, hers, workspace, there, id, join, confirm };
  }
  const ends = async (id: string) => (await database.server('ada').workspaces()).find((one) => one.id === id)?.size;

  it('has all lines and keys again, byte for byte, and every machine goes on', async () => {
    const { mine, hers, workspace, there, id, confirm } = await rolledBack();
    const before = journalOf(mine);
    const missing = await missingOnServer(workspace);
    assert.deepEqual([missing.lines, missing.kinds, missing.keys], [3, [{ kind: 'work.registered', count: 3 }], 1]);
    const url = database.postgres.url('ada');
    assert.deepEqual(await restoreServer(workspace, url), missing);
    assert.deepEqual(journalOf(mine), before);
    const { rows } = await database.server('ada').tail(id, 0);
    assert.deepEqual(Buffer.concat(rows.map(({ bytes }) => bytes)), before);
    await confirm();
    assert.deepEqual([state(workspace), state(there)], ['CLEAR', 'CLEAR']);
    assert.deepEqual(
      there.pins().map((pin) => pin.name),
      [...workspace.pins().map((pin) => pin.name)],
    );
    await register(there, 'after');
    await confirm();
    assert.ok(workspace.standing().state?.work.has('after'));
    assert.deepEqual(journalOf(hers), journalOf(mine));
    const { lines, keys } = await missingOnServer(workspace);
    assert.deepEqual([lines, keys], [0, 0]);
    assert.equal((await restoreServer(workspace, url)).lines, 0);
  });

  it('gets nothing back where it has gone on with other lines', async () => {
    const { workspace, id, join } = await rolledBack();
    const third = openAs(database, makeSandbox(), 'grace');
    await join(third);
    await register(third, 'another');
    const before = await ends(id);
    const refused = { code: 'conflict', message: /other lines/ };
    await assert.rejects(missingOnServer(workspace), refused);
    await assert.rejects(restoreServer(workspace, database.postgres.url('ada')), refused);
    assert.equal(await ends(id), before);
    assert.equal(state(workspace), 'UNKNOWN');
  });

  it('gets all or nothing, and nothing with a login that may not', async () => {
    const { workspace, id } = await rolledBack();
    const before = await ends(id);
    for (const login of ['grace', 'ada_agent', 'eve'] as const)
      await assert.rejects(restoreServer(workspace, database.postgres.url(login)), Error, login);
    assert.equal(await ends(id), before);
    assert.equal((await missingOnServer(workspace)).keys, 1);
  });

  it('gets nothing from a copy that was changed', async () => {
    const { mine, workspace, id } = await rolledBack();
    const before = await ends(id);
    const files = path.dirname(mine.journal);
    assert.ok(fs.existsSync(files));
    const text = journalOf(mine).toString('latin1');
    fs.writeFileSync(mine.journal, text.replace('lost-2', 'mine-2'), 'latin1');
    await assert.rejects(restoreServer(workspace, database.postgres.url('ada')));
    assert.equal(await ends(id), before);
  });
});
