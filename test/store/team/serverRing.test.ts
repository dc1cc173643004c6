/** The key ring of a shared workspace on a real server: what the acts make is what it takes, and what other machines verify. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { addMember, foundingRecords, removeMember } from '../../../src/app/team/ring.ts';
import type { RingSigning } from '../../../src/app/team/ring.ts';
import { pullSharedRing } from '../../../src/app/workspace/sharedRing.ts';
import { appendRing, ring } from '../../../src/store/shared/administration.ts';
import { ServerError } from '../../../src/store/shared/serverError.ts';
import { makeHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared } from '../../support/store/sharedDatabase.ts';
import type { LoginName, SharedDatabase } from '../../support/store/sharedDatabase.ts';

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
    const read = async () => (await ring(database.server(login), database.ours)).map(({ record }) => record);
    return { pull: () => pullSharedRing(files, anchor, read) };
  }

  const as = (login: LoginName): RingSigning => ({
    signer: ada,
    now,
    append: (record) => appendRing(database.server(login), database.ours, Buffer.from(record)),
  });

  it('takes the founding records once, and every member’s machine verifies what roots add and remove', async () => {
    const founding = foundingRecords({ signer: ada, now }, database.ours, [ada.pin, grace.pin]);
    const found = async () => {
      const outcomes: string[] = [];
      for (const record of founding) outcomes.push(await as('ada').append(record));
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

  it('cannot be changed with an agents’ login, nor by one who is not a member', async () => {
    const shown = await machine('ada').pull();
    for (const login of ['ada_agent', 'grace', 'eve', 'mallory_agent'] as const)
      await assert.rejects(addMember(as(login), shown, makeHuman('Mallory').pin), ServerError, login);
    assert.equal((await machine('ada').pull()).head.seq, shown.head.seq);
  });
});
