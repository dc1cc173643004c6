/**
 * Compares the state that programs of this machine start from with the journal. The saved state is a file of the user,
 * and so is the record of its hash: a program of the same user can write both, and gates and hooks would believe them.
 * Only reading from the first line shows it.
 */
import { emptyState, type State } from '../../core/state/state.ts';
import type { Walk } from '../../store/journal/journalWalk.ts';
import { openLedger } from '../../store/journal/ledger.ts';
import { noAnchor, type SnapshotEntry } from '../../store/journal/stateFile.ts';
import { formatCurrent, loadState } from '../../store/saved/state.ts';
import { currentFile, stateIn, loadCurrent } from '../../store/saved/current.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Complete, so that a new part of the state is compared as well. */
const parts = Object.keys(emptyState()) as (keyof State)[];

export interface Comparison {
  readonly saved: SnapshotEntry;
  /** The part of the state that is not what the journal says; null where all of it is. */
  readonly differs: string | null;
}

/**
 * @param walk the whole journal, read from its first line
 * @returns null where no saved state is in use; undefined where the journal has grown since
 */
export function compareSavedState(workspace: Workspace, walk: Walk): Comparison | null | undefined {
  const { fs } = workspace.options;
  const { root } = workspace.location;
  const trust = createTrust(workspace.pins);
  const origin = loadState({ fs, root, stateFile: workspace.stateFile, trust });
  if (!origin || walk.fault) return null;
  const ledger = openLedger({ root, fs, trust, stateFile: noAnchor, origin });
  try {
    if (ledger.problem || ledger.position !== walk.position || ledger.head !== walk.head) return undefined;
    const differs = parts.find((name) => !isSame(ledger.state[name], walk.state[name]));
    return { saved: origin.entry, differs: differs ?? null };
  } finally {
    ledger.close();
  }
}

/** The part that gates and hooks read, compared with the state of this program: whether it is another one. */
export function isCurrentForged(workspace: Workspace): boolean {
  const { fs } = workspace.options;
  const keys = createTrust(workspace.pins).keys();
  const origin = loadCurrent({ fs, root: workspace.location.root, stateFile: workspace.stateFile, keys });
  const { state } = workspace.standing();
  if (!origin || !state || origin.head !== workspace.position()?.head) return false;
  const own = stateIn(formatCurrent(state));
  return parts.some((name) => !isSame(origin.state[name], own?.[name]));
}

/** What is wrong; null and undefined as above. */
export function savedStateFault(workspace: Workspace, walk: Walk): string | null | undefined {
  const found = compareSavedState(workspace, walk);
  if (found?.differs != null) return faultOf(`.holdpoint/${found.saved.name}.json`, found.differs);
  if (isCurrentForged(workspace)) return faultOf(`.holdpoint/${currentFile}`, 'what gates read of it');
  return found && null;
}

function faultOf(file: string, differs: string): string {
  return `The saved state that gates and hooks start from (${file}) is not what the journal says (${differs}), so another program wrote it. Stop all agents, delete the files .holdpoint/holdpoint-* and .holdpoint/${currentFile}, and audit again: the state is then read from the journal’s first line.`;
}

/** Whether both are written as the same JSON: in any order of members and keys, and without members that are undefined. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Set || other instanceof Set)
    return (
      one instanceof Set && other instanceof Set && one.size === other.size && [...one].every((item) => other.has(item))
    );
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  const [left, right] = [membersOf(one), membersOf(other)];
  return left.size === right.size && [...left].every(([key, member]) => isSame(member, right.get(key)));
}

function membersOf(value: object): ReadonlyMap<unknown, unknown> {
  if (value instanceof Map) return value;
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}
