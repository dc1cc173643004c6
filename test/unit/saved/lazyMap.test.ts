/** Maps and sets that are read as needed behave as plain ones. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startChange } from '../../../src/core/state/change.ts';
import { LazyMap, LazySet } from '../../../src/store/saved/lazyMap.ts';
import type { Source } from '../../../src/store/saved/lazyMap.ts';
import { runs } from '../../support/runs.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const act = fc.oneof(
  fc.record({ does: fc.constant('set' as const), key, value: fc.nat(9) }),
  fc.record({ does: fc.constant('delete' as const), key }),
  fc.record({ does: fc.constantFrom('load' as const, 'size' as const, 'clear' as const), key }),
);

function sourceOf<V>(saved: ReadonlyMap<string, V>): Source<string, V> {
  return {
    size: () => saved.size,
    has: (one) => saved.has(one),
    get: (one) => saved.get(one),
    entries: () => saved,
  };
}

describe('a map of a saved state', () => {
  it('has the same entries in the same order as a plain one, whatever is set, deleted and read', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat(9))), fc.array(act), (entries, acts) => {
        const saved = new Map(entries);
        const plain = new Map(saved);
        const lazy = new LazyMap(sourceOf(saved));
        for (const acting of acts) {
          if (acting.does === 'set') {
            lazy.set(acting.key, acting.value);
            plain.set(acting.key, acting.value);
          } else if (acting.does === 'delete') assert.equal(lazy.delete(acting.key), plain.delete(acting.key));
          else if (acting.does === 'clear' && acting.key === 'a') {
            lazy.clear();
            plain.clear();
          } else if (acting.does === 'load' && acting.key === 'a') assert.deepEqual([...lazy], [...plain]);
          assert.equal(lazy.size, plain.size);
          assert.equal(lazy.get(acting.key), plain.get(acting.key));
          assert.equal(lazy.has(acting.key), plain.has(acting.key));
        }
        const added = [...lazy.added()];
        assert.deepEqual([...plain.keys()].slice(plain.size - added.length), added);
        assert.deepEqual([...lazy.entries()], [...plain]);
        assert.deepEqual([...lazy.keys()], [...plain.keys()]);
        assert.deepEqual([...lazy.values()], [...plain.values()]);
        const each: [string, number][] = [];
        lazy.forEach((value, one) => each.push([one, value]));
        assert.deepEqual(each, [...plain]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('looks a key that is not there up once, however often it is asked for, set and deleted', () => {
    const asked: string[] = [];
    const source = sourceOf(new Map([['a', 1]]));
    const note =
      <T>(look: (one: string) => T) =>
      (one: string) => {
        asked.push(one);
        return look(one);
      };
    const lazy = new LazyMap({ ...source, has: note(source.has), get: note(source.get) });
    assert.equal(lazy.get('x'), undefined);
    assert.equal(lazy.has('x'), false);
    startChange().set(lazy, 'x', 2);
    assert.equal(lazy.delete('x'), true);
    assert.deepEqual(asked, ['x']);
    assert.equal(lazy.has('a'), true);
    assert.equal(lazy.has('y'), false);
    assert.equal(lazy.get('y'), undefined);
    assert.deepEqual(asked, ['x', 'a', 'y']);
  });

  it('loads nothing to look up, set or delete, and all of it once to go through', () => {
    let loaded = 0;
    const saved = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    const source = {
      ...sourceOf(saved),
      entries: () => {
        loaded += 1;
        return saved;
      },
    };
    const lazy = new LazyMap<string, number>(source);
    lazy.set('b', 3).set('c', 4);
    lazy.delete('a');
    assert.deepEqual([lazy.get('b'), lazy.size, [...lazy.changed()], loaded], [3, 2, ['b', 'c', 'a'], 0]);
    assert.deepEqual(
      [[...lazy], [...lazy], loaded, lazy.isLoaded],
      [
        [
          ['b', 3],
          ['c', 4],
        ],
        [
          ['b', 3],
          ['c', 4],
        ],
        1,
        true,
      ],
    );
  });

  it('loses nothing when loading fails', () => {
    let fails = true;
    const saved = new Map([['a', 1]]);
    const source = {
      ...sourceOf(saved),
      *entries() {
        yield* saved;
        if (fails) throw new Error('the disk');
      },
    };
    const lazy = new LazyMap<string, number>(source);
    lazy.set('b', 2);
    assert.throws(() => [...lazy], /the disk/);
    fails = false;
    assert.deepEqual([...lazy.keys()], ['a', 'b']);
  });
});

describe('a change of a saved state', () => {
  it('looks at what it changes, and neither counts nor reads the rest', () => {
    const all = () => {
      throw new Error('all entries were read');
    };
    const saved = { ...sourceOf(new Map([['a', 1]])), size: all, entries: all };
    const map = new LazyMap<string, number>(saved);
    const set = new LazySet<string>({ ...sourceOf(new Map([['a', true as const]])), size: all, entries: all });
    const change = startChange();
    change.set(map, 'a', 2);
    change.set(map, 'b', 3);
    change.unset(map, 'a');
    change.add(set, 'b');
    change.drop(set, 'a');
    assert.deepEqual([map.get('a'), map.get('b'), set.has('a'), set.has('b')], [undefined, 3, false, true]);
    change.undo();
    assert.deepEqual([map.get('a'), map.has('b'), set.has('a'), set.has('b')], [1, false, true, false]);
  });
});

describe('a set of a saved state', () => {
  it('has the same members in the same order as a plain one', () => {
    fc.assert(
      fc.property(fc.array(key), fc.array(act), (members, acts) => {
        const plain = new Set(members);
        const lazy = new LazySet(sourceOf(new Map(members.map((one) => [one, true as const]))));
        for (const { does, key: one } of acts) {
          if (does === 'set') assert.equal(lazy.add(one).has(one), plain.add(one).has(one));
          else if (does === 'delete') assert.equal(lazy.delete(one), plain.delete(one));
          else if (does === 'load' && one === 'a') assert.deepEqual([...lazy.values()], [...plain]);
          assert.equal(lazy.size, plain.size);
        }
        const added = [...lazy.added()];
        assert.deepEqual([...plain].slice(plain.size - added.length), added);
        assert.deepEqual([...lazy], [...plain]);
        assert.deepEqual([...lazy.entries()], [...plain.entries()]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
