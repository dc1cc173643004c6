/** Appending to a shared journal and reading it, through our client and a real server. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { lineBody } from '../../../src/core/records/records.ts';
import { readSegment } from '../../../src/store/journal/line.ts';
import {
  type Server,
  addMember,
  appendRing,
  createWorkspace,
  type ImportRow,
  importRows,
  members,
  openWorkspace,
  removeMember,
  ring,
} from '../../../src/store/shared/server.ts';
import { endOf, framed, line, noLine, type SharedDatabase, startShared } from '../../support/store/sharedDatabase.ts';
const created = { kind: 'workspace.created', v: 1, workspace: randomUUID(), minReader: 1, minWriter: 1 };

const seal = { kind: 'segment.sealed', v: 1 };

describe('a shared journal', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  let ours: string;
  let ada: Server;
  let agent: Server;

  before(async () => {
    database = await startShared();
    ({ ours } = database);
    ada = database.server('ada');
    agent = database.server('ada_agent');
  });
  after(() => database.stop());

  it('begins empty, and takes lines in one order, each once', async () => {
    assert.deepEqual(await agent.tail(ours, 0), { size: 0, head: noLine, rows: [] });
    const first = line({ at: 0, prev: noLine, records: [created] });
    const size = first.bytes.length;
    const rows = [{ at: 0, bytes: first.bytes }];
    assert.deepEqual(await agent.append('agent', ours, first.bytes), {
      outcome: 'won',
      at: 0,
      size,
      head: first.hash,
      rows: [],
    });
    assert.deepEqual(await agent.append('agent', ours, first.bytes), {
      outcome: 'duplicate',
      at: 0,
      size,
      head: first.hash,
      rows,
    });
    const late = line({ at: 0, prev: noLine });
    assert.deepEqual(await ada.append('human', ours, late.bytes), { outcome: 'lost', size, head: first.hash, rows });
    assert.deepEqual(await ada.tail(ours, 0), { size, head: first.hash, rows });
  });

  it('says where an act of the same op is, wherever the caller wanted it', async () => {
    const op = randomUUID();
    const { at, prev } = await endOf(agent, ours);
    await agent.append('agent', ours, line({ at, prev, op }).bytes);
    const again = line({ ...(await endOf(agent, ours)), op });
    const reply = await agent.append('agent', ours, again.bytes);
    assert.ok(reply.outcome === 'duplicate');
    assert.equal(reply.at, at);
  });

  it('tells a caller whose lines are not the journal’s from one that is late', async () => {
    const { at, prev } = await endOf(agent, ours);
    const outcome = async (place: { at: number; prev: string }) =>
      (await agent.append('agent', ours, line(place).bytes)).outcome;
    assert.equal(await outcome({ at, prev: 'f'.repeat(64) }), 'forked');
    assert.equal(await outcome({ at: at + 1, prev }), 'forked');
    assert.equal(await outcome({ at: 0, prev: 'f'.repeat(64) }), 'forked');
    assert.equal(await outcome({ at: 1, prev: noLine }), 'forked');
    assert.equal(await outcome({ at: 0, prev: noLine }), 'lost');
  });

  it('keeps the bytes, whatever the text has', async () => {
    const { at, prev } = await endOf(ada, ours);
    const records = [{ kind: 'question.answered', text: 'Ü \u2028 \\ " \u0000 \ud83d 😀 \\u0000' }];
    const { bytes } = line({ at, prev, actor: 'human', records });
    assert.equal((await ada.append('human', ours, bytes)).outcome, 'won');
    const { rows } = await agent.tail(ours, at);
    assert.deepEqual(rows, [{ at, bytes }]);
  });

  it('is read in parts', async () => {
    const { size, rows } = await agent.tail(ours, 0, 2);
    assert.equal(rows.length, 2);
    assert.ok(rows[1]!.at + rows[1]!.bytes.length < size);
    assert.deepEqual(await agent.tail(ours, size), { ...(await agent.tail(ours, 0)), rows: [] });
  });

  describe('the end of a file', () => {
    it('puts the next line at the first byte behind the seal’s body, where readers expect it', async () => {
      const { at, prev } = await endOf(agent, ours);
      const { bytes } = line({ at, prev, records: [seal] });
      const { size } = await agent.append('agent', ours, bytes);
      assert.equal(size, at + bytes.length - 1);
      const segment = readSegment(bytes, at, at);
      assert.equal(segment.kind === 'line' && segment.next, size);
    });

    for (const [title, records] of Object.entries({
      'a seal of another version': [{ ...seal, v: 2 }],
      'two seals': [seal, seal],
      'a seal behind records that readers refuse': [...Array.from({ length: 10 }, () => ({})), seal],
    })) {
      it(`refuses ${title}: readers would go on somewhere else`, async () => {
        const { bytes } = line({ ...(await endOf(agent, ours)), records });
        await assert.rejects(agent.append('agent', ours, bytes), { code: 'refused' });
      });
    }
  });

  it('counts no line that a reader would not count', async () => {
    const strange = fc.constantFrom<unknown>(
      null,
      5,
      5.5,
      -1,
      '5',
      true,
      [],
      {},
      [null],
      1e400,
      '\u0000',
      '\ud800',
      '\u00a0',
      ' ',
      '',
      '😀'.repeat(51),
      'é'.repeat(100),
      'a'.repeat(101),
      '2026-02-30T00:00:00.000Z',
      '2026-02-28T24:00:00.000Z',
      '2026-02-28T00:00:00Z',
      '00000000-0000-0000-0000-000000000000',
      randomUUID().toUpperCase(),
      'human',
      'agent',
      'x\u0085y',
      '\ufeff',
    );
    const field = fc.constantFrom(
      'at',
      'prev',
      'op',
      'time',
      'actor',
      'records',
      'actor.kind',
      'actor.id',
      'actor.session',
      'actor.worktree',
    );
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(field, strange, async (name, value) => {
        const { at, prev } = await endOf(agent, ours);
        const actor: Record<string, unknown> = { kind: 'agent', id: 'Ada/x' };
        const body: Record<string, unknown> = {
          at,
          prev,
          op: randomUUID(),
          time: '2026-11-22T00:00:00.000Z',
          actor,
          records: [{ kind: 'x' }],
        };
        const [first, second] = name.split('.') as [string, string?];
        if (second) actor[second] = value;
        else body[first] = value;
        const { bytes } = framed(body);
        const reply = await agent.append('agent', ours, bytes).catch(() => null);
        if (reply?.outcome !== 'won') return;
        counted++;
        assert.equal(lineBody.safeParse(JSON.parse(JSON.stringify(body))).success, true, JSON.stringify(body));
        assert.equal(readSegment(bytes, at, at).kind, 'line');
      }),
      { numRuns: 300 },
    );
    assert.ok(counted > 10, `${String(counted)} lines were accepted`);
  });

  it('refuses a body of more than 1 MiB, which no reader counts', async () => {
    const filling = (length: number) => [{ kind: 'x', text: 'a'.repeat(length) }];
    const place = await endOf(agent, ours);
    const spare = line({ ...place, records: filling(0) });
    const frame = spare.bytes.indexOf('{');
    const most = 1024 * 1024 - (spare.bytes.length - frame - 1);
    await assert.rejects(agent.append('agent', ours, line({ ...place, records: filling(most + 1) }).bytes), /too long/);
    const { outcome } = await agent.append('agent', ours, line({ ...place, records: filling(most) }).bytes);
    assert.equal(outcome, 'won');
  });

  it('takes the lines of eight hot writers in one order without gaps', async () => {
    const begin = await endOf(agent, ours);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const writer = database.another('ada_agent');
        let place = begin;
        for (let done = 0; done < 10;) {
          const reply = await writer.append('agent', ours, line(place).bytes);
          assert.ok(reply.outcome === 'won' || reply.outcome === 'lost');
          if (reply.outcome === 'won') done++;
          else assert.equal(reply.rows[0]?.at, place.at, 'the reply begins with what came first');
          place = { at: reply.size, prev: reply.head };
        }
      }),
    );
    const { rows, size, head } = await agent.tail(ours, begin.at);
    assert.equal(rows.length, 80);
    let { at, prev } = begin;
    for (const { at: place, bytes } of rows) {
      const segment = readSegment(bytes, place, place);
      assert.ok(segment.kind === 'line' && segment.body.prev === prev && place === at);
      at += bytes.length;
      prev = segment.hash;
    }
    assert.deepEqual({ at, prev }, { at: size, prev: head });
  });
});

/** Filling a workspace, its members and its key ring, through our client. */
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
