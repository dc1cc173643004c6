/** Sharing a workspace, joining it on another machine, and moving it back, as the programs do it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { joinTeam } from '../../../src/app/team/people.ts';
import { leaveTeam, shownSharingHash, overviewOf } from '../../../src/app/team/decisions.ts';
import { beginJournal, sharedIdOf } from '../../../src/app/team/servers.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { addMember as addKey, makeRoot, removeMember as removeKey } from '../../../src/app/team/ring.ts';
import { agentsOfSession, openAgent, type LiveAgent } from '../../../src/app/workspace/agents.ts';
import { readSharedRing } from '../../../src/app/workspace/sharedFile.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { appendRing } from '../../../src/store/shared/server.ts';
import { dump } from '../../support/store/dump.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { adasAgent as agent, decide, enrolledHuman, makeHuman, type Human } from '../../support/store/people.ts';
import { fault } from '../../support/store/faults.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { fingerprintOf } from '../../../src/trust/publicKeys.ts';
import { until } from '../../support/until.ts';
import { adasWorkspace, openAs, share } from '../../support/store/sharedWorkspace.ts';
import { sharedDatabase } from '../../support/store/sharedDatabase.ts';

describe('a team', function () {
  this.timeout(240_000);
  const database = sharedDatabase();
  afterEach(removeSandboxes);

  const shared = () =>
    adasWorkspace(database, async (workspace, { clock }) => {
      await fillWithEverything(workspace, clock);
      const store = await workspace.store();
      await registerWork(store, agent(), { id: 'Held', workKind: 'task', title: 'Held' });
      const asking = { type: 'decision', urgency: 'low', mode: 'sync', work: 'Held' } as const;
      await raiseQuestion(store, agent(), { ...asking, text: 'Which way?' });
    });

  const bytesOf = (sandbox: Sandbox) =>
    fs
      .readdirSync(path.dirname(sandbox.journal))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => fs.readFileSync(path.join(path.dirname(sandbox.journal), name), 'latin1'));

  it('has one journal on all machines, whichever wrote what', async () => {
    const one = await shared();
    const two = makeSandbox();
    const there = openAs(database, two, 'grace');
    await one.join(there);
    assert.equal(there.standing().problem, null);
    assert.deepEqual(dump((await there.store()).read()), dump((await one.workspace.store()).read()));
    await registerWork(await there.store(), agent(), { id: 'There', workKind: 'task', title: 'There' });
    await registerWork(await one.workspace.store(), agent(), { id: 'Here', workKind: 'task', title: 'Here' });
    await there.confirm(5_000);
    assert.deepEqual(bytesOf(two), bytesOf(one.sandbox));
    assert.deepEqual(dump((await there.store()).read()), dump((await one.workspace.store()).read()));
  });

  it('is shared from a folder that has no journal yet', async () => {
    const sandbox = makeSandbox();
    const workspace = openAs(database, sandbox, 'ada');
    const signer = enrolledHuman(workspace);
    assert.equal(sharedIdOf(workspace), null);
    const id = await beginJournal(workspace);
    assert.equal(sharedIdOf(workspace), id);
    assert.equal((await overviewOf(workspace)).counts.questions, 0);
    const shared = await share({ workspace, signer, server: database.server('ada') });
    assert.equal(shared.id, id);
    const other = openAs(database, makeSandbox(), 'ada');
    const signing = enrolledHuman(other);
    assert.ok((await share({ workspace: other, signer: signing, server: database.server('ada') })).id !== '');
  });

  it('has agents that go on as their person’s, although the workspace was shared while they ran', async () => {
    const live: LiveAgent[] = [];
    const { workspace } = await adasWorkspace(database, async (one) => {
      const running = openAgent(one, { type: 'claude-code', host: 'mcp' });
      running.serves('s-1');
      live.push(running);
      await registerWork(await one.store(), running.session, { id: 'Before', workKind: 'task', title: 'Before' });
    });
    const [running = assert.fail()] = live;
    await registerWork(await workspace.store(), running.session, { id: 'After', workKind: 'task', title: 'After' });
    assert.equal(running.session.actor.id, 'Ada/claude-code-001');
    const asked = { types: ['claude-code'], worktree: workspace.worktree, session: 's-1' };
    assert.deepEqual(agentsOfSession(workspace, asked), ['Ada/claude-code-001']);
    running.release();
  });

  it('hears of its teammates also after it was reconnected while its store was being opened', async () => {
    const one = await shared();
    const ask = async (id: string) => {
      const store = await one.workspace.store();
      return registerWork(store, agent(), { id, workKind: 'task', title: id });
    };
    // Opening a store waits several times, each for another thing.
    for (const turns of [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]) {
      const there = openAs(database, makeSandbox(), 'grace');
      await one.join(there);
      there.onChange(() => undefined);
      there.reopen();
      const opening = there.store();
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      there.reopen();
      await opening;
      const id = `After-${String(turns)}`;
      await ask(id);
      await until(`${id} is there`, () => there.standing().state?.work.has(id) ?? false);
      const { state } = (await there.store()).read();
      assert.ok(state.work.has(id));
      there.close();
    }
  });

  it('hears of its teammates once a login that was wrong is right again', async () => {
    const one = await shared();
    const there = openAs(database, makeSandbox(), 'grace');
    const right = database.postgres.url('ada_agent');
    const { file } = await joinTeam(there, {
      ...{ name: one.name, url: right },
      fingerprint: fingerprintOf(one.ada.pin.keyid),
    });
    assert.ok(file !== null);
    fs.writeFileSync(file, 'postgresql://localhost');
    there.reopen();
    there.onChange(() => undefined);
    await registerWork(await one.workspace.store(), agent(), { id: 'After', workKind: 'task', title: 'After' });
    await assert.rejects(there.pull(), /names no user/);
    fs.writeFileSync(file, right);
    await until('the line is there', () => there.standing().state?.work.has('After') ?? false);
  });

  it('is founded with all keys that counted, although the first attempt ended in between', async () => {
    const workspace = openAs(database, makeSandbox(), 'ada');
    const [ada, grace] = [enrolledHuman(workspace), enrolledHuman(workspace, 'Grace')];
    const store = await workspace.store();
    await registerWork(store, agent(), { id: 'T-1', workKind: 'task', title: 'One' });
    const server = database.server('ada');
    let appends = 0;
    const call: typeof server.call = (mode, text, values) =>
      text.includes('append_ring') && ++appends === 2
        ? Promise.reject(new Error('the program ended'))
        : server.call(mode, text, values);
    const sharing = { workspace, signer: ada, name: randomUUID() };
    const ending = { ...server, call };
    await assert.rejects(share({ ...sharing, server: ending }), /the program ended/);
    await share({ ...sharing, server });
    assert.deepEqual(
      workspace.pins().map(({ keyid }) => keyid),
      [ada.keyid, grace.keyid],
    );
  });
  it('says why it cannot be joined, and leaves nothing of the attempt', async () => {
    const one = await shared();
    const mark = fingerprintOf(one.ada.pin.keyid);
    const join = (workspace: Workspace) => joinTeam(workspace, { name: one.name, fingerprint: mark, url: null });
    const away = 'postgresql://ada_agent@127.0.0.1:9/postgres';
    for (const [url, why] of [
      [database.postgres.url('eve_agent'), /not a member of a workspace w/],
      [database.postgres.url('nobody_agent'), /role "nobody_agent" does not exist/],
      [away, /cannot be reached.*127\.0\.0\.1:9/],
    ] as const) {
      const there = makeSandbox().open({ env: { HOLDPOINT_DATABASE_URL: url } });
      await assert.rejects(join(there), why);
      assert.equal(there.standing().problem, null);
    }
    const openSync = ((file: string, flags: string, mode?: number) => {
      if (file.endsWith('.jsonl') && flags === 'r+') throw fault('ENOSPC');
      return realFs.openSync(file, flags, mode);
    }) as typeof realFs.openSync;
    const env = { HOLDPOINT_DATABASE_URL: database.postgres.url('ada_agent') };
    const there = makeSandbox().open({ env, fs: { ...realFs, openSync } });
    await assert.rejects(join(there), { code: 'disk', message: /copy of the shared journal/ });
    assert.equal(there.team(), null);
  });

  it('goes on when its first root is lost: another root removes it, and teammates compare that one', async () => {
    const one = await shared();
    const grace = makeHuman('Grace');
    const anchor = { workspace: one.id, roots: [one.ada.pin.publicKey] };
    const as = (signer: Human) => ({
      signer,
      now: () => one.workspace.now(),
      append: (record: Uint8Array, after: number) => appendRing(database.server('ada'), one.id, record, after),
    });
    const ringHere = async () => {
      one.sandbox.clock.now += 60_000;
      await one.workspace.confirm(5_000);
      return readSharedRing(one.workspace.options.fs, one.workspace.stateFile.path, anchor);
    };
    await addKey(as(one.ada), await ringHere(), grace.pin);
    await makeRoot(as(one.ada), await ringHere(), grace.keyid);
    const there = openAs(database, makeSandbox(), 'grace');
    await assert.rejects(one.join(there, grace), { code: 'denied' }, 'she has not vouched for the ring yet');
    await removeKey(as(grace), await ringHere(), { keyid: one.ada.keyid, upTo: Number.MAX_SAFE_INTEGER });
    await assert.rejects(one.join(there), { code: 'denied' }, 'a removed root');
    await one.join(there, grace);
    assert.equal(there.standing().problem, null);
    assert.deepEqual(await ringHere(), readSharedRing(there.options.fs, there.stateFile.path, anchor));
  });

  it('begins again with another ring when all roots are lost', async () => {
    const one = await shared();
    const [two, grace] = [makeSandbox(), makeHuman('Grace')];
    const there = openAs(database, two, 'grace');
    await one.join(there);
    const before = readSharedRing(there.options.fs, there.stateFile.path, {
      workspace: one.id,
      roots: [one.ada.pin.publicKey],
    });
    const append = (record: Uint8Array, after: number) => appendRing(database.server('ada'), one.id, record, after);
    await addKey({ signer: one.ada, now: () => one.workspace.now(), append }, before, grace.pin);
    for (const { clock } of [one.sandbox, two]) clock.now += 60_000;
    await there.confirm(5_000);
    await one.workspace.confirm(5_000);
    // Ada's key is lost. Grace leaves, and shares the same journal again.
    const held = [...(await there.store()).read().state.questions.values()];
    await leaveTeam({ workspace: there, signer: grace }, shownSharingHash((await there.store()).read().state));
    for (const table of ['ring', 'line', 'member'])
      await database.admin.query(`delete from holdpoint.${table} where workspace = $1`, [one.id]);
    await database.admin.query('delete from holdpoint.workspace where id = $1', [one.id]);
    await share({ workspace: there, signer: grace, server: database.server('grace'), name: one.name });
    assert.equal(there.standing().problem, null);
    one.sandbox.clock.now += 60_000;
    await one.workspace.confirm(5_000);
    assert.equal(askGate(one.workspace, {}).state, 'UNKNOWN', 'its root did not begin this ring');
    await one.join(one.workspace, grace);
    assert.equal(askGate(one.workspace, { work: 'Held' }).state, 'BLOCKED');
    const { state } = (await one.workspace.store()).read();
    assert.deepEqual(dump((await one.workspace.store()).read()), dump((await there.store()).read()));
    for (const { id, resolution } of held) assert.deepEqual(state.questions.get(id)?.resolution, resolution);
  });

  it('counts a key that a root added, on every machine, and no other', async () => {
    const one = await shared();
    const two = makeSandbox();
    const there = openAs(database, two, 'grace');
    await one.join(there);
    let changes = 0;
    there.onChange(() => (changes += 1));
    const grace = makeHuman('Grace');
    fs.writeFileSync(path.join(two.userFolder, 'keys.json'), formatKeyring([grace.pin]));
    const open = () =>
      [...(there.standing().state?.questions.values() ?? [])].find(({ raised }) => raised?.text === 'Which way?')!;
    await assert.rejects(decide(there, grace, open().id), 'a key in the local file counts for nothing');
    const ring = readSharedRing(there.options.fs, there.stateFile.path, {
      workspace: one.id,
      roots: [one.ada.pin.publicKey],
    });
    await there.confirm(5_000);
    changes = 0;
    await addKey(
      {
        signer: one.ada,
        now: () => one.workspace.now(),
        append: (record, after) => appendRing(database.server('ada'), one.id, record, after),
      },
      ring,
      grace.pin,
    );
    two.clock.now += 60_000;
    one.sandbox.clock.now += 60_000;
    await there.confirm(5_000);
    assert.ok(changes > 0, 'views are drawn again although the journal has no new record');
    await one.workspace.confirm(5_000);
    const { id } = open();
    assert.equal((await decide(there, grace, id)).outcome, 'decided');
    await one.workspace.confirm(5_000);
    assert.equal(one.workspace.standing().state?.questions.get(id)?.resolution?.how, 'answered');
  });

  it('gets its copy back when the local one is deleted, and what was held is still held', async () => {
    const { sandbox, workspace } = await shared();
    const held = 'Held';
    assert.equal(askGate(workspace, { work: held }).state, 'BLOCKED');
    const before = bytesOf(sandbox);
    workspace.close();
    fs.rmSync(path.dirname(path.dirname(sandbox.journal)), { recursive: true });
    const again = openAs(database, sandbox);
    assert.equal(askGate(again, { work: held }).state, 'UNKNOWN');
    await again.confirm(5_000);
    assert.equal(askGate(again, { work: held }).state, 'BLOCKED');
    assert.deepEqual(bytesOf(sandbox), before);
  });

  it('is unknown to programs that have lost what they know of the server', async () => {
    const { sandbox, workspace } = await shared();
    workspace.close();
    const beside = workspace.stateFile.path.replace(/\.json$/, '.shared.json');
    fs.renameSync(beside, `${beside}.gone`);
    const again = openAs(database, sandbox);
    assert.equal(again.standing().problem?.code, 'disconnected');
    assert.equal(askGate(again, {}).state, 'UNKNOWN');
    await assert.rejects(
      registerWork(await again.store(), agent(), { id: 'x', workKind: 'task', title: 'x' }),
      /shared as/,
    );
  });

  it('is joined and left by programs of its machine that were open meanwhile', async () => {
    const sandbox = makeSandbox();
    const [workspace, other] = [openAs(database, sandbox, 'ada'), openAs(database, sandbox)];
    const ada = enrolledHuman(workspace);
    const add = async (id: string) => registerWork(await other.store(), agent(), { id, workKind: 'task', title: id });
    await add('Before');
    const { id } = await share({ workspace, signer: ada, server: database.server('ada') });
    await add('Shared');
    const onServer = async () => {
      const { rows } = await database.server('ada').tail(id, 0);
      return ['Before', 'Shared', 'Left'].filter((word) => rows.some(({ bytes }) => bytes.includes(`"${word}"`)));
    };
    assert.deepEqual(await onServer(), ['Before', 'Shared']);
    await leaveTeam({ workspace, signer: ada }, shownSharingHash((await workspace.store()).read().state));
    await add('Left');
    assert.deepEqual(await onServer(), ['Before', 'Shared']);
    assert.ok(workspace.standing().state?.work.has('Left'));
    assert.equal(other.standing().problem, null);
  });

  it('is left by a signature, with the same bytes before it', async () => {
    const { sandbox, workspace, ada } = await shared();
    const before = bytesOf(sandbox).join('');
    const { state } = (await workspace.store()).read();
    await leaveTeam({ workspace, signer: ada }, shownSharingHash(state));
    const after = bytesOf(sandbox).join('');
    assert.ok(after.startsWith(before));
    assert.equal(workspace.standing().state?.shared, null);
    assert.deepEqual(
      workspace.standing().state?.refusals.filter(({ reason }) => reason === 'forgery'),
      [],
    );
    await registerWork(await workspace.store(), agent(), { id: 'Alone', workKind: 'task', title: 'Alone' });
    const { rows } = await database.server('ada').tail((await workspace.store()).workspaceId ?? '', 0, 5_000);
    assert.ok(!rows.some(({ bytes }) => bytes.includes('Alone')));
  });
});
