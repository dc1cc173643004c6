/** The key ring of a shared workspace on a real server: what the acts make is what it takes, and what other machines verify. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import fs from 'node:fs';
import { addMember, foundingRecords, type Member, removeMember, type RingSigning } from '../../../src/app/team/ring.ts';
import { pullSharedRing, readSharedRing } from '../../../src/app/workspace/sharedFile.ts';
import { adasAgent as agent, makeHuman, signedBy } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import { type LoginName, type SharedDatabase, startShared } from '../../support/store/sharedDatabase.ts';
import {
  changePolicy,
  decideQuestion,
  shownHash,
  shownPolicyHash,
  type Signing,
} from '../../../src/app/decision/decisions.ts';
import { commitSigned, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { readPastedKey, confirmPasskey } from '../../../src/app/keys/acts.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { formatPublicKey } from '../../../src/trust/publicKeys.ts';
import { makePasskey, type Passkey } from '../../support/authenticator.ts';
import { adasWorkspace, type AdasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';
import { appendRing, ring } from '../../../src/store/shared/server.ts';
import { ServerError } from '../../../src/store/shared/settings.ts';

describe('a shared key ring on its server', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  const [ada, grace, linus] = [makeHuman('Ada'), makeHuman('Grace'), makeHuman('Linus')];
  const now = () => '2026-03-02T12:00:00.000Z';

  before(async () => {
    database = await startShared();
  });
  after(async () => {
    removeSandboxes();
    await database.stop();
  });

  /** A machine that reads the ring with this login. */
  function machine(login: LoginName) {
    const files = { fs: realFs, stateFile: path.join(makeSandbox().userFolder, 'stores', 'a.json'), newId: randomUUID };
    const anchor = { workspace: database.ours, roots: [ada.pin.publicKey] };
    const read = async () => await ring(database.server(login), database.ours);
    return { pull: () => pullSharedRing(files, anchor, read) };
  }

  const as = (login: LoginName): RingSigning => ({
    signer: ada,
    now,
    append: (record, after) => appendRing(database.server(login), database.ours, record, after),
  });

  it('takes the founding records once, and every member’s machine verifies what roots add and remove', async () => {
    const founding = foundingRecords({ signer: ada, now }, database.ours, [ada.pin, grace.pin]);
    const found = async () => {
      const outcomes: string[] = [];
      for (const [after, record] of founding.entries()) outcomes.push(await as('ada').append(record, after));
      return outcomes;
    };
    assert.deepEqual(await found(), ['won', 'won']);
    assert.deepEqual(await found(), ['duplicate', 'duplicate'], 'an interrupted attempt is repeated');
    const [mine, agents] = [machine('ada'), machine('ada_agent')];
    await addMember(as('ada'), await mine.pull(), linus.pin);
    await removeMember(as('ada'), await mine.pull(), { keyid: grace.keyid, upTo: 12 });
    const { pins, roots, head } = await agents.pull();
    assert.deepEqual(
      pins.map(({ name, retired }) => [name, retired?.upTo[database.ours]]),
      [
        ['Ada', undefined],
        ['Grace', 12],
        ['Linus', undefined],
      ],
    );
    assert.deepEqual(roots, [ada.keyid]);
    assert.equal(head.seq, 3);
  });

  it('takes one of two acts on the same ring; the other human checks it again', async () => {
    const shown = await machine('ada').pull();
    const acts = await Promise.allSettled([
      addMember(as('ada'), shown, makeHuman('One').pin),
      addMember(as('ada'), shown, makeHuman('Two').pin),
    ]);
    assert.deepEqual(acts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const [lost] = acts.flatMap((act) => (act.status === 'rejected' ? [act.reason as { code: string }] : []));
    assert.equal(lost?.code, 'conflict');
    assert.equal((await machine('ada').pull()).head.seq, shown.head.seq + 1);
  });

  it('goes on after garbage that an administrator puts into the table, or appends', async () => {
    const before = await machine('ada').pull();
    const last = 'select coalesce(max(seq), -1) + 1 from holdpoint.ring where workspace = $1';
    for (const garbage of ['{}', '{"seq":', '\u0000\u00ff', 'x'.repeat(200_000)])
      await database.admin.query(
        `insert into holdpoint.ring (workspace, seq, hash, record, login) values ($1, (${last}), 'x', $2, 'ada')`,
        [database.ours, Buffer.from(garbage)],
      );
    const row = { v: 1, workspace: database.ours, act: 'add', key: {}, signature: 'x' };
    assert.equal(await as('ada').append(Buffer.from(JSON.stringify(row)), before.rows + 4), 'won');
    const { head, ignored, rows } = await machine('ada').pull();
    assert.deepEqual(head, before.head);
    assert.equal(rows, before.rows + 5);
    assert.deepEqual(
      ignored.map((one) => one.row).slice(-5),
      [1, 2, 3, 4, 5].map((nth) => before.rows + nth),
    );
    await addMember(as('ada'), await machine('ada').pull(), makeHuman('Hedy').pin);
    const after = await machine('ada_agent').pull();
    assert.equal(after.head.seq, before.head.seq + 1);
    assert.equal(after.pins.at(-1)?.name, 'Hedy');
    await database.admin.query('delete from holdpoint.ring where workspace = $1 and length(record) = 2', [
      database.ours,
    ]);
    const cleaned = await machine('ada').pull();
    assert.deepEqual([cleaned.head, cleaned.ignored.length], [after.head, ignored.length - 1]);
    await addMember(as('ada'), cleaned, makeHuman('Mary').pin);
    assert.equal((await machine('ada').pull()).head.seq, before.head.seq + 2);
  });

  it('cannot be flooded by one administrator until programs cannot read it', async () => {
    const { rows } = await machine('ada').pull();
    await database.admin.query(
      `insert into holdpoint.ring (workspace, seq, hash, record, login)
        select $1, nr + 10000, nr::text, '', 'ada' from generate_series(1, $2::int) nr`,
      [database.ours, 5_000 - rows],
    );
    const shown = await machine('ada').pull();
    await assert.rejects(addMember(as('ada'), shown, makeHuman('Late').pin), /key ring is full/);
    await database.admin.query('delete from holdpoint.ring where workspace = $1 and record = $2', [database.ours, '']);
    await addMember(as('ada'), await machine('ada').pull(), makeHuman('Late').pin);
  });

  it('cannot be changed with an agents’ login, nor by one who is not a member', async () => {
    const shown = await machine('ada').pull();
    for (const login of ['ada_agent', 'grace', 'eve', 'mallory_agent'] as const)
      await assert.rejects(addMember(as(login), shown, makeHuman('Mallory').pin), ServerError, login);
    assert.equal((await machine('ada').pull()).head.seq, shown.head.seq);
  });
});

/** A passkey of a member counts on every machine of a team; one that an agent adds to its machine counts nowhere. */
const shown = '0'.repeat(64);

describe('passkeys in a team’s key ring', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  before(async () => {
    database = await startShared();
  });
  after(async () => {
    removeSandboxes();
    await database.stop();
  });

  /** As the root's form does it. */
  async function addToRing(one: AdasWorkspace, member: Member): Promise<void> {
    one.sandbox.clock.now += 60_000;
    await one.workspace.confirm(5_000);
    const anchor = { workspace: one.id, roots: [one.ada.pin.publicKey] };
    const ring = readSharedRing(one.workspace.options.fs, one.workspace.stateFile.path, anchor);
    const append = (record: Uint8Array, after: number) => appendRing(database.server('ada'), one.id, record, after);
    await addMember({ signer: one.ada, now: () => one.workspace.now(), append }, ring, member);
  }

  async function answerWith(workspace: Workspace, { pin, assert: sign }: Passkey): Promise<unknown> {
    const store = await workspace.store();
    const { state } = store.read();
    const seen = shownHash(state, state.questions.get('Q-1')!);
    const answer = (signing: Signing) =>
      decideQuestion(signing, 'Q-1', { kind: 'answer', answer: { choices: ['Yes'] } }, seen);
    const context = { store, newId: randomUUID, pin };
    const prepared = await prepareSigned(context, answer);
    return commitSigned({ ...context, prepared, assertion: sign(prepared.options.challenge) }, answer);
  }

  it('count where a root added them and their human confirmed them, and nowhere else', async () => {
    const one = await adasWorkspace(database, async (workspace) => {
      const asking = { type: 'approval', urgency: 'critical', mode: 'sync', work: null } as const;
      await raiseQuestion(await workspace.store(), agent(), { ...asking, text: 'Drop the table?' });
    });
    const [grace, phone] = [makeHuman('Grace'), makePasskey('Grace')];
    await addToRing(one, grace.pin);
    // The line that the member's editor copies, as the root pastes it.
    const pasted = readPastedKey(formatPublicKey(phone.pin), { passkeys: true });
    await addToRing(one, {
      publicKey: pasted.publicKey,
      name: 'Grace',
      ...(pasted.passkey && { passkey: pasted.passkey }),
    });
    const there = openAs(database, makeSandbox(), 'grace');
    await one.join(there);
    const inRing = there.pins().find(({ keyid }) => keyid === phone.pin.keyid);
    assert.deepEqual([inRing?.name, inRing?.passkey], ['Grace', phone.pin.passkey]);
    await confirmPasskey(signedBy(await there.store(), grace), phone.pin, shown);

    await one.workspace.confirm(5_000);
    const store = await one.workspace.store();
    const { state } = store.read();
    const policy = { ...state.policy, passkeys: { rules: [{ urgencies: ['critical'] as const }] } };
    await changePolicy(signedBy(store, one.ada), policy, shownPolicyHash(state));

    const planted = makePasskey('Ada', { label: 'Planted' });
    fs.writeFileSync(path.join(one.workspace.userFolder, 'keys.json'), formatKeyring([one.ada.pin, planted.pin]));
    assert.ok(!one.workspace.pins().some(({ keyid }) => keyid === planted.pin.keyid));
    await assert.rejects(answerWith(one.workspace, planted));
    assert.equal(store.read().state.questions.get('Q-1')?.resolution, null);

    await there.confirm(5_000);
    await answerWith(there, phone);
    const here = await one.workspace.store();
    await until('the answer is here', async () => {
      one.sandbox.clock.now += 60_000;
      await one.workspace.confirm(5_000);
      return here.read().state.questions.get('Q-1')?.resolution !== null;
    });
    const { resolution } = here.read().state.questions.get('Q-1')!;
    assert.deepEqual([resolution?.by, resolution?.keyid, resolution?.passkey], ['Grace', phone.pin.keyid, true]);
  });

  it('take the form’s own way: a local workspace takes no pasted passkey', () => {
    assert.throws(() => readPastedKey(formatPublicKey(makePasskey('Grace').pin)), /added by its human/);
  });
});
