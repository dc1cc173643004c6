/**
 * A large map of texts in shards by the hash of what is looked up, each with its own hash, so that a program reads and
 * checks one shard for one entry.
 */
import { createHash } from 'node:crypto';
import { fnv } from './fnv.ts';
import { piecesIn } from './parts.ts';
import type { MarkedPiece, PartMark } from './parts.ts';

type Entry = readonly [key: string, value: string];

const entriesInShard = 256;
const shardsAtMost = 4096;

/**
 * @param subjectOf what of a key its entries are looked up by
 */
export function packShards(entries: ReadonlyMap<string, string>, subjectOf: (key: string) => string) {
  let count = 1;
  while (count < shardsAtMost && count * entriesInShard < entries.size) count *= 2;
  const shards = Array.from({ length: count }, (): Entry[] => []);
  for (const entry of entries) shards[shardOf(subjectOf(entry[0]), count)]?.push(entry);
  const marks: PartMark[] = [];
  return {
    /** In pieces, so that thousands of entries do not block as one step. */
    *texts(): Generator<string> {
      for (const shard of shards) {
        const text = JSON.stringify(shard);
        marks.push([Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]);
        yield text;
      }
    },
    /** Of the shards, and how many entries there are; call it after `texts`. */
    marks: () => JSON.stringify([entries.size, ...marks.flat()]),
  };
}

interface Parts {
  marks(): string;
  /** Bytes of the shards. @throws SavedStateGone unless they have this hash */
  text(from: number, mark: PartMark): string;
}

export interface Shards {
  /** How many entries there are. */
  size(): number;
  /** All entries that have this subject, and some that have not, in the order in which they were saved. */
  about(subject: string): ReadonlyMap<string, string>;
  /** By shard. */
  entries(): Iterable<Entry>;
}

export function unpackShards({ marks, text }: Parts): Shards {
  const read = new Map<number, ReadonlyMap<string, string>>();
  let known: { readonly size: number; readonly places: readonly MarkedPiece[] } | null = null;

  function index() {
    if (known) return known;
    const [size, ...flat] = JSON.parse(marks()) as [number, ...(number | string)[]];
    return (known = { size, places: piecesIn(flat, 0) });
  }

  function shard(number: number): ReadonlyMap<string, string> {
    const before = read.get(number);
    if (before) return before;
    const place = index().places[number];
    if (!place) throw new Error('no such shard: the saved state is of another version');
    const made = new Map(JSON.parse(text(place.from, place.mark)) as Entry[]);
    read.set(number, made);
    return made;
  }

  return {
    size: () => index().size,
    about: (subject) => shard(shardOf(subject, index().places.length)),
    *entries() {
      for (const number of index().places.keys()) yield* shard(number);
    },
  };
}

function shardOf(subject: string, count: number): number {
  return fnv(subject) & (count - 1);
}
