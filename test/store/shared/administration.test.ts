/** Filling a workspace, its members and its key ring, through our client. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  addMember,
  appendRing,
  createWorkspace,
  importRows,
  members,
  openWorkspace,
  removeMember,
  ring,
  type ImportRow,
  type Server,
} from '../../../src/store/shared/server.ts';
import { endOf, line, noLine, startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';

describe('administering a shared journal', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  let ours: string;
  let ada: Server;

  before(async () => {
    database = await startShared();
    ({ ours } = database);
    ada = database.server('ada');
  });
  after(() => database.stop());

  describe('a journal moves in byte for byte', () => {
    let id: string;
    beforeEach(async () => {
      id = randomUUID();
      await createWorkspace(ada, { id, name: `w-${id}`, person: 'Ada' });
    });

    /** Lines, torn bytes between them, and damage that a human set aside: the chain goes on elsewhere after it. */
    function journal(): { rows: ImportRow[]; end: number; head: string } {
      const created = { kind: 'workspace.created', v: 1, workspace: randomUUID(), minReader: 1, minWriter: 1 };
      const first = line({ at: 0, prev: noLine, records: [created] });
      const torn = Buffer.from('\n17 abc');
      const second = line({ at: first.bytes.length + torn.length, prev: first.hash });
      const damage = Buffer.from([10, 255, 0, 254]);
      const at = first.bytes.length + torn.length + second.bytes.length + damage.length;
      const seal = [{ kind: 'segment.sealed', v: 1 }];
      const third = line({ at, prev: 'a'.repeat(64), records: seal });
      const fourth = line({ at: at + third.bytes.length - 1, prev: third.hash });
      const rows: ImportRow[] = [
        { kind: 'line', bytes: first.bytes },
        { kind: 'filler', bytes: torn },
        { kind: 'line', bytes: second.bytes },
        { kind: 'filler', bytes: damage },
        { kind: 'line', bytes: third.bytes },
        { kind: 'line', bytes: fourth.bytes },
      ];
      return { rows, end: at + third.bytes.length - 1 + fourth.bytes.length, head: fourth.hash };
    }

    it('in parts, is opened when it is whole, and goes on from there', async () => {
      const { rows, end, head } = journal();
      const half = await importRows(ada, id, 0, rows.slice(0, 3));
      await assert.rejects(importRows(ada, id, 0, rows.slice(3)), /do not begin at/);
      await assert.rejects(openWorkspace(ada, id, { size: end, head }), /does not hold what was copied/);
      assert.equal(await importRows(ada, id, half, rows.slice(3)), end);
      await assert.rejects(openWorkspace(ada, id, { size: end, head: noLine }), /does not hold what was copied/);
      assert.equal((await ada.workspaces()).find((each) => each.id === id)?.open, false);
      await openWorkspace(ada, id, { size: end, head });
      const tail = await ada.tail(id, 0);
      assert.deepEqual(
        tail.rows.map(({ bytes }) => bytes),
        rows.map(({ bytes }) => bytes),
      );
      assert.deepEqual({ size: tail.size, head: tail.head }, { size: end, head });
      const sealed = line({ at: end, prev: head, records: [{ kind: 'segment.sealed', v: 1 }] });
      assert.equal((await ada.append('human', id, sealed.bytes)).outcome, 'won');
    });

    for (const [title, change] of Object.entries<(rows: ImportRow[]) => ImportRow[]>({
      'a gap': (rows) => rows.map((row, i) => (i === 1 ? { ...row, bytes: row.bytes.subarray(1) } : row)),
      'a missing line': (rows) => rows.slice(1),
      'another order': (rows) => [rows[1]!, rows[0]!, ...rows.slice(2)],
      'a changed line': (rows) =>
        rows.map((row, i) =>
          i === 2 ? { ...row, bytes: Buffer.from(row.bytes.toString().replace('t-1', 't-2')) } : row,
        ),
      'a filler without bytes': (rows) => [...rows, { ...rows[1]!, bytes: Buffer.alloc(0) }],
      'a chain that jumps': (rows) =>
        rows.map((row, i) =>
          i === 5 ? { ...row, bytes: line({ at: journal().end - row.bytes.length, prev: 'b'.repeat(64) }).bytes } : row,
        ),
    })) {
      it(`not with ${title}`, async () => {
        await assert.rejects(importRows(ada, id, 0, change(journal().rows)), { code: 'refused' });
        assert.equal((await ada.tail(id, 0)).size, 0);
      });
    }
  });

  it('members come, change and go; who is out neither reads nor writes', async () => {
    const grace = database.server('grace');
    const eve = { login: 'eve', kind: 'human', person: 'Eve' } as const;
    await addMember(ada, ours, { ...eve, person: 'Another' });
    await addMember(ada, ours, eve);
    assert.deepEqual(await members(grace, ours), [
      { login: 'ada', kind: 'human', person: 'Ada', admin: true },
      { login: 'ada_agent', kind: 'agent', person: 'Ada', admin: false },
      { ...eve, admin: false },
      { login: 'grace', kind: 'human', person: 'Grace', admin: false },
    ]);
    const evesServer = database.server('eve');
    const { at, prev } = await endOf(evesServer, ours);
    await removeMember(ada, ours, 'eve');
    await assert.rejects(evesServer.tail(ours, 0), { code: 'refused' });
    await assert.rejects(evesServer.append('human', ours, line({ at, prev, actor: 'human' }).bytes), {
      code: 'refused',
    });
    assert.deepEqual(await members(evesServer, ours), []);
  });

  it('the key ring has one row at each place, once; programs decide which rows count', async () => {
    const record = (seq: number, prev: string, name = 'Ada') =>
      Buffer.from(
        JSON.stringify({
          v: 1,
          workspace: ours,
          seq,
          prev,
          act: 'add',
          key: { name },
          at: 'now',
          signature: { sig: '' },
        }),
      );
    const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const first = record(0, noLine);
    assert.equal(await appendRing(ada, ours, first, 1), 'lost');
    assert.equal(await appendRing(ada, ours, first, 0), 'won');
    assert.equal(await appendRing(ada, ours, first, 0), 'duplicate');
    assert.equal(await appendRing(ada, ours, record(0, noLine, 'Eve'), 0), 'lost');
    assert.equal(await appendRing(ada, ours, record(1, hashOf(first)), 2), 'lost');
    const second = record(7, noLine);
    assert.equal(await appendRing(ada, ours, second, 1), 'won', 'a record of any chain');
    assert.deepEqual(await ring(database.server('ada_agent'), ours), [first, second]);
    assert.deepEqual(await ring(database.server('eve'), ours), []);
  });
});
