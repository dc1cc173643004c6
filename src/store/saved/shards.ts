/**
 * A large map in shards by the hash of what is looked up, each with its own hash, so that a program reads and
 * checks one shard for one entry, and mostly none for a text that has no entry, such as that of a new question.
 */
import { createHash } from 'node:crypto';
import { fnv } from './fnv.ts';
import { piecesIn } from './parts.ts';
import type { MarkedPiece, PartMark } from './parts.ts';

type Entry<V> = readonly [key: string, value: V];

const entriesInShard = 256;
const shardsAtMost = 4096;

/**
 * @param subjectOf what of a key its entries are looked up by
 */
export function packShards<V>(entries: ReadonlyMap<string, V>, subjectOf: (key: string) => string) {
  let count = 1;
  while (count < shardsAtMost && count * entriesInShard < entries.size) count *= 2;
  const shards = Array.from({ length: count }, (): Entry<V>[] => []);
  for (const entry of entries) shards[shardOf(subjectOf(entry[0]), count)]?.push(entry);
  const marks: PartMark[] = [];
  const tags: string[] = [];
  return {
    /** In pieces, so that thousands of entries do not block as one step. */
    *texts(): Generator<string> {
      for (const shard of shards) {
        const text = JSON.stringify(shard);
        marks.push([Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]);
        tags.push(tagsOf(shard.map(([key]) => subjectOf(key))));
        yield text;
      }
    },
    /** Of the shards, and how many entries there are; call it after `texts`. */
    marks: () => JSON.stringify({ size: entries.size, marks: marks.flat(), tags } satisfies Index),
  };
}

/** What is read of all shards. */
interface Index {
  /** How many entries there are. */
  readonly size: number;
  readonly marks: readonly (number | string)[];
  /** For each shard, the tags of its subjects. */
  readonly tags: readonly string[];
}

/** Two bytes of each subject's hash in Base64: of the subjects that are not in a shard, one in some 250 has such a tag. */
function tagsOf(subjects: readonly string[]): string {
  return Buffer.from(Uint16Array.from(new Set(subjects.map(tagOf))).buffer).toString('base64');
}

/** Other bits of the hash than those that choose the shard. */
function tagOf(subject: string): number {
  return fnv(subject) >>> 16;
}

interface Parts {
  marks(): string;
  /** Bytes of the shards. @throws SavedStateGone unless they have this hash */
  text(from: number, mark: PartMark): string;
}

export interface Shards<V = string> {
  /** How many entries there are. */
  size(): number;
  /** All entries that have this subject, and some that have not, in the order in which they were saved. */
  about(subject: string): ReadonlyMap<string, V>;
  /** By shard. */
  entries(): Iterable<Entry<V>>;
}

const none: ReadonlyMap<string, never> = new Map<string, never>();

export function unpackShards<V = string>({ marks, text }: Parts): Shards<V> {
  const read = new Map<number, ReadonlyMap<string, V>>();
  const tagged = new Map<number, Uint16Array>();
  let known: (Index & { readonly places: readonly MarkedPiece[] }) | null = null;

  function index() {
    if (known) return known;
    const read = JSON.parse(marks()) as Index;
    return (known = { ...read, places: piecesIn(read.marks, 0) });
  }

  function tagsIn(number: number): Uint16Array {
    const before = tagged.get(number);
    if (before) return before;
    const tags = index().tags[number];
    if (tags === undefined) throw otherVersion();
    const made = new Uint16Array(new Uint8Array(Buffer.from(tags, 'base64')).buffer);
    tagged.set(number, made);
    return made;
  }

  function shard(number: number): ReadonlyMap<string, V> {
    const before = read.get(number);
    if (before) return before;
    const place = index().places[number];
    if (!place) throw otherVersion();
    const made = new Map(JSON.parse(text(place.from, place.mark)) as Entry<V>[]);
    read.set(number, made);
    return made;
  }

  return {
    size: () => index().size,
    about(subject) {
      const number = shardOf(subject, index().places.length);
      return tagsIn(number).includes(tagOf(subject)) ? shard(number) : none;
    },
    *entries() {
      for (const number of index().places.keys()) yield* shard(number);
    },
  };
}

function otherVersion(): Error {
  return new Error('no such shard: the saved state is of another version');
}

function shardOf(subject: string, count: number): number {
  return fnv(subject) & (count - 1);
}
