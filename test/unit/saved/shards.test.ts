/** Maps of a saved state in shards: the same entries as in the map, and a text without an entry reads no shard. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { packShards, unpackShards } from '../../../src/store/saved/shards.ts';
import { runs } from '../../support/runs.ts';

function saved(entries: ReadonlyMap<string, string>, subjectOf: (key: string) => string) {
  const packed = packShards(entries, subjectOf);
  const bytes = Buffer.from([...packed.texts()].join(''));
  const read: number[] = [];
  const shards = unpackShards({
    marks: packed.marks,
    text(from, [length]) {
      read.push(from);
      return bytes.toString('utf8', from, from + length);
    },
  });
  return { shards, read };
}

function beginning(key: string): string {
  return key.slice(0, 2);
}

describe('a map in shards', () => {
  it('finds all entries of a subject, and no more than the map has', () => {
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.string()), { maxLength: 600 }), fc.array(key), (pairs, others) => {
        const entries = new Map(pairs);
        const { shards } = saved(entries, beginning);
        assert.equal(shards.size(), entries.size);
        assert.deepEqual(new Map(shards.entries()), entries);
        for (const one of [...entries.keys(), ...others]) {
          const found = shards.about(beginning(one));
          for (const [key, value] of entries)
            if (beginning(key) === beginning(one)) assert.equal(found.get(key), value);
          for (const [key, value] of found) assert.equal(entries.get(key), value);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  describe('of 20,000 texts in 128 shards', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `question ${String(at)}`);
    const all = new Map(keys.map((key) => [key, `id of ${key}`]));

    it('reads one for a text that has an entry, once', () => {
      const { shards, read } = saved(all, (key) => key);
      for (let again = 0; again < 2; again++)
        assert.equal(shards.about('question 17').get('question 17'), 'id of question 17');
      assert.equal(read.length, 1);
    });

    it('reads few for a thousand texts that have none', () => {
      const { shards, read } = saved(all, (key) => key);
      const others = Array.from({ length: 1_000 }, (_, at) => `another ${String(at)}`);
      assert.deepEqual(
        others.filter((one) => shards.about(one).has(one)),
        [],
      );
      assert.ok(read.length <= 10, `${String(read.length)} were read`);
    });
  });
});
