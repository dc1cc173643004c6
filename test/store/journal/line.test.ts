import assert from 'node:assert/strict';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { encodeLine, readSegment } from '../../../src/store/journal/line.ts';
import { maxBody } from '../../../src/store/journal/openJournal.ts';
import { encode, readByHand, writeByHand } from '../../support/store/handwriting.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const body = {
  at: 0,
  prev: '0'.repeat(64),
  op: '00000000-0000-4000-8000-000000000000',
  time: '2026-03-02T12:00:00.000Z',
  actor: { kind: 'agent' as const, id: 'copilot-001' },
  records: [{ kind: 'x' }],
};

const good = encode(body);

const next = encode({ ...body, at: good.length });

describe('a line', () => {
  it('is parsed as written, by us or by hand', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), (values) => {
        const records = JSON.parse(JSON.stringify(values)) as unknown[];
        const { bytes, hash } = encodeLine({ ...body, records });
        assert.deepEqual(bytes, encode({ ...body, records }));
        const segment = readSegment(bytes, 0, 0);
        assert.deepEqual(segment, { kind: 'line', hash, body: { ...body, records }, next: bytes.length - 1 });
        assert.equal(readByHand(bytes).lines.length, 1);
      }),
    );
  });

  it('is parsed at any offset', () => {
    const bytes = Buffer.concat([good, next]);
    const segment = readSegment(bytes.subarray(10), 10, good.length);
    assert.equal(segment.kind, 'line');
    assert.equal(segment.next, bytes.length - 1);
  });

  function check(name: string, bytes: Buffer, expected: { kind: string; next?: number; why?: RegExp }): void {
    it(`${name}: ${expected.kind}`, () => {
      const segment = readSegment(bytes, 0, 0);
      assert.equal(segment.kind, expected.kind);
      if (expected.next !== undefined) assert.equal('next' in segment && segment.next, expected.next);
      if (expected.why) assert.match('why' in segment ? segment.why : '', expected.why);
    });
  }

  const replaced = (from: string, to: string) => Buffer.from(good.toString().replace(from, to));
  const large = (size: number) => encode({ ...body, records: ['x'.repeat(size)] });
  check('a lone line feed', Buffer.from('\n'), { kind: 'tail' });
  check('no line feed first', Buffer.from('x\n'), { kind: 'damaged', why: /does not begin with a line feed/, next: 1 });
  check('no line feed at all', Buffer.from('xyz'), { kind: 'damaged', next: 3 });
  check('cut before its last line feed', good.subarray(0, -1), { kind: 'line', next: good.length - 1 });
  check('cut with nothing behind', good.subarray(0, -2), { kind: 'tail' });
  check('cut in its header with nothing behind', good.subarray(0, 20), { kind: 'tail' });
  check('with foreign bytes behind', Buffer.concat([good, Buffer.from('hello')]), {
    kind: 'line',
    next: good.length - 1,
  });
  check('with foreign bytes instead of its last line feed', Buffer.concat([good.subarray(0, -1), Buffer.from('x')]), {
    kind: 'line',
    next: good.length - 1,
  });
  check('of which only zeros were written', Buffer.concat([good.subarray(0, 90), Buffer.alloc(good.length - 91)]), {
    kind: 'tail',
  });
  check('cut in its length', Buffer.concat([good.subarray(0, 3), next]), { kind: 'void', next: 3 });
  check('cut in its hash', Buffer.concat([good.subarray(0, 20), next]), { kind: 'void', next: 20 });
  check('cut in its body', Buffer.concat([good.subarray(0, -20), next]), { kind: 'void', next: good.length - 20 });
  check('cut before its last line feed, with another behind', Buffer.concat([good.subarray(0, -1), next]), {
    kind: 'line',
    next: good.length - 1,
  });
  check('anything else with nothing behind', Buffer.from('\nhello'), { kind: 'damaged', why: /is not a line/ });
  check('nothing between two lines', Buffer.concat([Buffer.from('\n'), next]), { kind: 'void', next: 1 });
  check('an edited body', replaced('copilot-001', 'copilot-002'), { kind: 'damaged', why: /does not match its hash/ });
  check('a shorter body under its old length', replaced('copilot-001', 'copilot-1'), { kind: 'void' });
  check('a longer body under its old length', replaced('copilot-001', 'copilot-0001'), {
    kind: 'damaged',
    why: /longer than its stated length/,
  });
  check('a greater length over a whole body', replaced('\n2', '\n3'), {
    kind: 'damaged',
    why: /shorter than its stated length/,
  });
  check('anything else', Buffer.from('\nhello\n'), { kind: 'damaged', why: /is not a line/ });
  check('JSON without the frame’s members', encode({ ...body, op: 'no id' }), { kind: 'void' });
  check('a body that is not JSON', encode(Object('x') as object), { kind: 'void' });
  check('the largest body', large(maxBody - good.length), { kind: 'line' });
  check('a body too large', large(maxBody + 1), { kind: 'void' });
});

/** Records that nest deeper than a program can follow: each program refuses them, whatever its stack. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a record with deeply nested data', () => {
  afterEach(removeSandboxes);

  for (const levels of [65, 3_000])
    it(`is refused, and the store stays readable (${String(levels)} levels)`, async () => {
      const sandbox = makeSandbox();
      const workspace = sandbox.open();
      await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
      workspace.close();
      const row = {
        ...{ row: 'history', key: 'a'.repeat(64), ref: 'r-1', at: '2026-03-02T11:00:00.000Z', of: 'question' },
        ...{ title: 'Which port?', status: 'answered', agent: null, work: null, data: { more: nested(levels) } },
      };
      writeByHand(sandbox.journal, [{ kind: 'import.rows', v: 1, batch: randomUUID(), part: 1, rows: [row] }]);
      const { problem, state } = sandbox.open().standing();
      assert.equal(problem, null);
      assert.equal(state.refusals.length, 1);
      assert.match(state.refusals[0]?.why ?? '', /at most 64 levels/);
    });
});
