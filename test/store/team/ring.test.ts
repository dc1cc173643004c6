/** The keys that count in a shared workspace: the team's ring alone, as this machine last copied it. */
import { besideStateFile } from '../../../src/store/journal/stateFile.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { trustKey } from '../../../src/app/keys/acts.ts';
import { enrolKey, retireKeys } from '../../../src/app/keys/enrolment.ts';
import { diagnose } from '../../../src/app/recovery/recovery.ts';
import { addMember, foundingRecords, makeRoot, removeMember, type RingSigning } from '../../../src/app/team/ring.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import {
  writeSharedFile,
  type SharedFile,
  pullSharedRing,
  readSharedRing,
  rootNames,
  type SharedRing,
} from '../../../src/app/workspace/sharedFile.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { hashOfRecord, RingError, type VerifiedRing } from '../../../src/trust/ringRecords.ts';
import { adasAgent as agent, decide, enrolledHuman, makeHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

interface Team {
  readonly box: Sandbox;
  readonly workspace: Workspace;
  readonly root: Human;
  readonly shared: SharedFile;
  /** The server's records. */
  readonly server: Uint8Array[];
  readonly files: { readonly fs: typeof realFs; readonly stateFile: string; readonly newId: () => string };
  readonly signing: RingSigning;
  pull(): Promise<SharedRing>;
}

/** Ada, whose decision on Q-1 counts, shares her workspace and is the root. */
async function makeTeam(before: (local: Workspace) => Promise<void> = () => Promise.resolve()): Promise<Team> {
  const box = makeSandbox();
  const workspace = box.open();
  const root = enrolledHuman(workspace);
  await ask(workspace, 'Which database?');
  await decide(workspace, root, 'Q-1');
  await before(workspace);
  const id = (await workspace.store()).read().state.workspace!.id;
  const files = { fs: realFs, stateFile: workspace.stateFile.path, newId: randomUUID };
  const shared: SharedFile = {
    ...{ v: 1, workspace: id, name: 'payments', joinedAt: workspace.now() },
    roots: [root.pin.publicKey],
  };
  const server: Uint8Array[] = [...foundingRecords({ signer: root, now: workspace.now }, id, [root.pin])];
  const append: RingSigning['append'] = (record, after) => {
    if (server.some((one) => hashOfRecord(one) === hashOfRecord(record))) return Promise.resolve('duplicate');
    if (after !== server.length) return Promise.resolve('lost');
    server.push(record);
    return Promise.resolve('won');
  };
  const pull = () => pullSharedRing(files, shared, () => Promise.resolve([...server]));
  await pull();
  writeSharedFile(files, shared);
  return { box, workspace, root, shared, server, files, signing: { signer: root, now: workspace.now, append }, pull };
}

const decided = (workspace: Workspace, id: string) => {
  const { state, problem } = workspace.standing();
  assert.equal(problem, null);
  return state.questions.get(id)?.resolution?.by ?? null;
};
const ask = async (workspace: Workspace, text: string) =>
  raiseQuestion(await workspace.store(), agent(), {
    ...{ text, type: 'clarification', urgency: 'medium', mode: 'sync', work: null },
    holds: ['src'],
  });
/** On this machine alone, where the person's key counts. */
async function decidedBy(local: Workspace, human: Human, id: string): Promise<void> {
  enrolKey(local, human.publicKey, human.name);
  await ask(local, `What about ${id}?`);
  await decide(local, human, id);
}
const ids = (workspace: Workspace) => workspace.pins().map(({ keyid }) => keyid);

describe('the key ring of a shared workspace', () => {
  afterEach(removeSandboxes);

  it('alone counts: what was decided stands, and a key in this user’s own file counts for nothing', async () => {
    const grace = makeHuman('Grace');
    const { box, workspace, root } = await makeTeam((local) => decidedBy(local, grace, 'Q-2'));
    const own = path.join(box.userFolder, 'keys.json');
    fs.writeFileSync(own, formatKeyring([root.pin, grace.pin]));
    for (const one of [workspace, box.open()]) {
      assert.deepEqual(ids(one), [root.keyid]);
      assert.equal(decided(one, 'Q-1'), 'Ada');
      assert.equal(decided(one, 'Q-2'), null);
    }
    fs.rmSync(own);
    assert.equal(decided(box.open(), 'Q-1'), 'Ada');
  });

  it('is read again when it changes: an added member’s decisions count, a removed one’s only up to that', async () => {
    const grace = makeHuman('Grace');
    let upTo = 0;
    const { workspace, signing, pull, box } = await makeTeam(async (local) => {
      await decidedBy(local, grace, 'Q-2');
      upTo = (await local.store()).position.position;
      await decidedBy(local, grace, 'Q-3');
    });
    await addMember(signing, await pull(), grace.pin);
    assert.equal(decided(workspace, 'Q-2'), null, 'before this machine copied it');
    await pull();
    for (const id of ['Q-2', 'Q-3']) assert.equal(decided(box.open(), id), 'Grace');
    await removeMember(signing, await pull(), { keyid: grace.keyid, upTo });
    await pull();
    for (const one of [workspace, box.open()]) {
      assert.equal(decided(one, 'Q-2'), 'Grace');
      assert.equal(decided(one, 'Q-3'), null, 'signed after the position that the removal names');
    }
  });

  it('gives way to an administrator’s ring', async () => {
    const { box } = await makeTeam();
    fs.mkdirSync(box.at('managed'));
    fs.writeFileSync(box.at('managed', 'keys.json'), '{}');
    const workspace = box.open({ managedFolder: box.at('managed') });
    assert.deepEqual(workspace.pins(), []);
  });

  const faults: Record<string, [RegExp, (team: Team) => void]> = {
    'was not copied yet': [
      /team’s list of keys cannot be used: .*not read from the server yet/,
      ({ files }) => {
        fs.rmSync(besideStateFile(files.stateFile, 'ring'));
      },
    ],
    'is not readable': [
      /team’s list of keys cannot be used: .*its copy .* cannot be read/,
      ({ files }) => {
        fs.writeFileSync(besideStateFile(files.stateFile, 'ring'), '{');
      },
    ],
    'has a record that no root signed': [
      /team’s list of keys cannot be used: .*its copy lost records/,
      ({ files }) => {
        edit(files.stateFile, (ring) => ring.records.splice(1, 1, ring.records[0]!));
      },
    ],
    'lost a record': [
      /team’s list of keys cannot be used: .*lost records/,
      ({ files }) => {
        edit(files.stateFile, (ring) => ring.records.pop());
      },
    ],
    'is of another workspace': [
      /team’s list of keys cannot be used: .*of another workspace/,
      ({ files }) => {
        edit(files.stateFile, (ring) => (ring.workspace = randomUUID()));
      },
    ],
    'does not begin with the pinned root': [
      /team’s list of keys cannot be used: .*not a team owner key here/,
      ({ files, shared }) => {
        writeSharedFile(files, { ...shared, roots: [makeHuman().pin.publicKey] });
      },
    ],
    'belongs to a file that is not readable': [
      /team’s list of keys cannot be used: .*join the team again/,
      ({ files }) => {
        fs.writeFileSync(besideStateFile(files.stateFile, 'shared'), '{');
      },
    ],
  };
  for (const [name, [why, spoil]] of Object.entries(faults))
    it(`that ${name} leaves no key, and the workspace is UNKNOWN and says why`, async () => {
      const team = await makeTeam();
      await addMember(team.signing, await team.pull(), makeHuman('Grace').pin);
      await team.pull();
      spoil(team);
      for (const workspace of [team.workspace, team.box.open()]) {
        const { problem } = workspace.standing();
        assert.equal(problem?.code, 'ring');
        assert.match(problem.message, why);
        const diagnosis = diagnose(workspace, null);
        assert.match(JSON.stringify(diagnosis?.startAnew), /Connect to the team’s server instead/);
        assert.deepEqual(workspace.pins(), []);
      }
    });

  it('is usable again once the server has the right records', async () => {
    const { workspace, server, pull } = await makeTeam();
    const right = server.splice(0, server.length, Buffer.from('{}'));
    await assert.rejects(pull(), RingError);
    assert.equal(workspace.standing().problem?.code, 'ring');
    server.splice(0, 1);
    await assert.rejects(pull(), RingError, 'none at all');
    server.push(...right);
    await pull();
    assert.equal(decided(workspace, 'Q-1'), 'Ada');
  });

  it('goes on with rows that are not the next record, and names them', async () => {
    const { workspace, server, signing, pull, root } = await makeTeam();
    const [grace, mallory] = [makeHuman('Grace'), makeHuman('Mallory')];
    const shown = await pull();
    const forged: Uint8Array[] = [];
    const forging = {
      ...{ signer: mallory, now: signing.now },
      append: into(forged),
    };
    await addMember(forging, { ...shown, roots: [mallory.keyid] }, mallory.pin);
    server.push(server[0]!, Buffer.from('x'), ...forged);
    await addMember(signing, await pull(), grace.pin);
    const ring = await pull();
    assert.deepEqual(
      ring.pins.map(({ name }) => name),
      ['Ada', 'Grace'],
    );
    assert.deepEqual(
      ring.ignored.map(({ row, why }) => `${String(row)} ${why}`),
      [
        '2 says that it is record 0, and record 1 is the next',
        '3 is not JSON',
        '4 is signed by a key that is not a team owner key here',
      ],
    );
    await removeMember(signing, ring, { keyid: grace.keyid, upTo: 0 });
    assert.equal((await pull()).pins.at(-1)?.retired?.why, 'takenOut');
    assert.equal(decided(workspace, 'Q-1'), root.pin.name);
  });

  it('does not follow a fork: what this machine has seen stays, wherever the other record is', async () => {
    const { workspace, server, signing, pull } = await makeTeam();
    const shown = await pull();
    await addMember(signing, shown, makeHuman('Grace').pin);
    // Signed by the root as well, for the same place; only a server that is not honest has it.
    const other: Uint8Array[] = [];
    await addMember({ ...signing, append: into(other) }, shown, makeHuman('Mallory').pin);
    const names = async () => (await pull()).pins.map(({ name }) => name);
    assert.deepEqual(await names(), ['Ada', 'Grace']);
    server.push(other[0]!);
    assert.deepEqual(await names(), ['Ada', 'Grace'], 'after the record that was seen');
    server.splice(1, 2, other[0]!, server[1]!);
    await assert.rejects(pull(), /lost records/, 'before it');
    assert.equal(workspace.standing().problem?.code, 'ring');
    server.splice(1, 1);
    assert.deepEqual(await names(), ['Ada', 'Grace']);
    assert.equal(workspace.standing().problem, null);
  });

  it('notices a server that was rolled back, until it has the records again', async () => {
    const { workspace, server, signing, pull } = await makeTeam();
    const ring = await pull();
    await addMember(signing, ring, makeHuman('Grace').pin);
    await removeMember(signing, await pull(), { keyid: readOnly(await pull(), 'Grace'), upTo: 0 });
    await pull();
    const [removal] = server.splice(2);
    await assert.rejects(pull(), /lost records/);
    assert.equal(workspace.standing().problem?.code, 'ring');
    await assert.rejects(pull(), /lost records/, 'also when asked again');
    server.push(removal!);
    assert.equal((await pull()).head.seq, 2);
    assert.equal(workspace.standing().problem, null);
  });

  it('keeps what another program copied while this one was asking', async () => {
    const { server, signing, files, shared, pull } = await makeTeam();
    const early = [...server];
    await pullSharedRing(files, shared, async () => {
      await addMember(signing, await pull(), makeHuman('Grace').pin);
      await pull();
      return early;
    });
    assert.equal(readSharedRing(realFs, files.stateFile, shared).head.seq, 1);
  });

  it('is written only when it changed', async () => {
    const { files, pull } = await makeTeam();
    const stamp = () => fs.statSync(besideStateFile(files.stateFile, 'ring')).ino;
    const before = stamp();
    await pull();
    assert.equal(stamp(), before);
  });
});

describe('acts on a shared key ring', () => {
  afterEach(removeSandboxes);

  it('begin with the keys that counted before, also those that were given up', async () => {
    const box = makeSandbox();
    const workspace = box.open();
    const [ada, old] = [enrolledHuman(workspace), enrolledHuman(workspace, 'Old')];
    await ask(workspace, 'Which database?');
    await decide(workspace, old, 'Q-1');
    retireKeys(workspace, [old.keyid], 'takenOut');
    const before = workspace.pins();
    const id = (await workspace.store()).read().state.workspace!.id;
    const records = foundingRecords({ signer: ada, now: workspace.now }, id, before);
    const files = { fs: realFs, stateFile: workspace.stateFile.path, newId: randomUUID };
    const anchor = { workspace: id, roots: [ada.pin.publicKey] };
    const { pins } = await pullSharedRing(files, anchor, () => Promise.resolve(records));
    const brief = (of: typeof pins) => of.map(({ keyid, name, retired }) => [keyid, name, retired?.upTo[id]]);
    assert.deepEqual(brief(pins), brief(before));
    assert.throws(() => foundingRecords({ signer: old, now: workspace.now }, id, before), { code: 'denied' });
  });

  it('are a root’s alone', async () => {
    const { signing, pull } = await makeTeam();
    const grace = makeHuman('Grace');
    await addMember(signing, await pull(), grace.pin);
    const hers = { ...signing, signer: grace };
    const ring = await pull();
    assert.deepEqual(rootNames(ring), ['Ada']);
    const asksAda = { code: 'denied', message: 'only a root of this workspace can do this: ask Ada' };
    await assert.rejects(addMember(hers, ring, makeHuman('Linus').pin), asksAda);
    await assert.rejects(removeMember(hers, ring, { keyid: signing.signer.keyid, upTo: 0 }), asksAda);
  });

  it('make a second root, who goes on when the first is lost', async () => {
    const { workspace, signing, pull, root } = await makeTeam();
    const grace = makeHuman('Grace');
    const hers = { ...signing, signer: grace };
    await assert.rejects(makeRoot(signing, await pull(), grace.keyid), { code: 'conflict' });
    await addMember(signing, await pull(), grace.pin);
    await assert.rejects(makeRoot(hers, await pull(), grace.keyid), { code: 'denied' });
    await makeRoot(signing, await pull(), grace.keyid);
    await assert.rejects(makeRoot(signing, await pull(), grace.keyid), { message: /a root already/ });
    const { position } = (await workspace.store()).position;
    await removeMember(hers, await pull(), { keyid: root.keyid, upTo: position });
    await addMember(hers, await pull(), makeHuman('Linus').pin);
    const ring = await pull();
    assert.deepEqual(rootNames(ring), ['Grace']);
    assert.equal(decided(workspace, 'Q-1'), 'Ada', 'what the lost root signed before stands');
    await assert.rejects(addMember(signing, ring, makeHuman('Eve').pin), { code: 'denied', message: /ask Grace/ });
    assert.equal(workspace.standing().problem, null);
  });

  it('name each key once, and count for the ring that was shown', async () => {
    const { signing, pull, root } = await makeTeam();
    const grace = makeHuman('Grace');
    const shown = await pull();
    await addMember(signing, shown, grace.pin);
    await assert.rejects(addMember(signing, shown, makeHuman('Linus').pin), { code: 'conflict' });
    const ring = await pull();
    await assert.rejects(addMember(signing, ring, grace.pin), { message: /already in the ring, as the key of Grace/ });
    await assert.rejects(addMember(signing, ring, { ...makeHuman().pin, name: 'A\nB' }), { code: 'bad_input' });
    await assert.rejects(addMember(signing, ring, { publicKey: 'MCow', name: 'A' }), { code: 'bad_input' });
    await assert.rejects(removeMember(signing, ring, { keyid: root.keyid, upTo: 0 }), { code: 'bad_input' });
    await removeMember(signing, ring, { keyid: grace.keyid, upTo: 0 });
    const after = await pull();
    await assert.rejects(removeMember(signing, after, { keyid: grace.keyid, upTo: 0 }), { code: 'conflict' });
    await assert.rejects(addMember(signing, after, grace.pin), { message: /ask for a new one/ });
  });

  it('leave no way around them: the forms of this machine’s own keys change none in a shared workspace', async () => {
    const { workspace, root, pull } = await makeTeam();
    const grace = makeHuman('Grace');
    const refusal = { code: 'denied', message: /keys of this workspace are its team’s.*Ada/ };
    assert.throws(() => enrolKey(workspace, grace.publicKey, 'Grace'), refusal);
    assert.throws(() => {
      retireKeys(workspace, [root.keyid], 'takenOut');
    }, refusal);
    const before = (await workspace.store()).position;
    const scope = { workspaces: [workspace], shown: '0'.repeat(64) } as const;
    await assert.rejects(trustKey(scope, root, grace.pin, 'Grace'), refusal);
    assert.deepEqual((await workspace.store()).position, before, 'nothing was recorded');
    assert.deepEqual((await pull()).pins.length, 1);
  });
});

function into(records: Uint8Array[]): RingSigning['append'] {
  return (record) => {
    records.push(record);
    return Promise.resolve('won');
  };
}

function readOnly({ pins }: VerifiedRing, name: string): string {
  return pins.find((pin) => pin.name === name)!.keyid;
}

function edit(stateFile: string, change: (ring: { workspace: string; records: string[] }) => void): void {
  const file = besideStateFile(stateFile, 'ring');
  const ring = JSON.parse(fs.readFileSync(file, 'utf8')) as { workspace: string; records: string[] };
  change(ring);
  fs.writeFileSync(file, JSON.stringify(ring));
}
