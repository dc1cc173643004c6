/** The contents of a state file. */
import { isBase64, isCount, isListOf, isMap, isOneOf, isSha256, isString, isUuid } from '../../core/kit/quickChecks.ts';
import type { SavedPlace } from '../../core/records/decision.ts';

/** `state.json`, which gates and hooks read. */
export interface CurrentEntry {
  readonly stateHash: string;
  readonly position: number;
  readonly head: string;
  /** Offset of the line whose hash is `head`. */
  readonly headAt: number;
  /** Hash of the keys that were trusted when it was made (`Trust.keys`); with other keys, other decisions are valid. */
  readonly keys?: string | undefined;
}

export interface SnapshotEntry extends CurrentEntry {
  /** File name without extension. */
  readonly name: string;
  readonly databaseHash: string;
  readonly vouched?: SavedPlace['vouched'];
}

/**
 * A folder besides the root whose files belong to this store. The inode tells it from another folder at the same path.
 */
export interface KnownWorktree {
  readonly path: string;
  readonly inode: number;
}

export interface Anchor {
  readonly v: 1;
  readonly root: string;
  readonly workspace: string;
  /** Renewed by each recovery: observations of the journal before it no longer apply. */
  readonly epoch: string | null;
  /** End of the last line known to be valid, and its hash. */
  readonly position: number;
  readonly head: string;
  readonly snapshot: SnapshotEntry | null;
  readonly current: CurrentEntry | null;
  /** The latest that an editor signed: older than `snapshot` until it has compared that one, too. */
  readonly vouched: SnapshotEntry | null;
  readonly worktrees: readonly KnownWorktree[];
  /** Roots of former stores that a human's recovery here has replaced. */
  readonly replaces: readonly string[];
}

const signatureAtMost = 200;

const placeOfState = {
  stateHash: isSha256,
  position: (value: unknown) => isCount(value) && value > 0,
  head: isSha256,
  headAt: isCount,
};
const isCurrentEntry = isMap(placeOfState, { keys: isSha256 });
const isVouching = isMap({
  keyid: isSha256,
  sig: (value) => isBase64(value) && value.length <= signatureAtMost,
});
const isSnapshot = isMap(
  { ...placeOfState, name: isString, databaseHash: isSha256 },
  { keys: isSha256, vouched: isVouching },
);
const isWorktree = isMap({ path: isString, inode: (value) => Number.isSafeInteger(value) });

const isAnchor = isMap({
  v: isOneOf(1),
  root: isString,
  workspace: isUuid,
  epoch: (value) => value === null || isUuid(value),
  position: isCount,
  head: isSha256,
  snapshot: (value) => value === null || isSnapshot(value),
  current: (value) => value === null || isCurrentEntry(value),
  vouched: (value) => value === null || isSnapshot(value),
  worktrees: (value) => isListOf(value, isWorktree),
  replaces: (value) => isListOf(value, isString),
});

/** @throws Error for text that is not an anchor */
export function parseAnchor(text: string): Anchor {
  const found: unknown = JSON.parse(text);
  if (!isAnchor(found)) throw new Error('a state file has other contents');
  return found as Anchor;
}
