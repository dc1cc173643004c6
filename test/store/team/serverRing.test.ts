/** The key ring of a shared workspace on a real server: what the acts make is what it takes, and what other machines verify. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { addMember, foundingRecords, removeMember, type RingSigning } from '../../../src/app/team/ring.ts';
import { pullSharedRing } from '../../../src/app/workspace/sharedRing.ts';
import { appendRing, ring } from '../../../src/store/shared/server.ts';
import { ServerError } from '../../../src/store/shared/settings.ts';
import { makeHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared, type LoginName, type SharedDatabase } from '../../support/store/sharedDatabase.ts';

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
