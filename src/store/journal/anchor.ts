/** The contents of a state file. */
import * as z from 'zod';
import { isBase64, isCount, isListOf, isRecordOf, isSha256, isUuid } from '../../core/kit/quickChecks.ts';
import { sha256Hex } from '../../core/kit/text.ts';
import { vouching } from '../../trust/vouching.ts';

const snapshotEntry = z.object({
  /** File name without extension. */
  name: z.string(),
  stateHash: sha256Hex,
  databaseHash: sha256Hex,
  position: z.int().positive(),
  head: sha256Hex,
  /** Offset of the line whose hash is `head`. */
  headAt: z.int().nonnegative(),
  /** Hash of the keys that counted when it was made (`Trust.keys`); with other keys, other decisions count. */
  keys: sha256Hex.optional(),
  vouched: vouching.optional(),
});
export type SnapshotEntry = z.infer<typeof snapshotEntry>;

/** `state.json`, which gates and hooks read. */
const currentEntry = snapshotEntry.pick({ stateHash: true, position: true, head: true, headAt: true, keys: true });
export type CurrentEntry = z.infer<typeof currentEntry>;

/**
 * A folder besides the root whose files belong to this store. The inode tells it from another folder at the same path.
 */
const knownWorktree = z.object({ path: z.string(), inode: z.number() });
export type KnownWorktree = z.infer<typeof knownWorktree>;

export const anchor = z.object({
  v: z.literal(1),
  root: z.string(),
  workspace: z.uuid(),
  /** Renewed by each recovery: observations of the journal before it no longer apply. */
  epoch: z.uuid().nullable().default(null),
  /** End of the last line known to count, and its hash. */
  position: z.int().nonnegative(),
  head: sha256Hex,
  snapshot: snapshotEntry.nullable().default(null),
  current: currentEntry.nullable().default(null),
  /** The latest that an editor signed: older than `snapshot` until it has compared that one, too. */
  vouched: snapshotEntry.nullable().default(null),
  worktrees: z.array(knownWorktree).default([]),
  /** Roots of former stores that a human's recovery here has replaced. */
  replaces: z.array(z.string()).default([]),
});
export type Anchor = z.infer<typeof anchor>;

/** @throws Error for text that is no anchor */
export function parseAnchor(text: string): Anchor {
  const found: unknown = JSON.parse(text);
  return isPlainAnchor(found) ? found : anchor.parse(found);
}

const ofAnchor = [
  'v',
  'root',
  'workspace',
  'epoch',
  'position',
  'head',
  'snapshot',
  'current',
  'vouched',
  'worktrees',
  'replaces',
];
const ofCurrent = ['stateHash', 'position', 'head', 'headAt'];
const ofSnapshot = ['name', 'databaseHash', ...ofCurrent];
const signatureAtMost = 200;

/** Recognizes the ordinary contents without the schema. */
export function isPlainAnchor(value: unknown): value is Anchor {
  return (
    isRecordOf(value, ofAnchor) &&
    value['v'] === 1 &&
    typeof value['root'] === 'string' &&
    isUuid(value['workspace']) &&
    (value['epoch'] === null || isUuid(value['epoch'])) &&
    isCount(value['position']) &&
    isSha256(value['head']) &&
    isSnapshot(value['snapshot']) &&
    isCurrentEntry(value['current']) &&
    isSnapshot(value['vouched']) &&
    isListOf(value['worktrees'], isWorktree) &&
    isListOf(value['replaces'], (root) => typeof root === 'string')
  );
}

function isCurrentEntry(value: unknown): boolean {
  return value === null || (isRecordOf(value, ofCurrent, ['keys']) && isPlaceOfState(value));
}

function isPlaceOfState(value: Readonly<Record<string, unknown>>): boolean {
  return (
    isSha256(value['stateHash']) &&
    isCount(value['position']) &&
    value['position'] > 0 &&
    isSha256(value['head']) &&
    isCount(value['headAt']) &&
    (value['keys'] === undefined || isSha256(value['keys']))
  );
}

function isSnapshot(value: unknown): boolean {
  if (value === null) return true;
  return (
    isRecordOf(value, ofSnapshot, ['keys', 'vouched']) &&
    typeof value['name'] === 'string' &&
    isSha256(value['databaseHash']) &&
    isPlaceOfState(value) &&
    (value['vouched'] === undefined || isVouching(value['vouched']))
  );
}

function isVouching(value: unknown): boolean {
  if (!isRecordOf(value, ['keyid', 'sig']) || !isSha256(value['keyid'])) return false;
  return isBase64(value['sig']) && value['sig'].length <= signatureAtMost;
}

function isWorktree(value: unknown): boolean {
  return (
    isRecordOf(value, ['path', 'inode']) && typeof value['path'] === 'string' && Number.isSafeInteger(value['inode'])
  );
}
