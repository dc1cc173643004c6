/** The key ring of a shared workspace: which records make keys count, and that nothing without a root's signature does. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../../src/trust/envelope.ts';
import {
  afterRing,
  hashOfRecord,
  readRing,
  RingError,
  signRingRecord,
  verifyRing,
  vouchingKeys,
  type RingHead,
  type UnsignedRingRecord,
} from '../../../src/trust/ringRecords.ts';
import { runs } from '../../support/runs.ts';
import { makeHuman, type Human } from '../../support/store/people.ts';

const workspace = '6f1c2b34-0000-4000-8000-000000000001';
const elsewhere = '6f1c2b34-0000-4000-8000-000000000002';
const at = '2026-03-02T12:00:00.000Z';
const [root, second, grace, linus, mallory] = ['Ada', 'Barbara', 'Grace', 'Linus', 'Mallory'].map((name) =>
  makeHuman(name),
) as [Human, Human, Human, Human, Human];
const pinned = { workspace, roots: [root.pin.publicKey, second.pin.publicKey] };

const keyOf = ({ pin: { publicKey, name } }: Human) => ({ publicKey, name, kind: 'human' }) as const;
type Step = Partial<UnsignedRingRecord> & Pick<UnsignedRingRecord, 'act' | 'key'> & { readonly signer?: Human };
const rooted = (who: Human, more: object = {}): Step => ({ act: 'root', key: keyOf(who), signer: who, ...more });
const add = (who: Human, more: object = {}): Step => ({ act: 'add', key: keyOf(who), ...more });
const remove = (who: Human, upTo: number, more: object = {}): Step => ({
  act: 'remove',
  key: keyOf(who),
  upTo,
  ...more,
});

/** Each step signed as the next record of a chain. */
function chain(steps: readonly Step[], of = workspace): Buffer[] {
  const records: Buffer[] = [];
  let head: RingHead | null = null;
  for (const { signer = root, ...step } of steps) {
    const record = { v: 1, workspace: of, ...afterRing(head), at, by: signer.keyid, ...step } as UnsignedRingRecord;
    const bytes = signRingRecord(record, (signed) => signer.sign(signed));
    records.push(bytes);
    head = { seq: record.seq, hash: hashOfRecord(bytes) };
  }
  return records;
}

const counting = (records: readonly Uint8Array[]) =>
  verifyRing(records, pinned).pins.map(({ keyid, name, retired }) => [keyid, name, retired?.upTo[workspace] ?? null]);
const makeRoot = (who: Human, more: object = {}): Step => ({ act: 'makeRoot', key: keyOf(who), ...more });
const genuine = [rooted(root), add(grace), add(linus), remove(grace, 900)];

describe('a shared key ring', () => {
  it('has the keys that its roots added, each with its name and until its removal', () => {
    const records = chain(genuine);
    const ring = verifyRing(records, pinned);
    assert.deepEqual(counting(records), [
      [root.keyid, 'Ada', null],
      [grace.keyid, 'Grace', 900],
      [linus.keyid, 'Linus', null],
    ]);
    assert.deepEqual(ring.roots, [root.keyid]);
    assert.deepEqual(ring.head, { seq: 3, hash: hashOfRecord(records[3]!) });
    assert.equal(ring.pins[0]?.publicKey, root.pin.publicKey);
  });

  it('takes further pinned roots, who may remove one another but not the last', () => {
    const both = [rooted(root), rooted(second), add(grace, { signer: second })];
    assert.deepEqual(verifyRing(chain(both), pinned).roots, [root.keyid, second.keyid]);
    const without = [...both, remove(root, 500, { signer: second })];
    assert.deepEqual(verifyRing(chain(without), pinned).roots, [second.keyid]);
    refuses(chain([...without, add(linus)]), /not a team owner key here/);
    refuses(chain([...without, remove(second, 600, { signer: second })]), /removes the key that signs it/);
    refuses(chain([...without, rooted(root)]), /added before/);
  });

  it('lets a root make a further one of a key that counts, so that a lost root is not the end', () => {
    const two = [rooted(root), add(grace), makeRoot(grace)];
    assert.deepEqual(verifyRing(chain(two), pinned).roots, [root.keyid, grace.keyid]);
    const lost = [...two, remove(root, 500, { signer: grace }), add(linus, { signer: grace })];
    const ring = verifyRing(chain(lost), pinned);
    assert.deepEqual(ring.roots, [grace.keyid]);
    assert.deepEqual(ring.signers, [root.keyid, grace.keyid]);
    assert.deepEqual(counting(chain(lost))[0], [root.keyid, 'Ada', 500]);
    refuses(chain([...lost, add(mallory)]), /not a team owner key here/);
    refuses(chain([...two, remove(root, 500)]), /removes the key that signs it/);
    const third = [...lost, makeRoot(linus, { signer: grace })];
    assert.deepEqual(verifyRing(chain(third), pinned).roots, [grace.keyid, linus.keyid]);
  });

  it('is vouched for by roots that signed one of its records, not by one whom another ring names a root', () => {
    const chainOf = (...steps: Step[]) => verifyRing(chain(steps), { workspace, roots: [root.pin.publicKey] });
    assert.deepEqual(vouchingKeys(chainOf(rooted(root), add(grace), makeRoot(grace))), [root.keyid]);
    const both = [rooted(root), add(grace), makeRoot(grace), add(linus, { signer: grace })];
    assert.deepEqual(vouchingKeys(chainOf(...both)), [root.keyid, grace.keyid]);
    assert.deepEqual(vouchingKeys(chainOf(...both, remove(root, 1, { signer: grace }))), [grace.keyid]);
    const by = { signer: mallory };
    const another = chain([rooted(mallory), add(root, by), makeRoot(root, by)]);
    assert.deepEqual(vouchingKeys(verifyRing(another, { workspace, roots: [mallory.pin.publicKey] })), [mallory.keyid]);
  });

  const four = chain(genuine);
  const first = four[0]!;
  const text = four[1]!.toString();
  const changed = (change: (record: Record<string, unknown>) => void) => {
    const record = JSON.parse(text) as Record<string, unknown>;
    change(record);
    return Buffer.from(canonicalJson(record));
  };
  const forgeries: Record<string, readonly [readonly Uint8Array[], RegExp]> = {
    'without a record': [[], /has no record/],
    'that begins with a key': [chain([add(grace)]), /not a team owner key here/],
    'of a root that is not pinned': [chain([rooted(mallory)]), /not a team owner key here/],
    'with a further root that is not pinned': [chain([rooted(root), rooted(mallory)]), /not a team owner key here/],
    'with a root that another root makes': [
      chain([rooted(root), rooted(mallory, { signer: root })]),
      /not a team owner key here/,
    ],
    'with a pinned root that another key makes': [
      chain([rooted(root), rooted(second, { signer: root })]),
      /not a team owner key here/,
    ],
    'with a pinned root in whose name another key signs': [
      chain([rooted(root), rooted(second, { signer: mallory, by: second.keyid })]),
      /no valid signature/,
    ],
    'with a root that makes itself one': [
      chain([rooted(root), add(grace), makeRoot(grace, { signer: grace })]),
      /not a team owner key here/,
    ],
    'with a root that a member makes': [
      chain([rooted(root), add(grace), add(linus), makeRoot(linus, { signer: grace })]),
      /not a team owner key here/,
    ],
    'with a root that makes itself one in a root’s name': [
      chain([rooted(root), add(grace), makeRoot(grace, { signer: grace, by: root.keyid })]),
      /no valid signature/,
    ],
    'with a root whose key was not added': [chain([rooted(root), makeRoot(grace)]), /is not trusted/],
    'with a root whose key was removed': [chain([...genuine, makeRoot(grace)]), /is not trusted/],
    'with a root under another name': [
      chain([rooted(root), add(grace), makeRoot(grace, { key: { ...keyOf(grace), name: 'Linus' } })]),
      /another name/,
    ],
    'with a root made twice': [chain([rooted(root), add(grace), makeRoot(grace), makeRoot(grace)]), /root already/],
    'with a root that acts after its removal': [
      chain([...[rooted(root), add(grace), makeRoot(grace), remove(root, 9, { signer: grace })], remove(grace, 9)]),
      /not a team owner key here/,
    ],
    'with a key that a member adds': [
      chain([rooted(root), add(grace), add(mallory, { signer: grace })]),
      /not a team owner key/,
    ],
    'with a key that adds itself': [
      chain([rooted(root), add(mallory, { signer: mallory })]),
      /not a team owner key here/,
    ],
    'with a key that adds itself in a root’s name': [
      chain([rooted(root), add(mallory, { signer: mallory, by: root.keyid })]),
      /no valid signature/,
    ],
    'with a key that a pinned root adds before its own record': [
      chain([rooted(root), add(grace, { signer: second })]),
      /not a team owner key here/,
    ],
    'with another key put in': [[first, changed((record) => (record['key'] = keyOf(mallory)))], /no valid signature/],
    'with another name put in': [
      [first, changed((record) => (record['key'] = { ...keyOf(grace), name: 'Ada' }))],
      /no valid signature/,
    ],
    'with another time put in': [[first, changed((record) => (record['at'] = '2026-03-03T12:00:00.000Z'))], /no valid/],
    'with a further member put in': [[first, changed((record) => (record['note'] = 1))], /malformed/],
    'with a later position of a removal': [
      [...four.slice(0, 3), Buffer.from(four[3]!.toString().replace('"upTo":900', '"upTo":999'))],
      /no valid signature/,
    ],
    'without the signature': [[first, changed((record) => delete record['signature'])], /malformed/],
    'in another notation': [[first, Buffer.from(text.replace('{', '{ '))], /malformed/],
    'with a member twice': [[first, Buffer.from(text.replace('{', '{"act":"add",'))], /malformed/],
    'with bytes that are not text': [[first, Buffer.concat([Buffer.from([0xff]), four[1]!])], /not JSON/],
    'with a gap': [[first, ...four.slice(2)], /record 1 is the next/],
    'without its beginning': [four.slice(1), /record 0 is the next/],
    'with a record twice': [[...four.slice(0, 2), four[1]!], /record 2 is the next/],
    'in another order': [[first, four[2]!, four[1]!], /record 1 is the next/],
    'with a record that was signed after another one': [
      [first, chain([rooted(root, { at: '2026-03-03T12:00:00.000Z' }), add(grace)])[1]!],
      /does not follow/,
    ],
    'of another workspace': [chain(genuine, elsewhere), /of another workspace/],
    'with a record of another workspace': [
      [first, chain([rooted(root), add(grace)], elsewhere)[1]!],
      /of another workspace/,
    ],
    'with a key added twice': [chain([rooted(root), add(grace), add(grace)]), /added before/],
    'with a key added under another name': [
      chain([rooted(root), add(grace), add(grace, { key: { ...keyOf(grace), name: 'Ada' } })]),
      /added before/,
    ],
    'with a removed key added again': [chain([...genuine, add(grace)]), /added before/],
    'with a removal of nothing': [chain([rooted(root), remove(grace, 1)]), /is not trusted/],
    'with a second removal': [chain([...genuine, remove(grace, 2_000)]), /is not trusted/],
    'with a removal under another name': [
      chain([rooted(root), add(grace), remove(grace, 1, { key: { ...keyOf(grace), name: 'Linus' } })]),
      /another name/,
    ],
    'without its last root': [chain([rooted(root), remove(root, 1)]), /removes the key that signs it/],
    'with a key of another type': [
      chain([rooted(root), add(grace, { key: { ...keyOf(grace), publicKey: 'MCow' } })]),
      /malformed/,
    ],
    'with a name of two lines': [
      chain([rooted(root), add(grace, { key: { ...keyOf(grace), name: 'Grace\nAda' } })]),
      /malformed/,
    ],
  };
  for (const [name, [records, why]] of Object.entries(forgeries))
    it(`${name} has no key that counts`, () => {
      refuses(records, why);
    });

  it('does not accept a root’s signature over a decision of the same bytes', () => {
    const record = JSON.parse(text) as Record<string, unknown>;
    const { signature: _, ...unsigned } = record;
    const signed = root.sign(preAuthEncoding(payloadType, Buffer.from(canonicalJson(unsigned))));
    const forged = canonicalJson({ ...unsigned, signature: Buffer.from(signed).toString('base64') });
    refuses([first, Buffer.from(forged)], /no valid signature/);
  });

  it('is read from rows of which those that are not the next record are ignored, one by one', () => {
    const late = chain([...genuine.slice(0, 2), add(mallory, { signer: grace })])[2]!;
    const rows = [
      Buffer.from('{}'),
      four[0]!,
      four[0]!,
      late,
      four[1]!,
      four[2]!,
      four[1]!,
      Buffer.alloc(20_000),
      four[3]!,
    ];
    const { ring, records, ignored } = readRing(rows, pinned);
    assert.deepEqual(ring, verifyRing(four, pinned));
    assert.deepEqual(records, four);
    assert.deepEqual(
      ignored.map(({ row }) => row),
      [1, 3, 4, 7, 8],
    );
    assert.deepEqual(ignored.at(-1), { row: 8, why: 'is too long' });
    assert.throws(() => readRing([], pinned), RingError);
    assert.throws(() => readRing([Buffer.from('{}'), four[1]!], pinned), RingError);
  });

  it('is decided by the pinned roots alone: pinned otherwise, the same records are not a ring', () => {
    const other = { workspace, roots: [mallory.pin.publicKey] };
    assert.throws(() => verifyRing(four, other), RingError);
  });

  it('never changes by records that no root signed, in any order and number', () => {
    const prefixes = four.map((_, index) => JSON.stringify(counting(four.slice(0, index + 1))));
    const people = fc.constantFrom(grace, linus, mallory);
    const step = fc.oneof(
      people.map((who) => add(who)),
      people.map((who) => rooted(who)),
      people.map((who) => makeRoot(who)),
      people.map((who) => rooted(who, { key: keyOf(root) })),
      fc.tuple(fc.constantFrom(root, grace, linus), fc.nat({ max: 2_000 })).map(([who, upTo]) => remove(who, upTo)),
    );
    /** Signed by a key that is not a root's, in its own name or a root's, after any genuine or forged record. */
    const forged = fc
      .record({
        step,
        signer: people,
        by: fc.constantFrom(root.keyid, second.keyid, null),
        seq: fc.nat({ max: 6 }),
        after: fc.nat({ max: 6 }),
      })
      .map(({ step, signer, by, seq, after }) => (before: readonly Buffer[]) => {
        const last = before[Math.min(after, before.length - 1)];
        const prev = last ? hashOfRecord(last) : '0'.repeat(64);
        const { signer: _, ...rest } = step;
        const record = { v: 1, workspace, seq, prev, at, ...rest, by: by ?? signer.keyid } as UnsignedRingRecord;
        return signRingRecord(record, (bytes) => signer.sign(bytes));
      });
    const replayed = fc.nat({ max: four.length - 1 }).map((index) => () => four[index]!);
    const next = fc.constant((before: readonly Buffer[]) => four[before.length] ?? first);
    const sequence = fc.array(fc.oneof({ weight: 3, arbitrary: next }, forged, replayed), { maxLength: 7 });
    fc.assert(
      fc.property(sequence, (makers) => {
        const records: Buffer[] = [];
        for (const make of makers) records.push(make(records));
        const found = attempt(records);
        assert.ok(found === null || prefixes.includes(found), found ?? '');
        const read = attempt(records, (rows) => readRing(rows, pinned).records);
        assert.ok(read === null || prefixes.includes(read), read ?? '');
        assert.ok(found === null || read === found, 'what is a ring without rows to ignore is the same ring');
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** The keys that count, as text; null if none does because something is wrong. */
function attempt(records: readonly Uint8Array[], chosen = (rows: readonly Uint8Array[]) => rows): string | null {
  try {
    return JSON.stringify(counting(chosen(records)));
  } catch (error) {
    if (error instanceof RingError) return null;
    throw error;
  }
}

function refuses(records: readonly Uint8Array[], why: RegExp): void {
  assert.throws(
    () => verifyRing(records, pinned),
    (error) => error instanceof RingError && why.test(error.message),
  );
}
