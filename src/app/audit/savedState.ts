/**
 * Compares the state that programs of this machine start from with the journal. The saved state is a file of the user,
 * and so is the record of its hash: a program of the same user can write both, and gates and hooks would believe them.
 * Only reading from the first line shows it.
 */
import type { State } from '../../core/state/state.ts';
import type { Walk } from '../../store/journal/journalWalk.ts';
import { openLedger } from '../../store/journal/ledger.ts';
import { noAnchor } from '../../store/journal/stateFile.ts';
import type { SnapshotEntry } from '../../store/journal/stateFile.ts';
import { errorCode } from '../../store/journal/files.ts';
import { SavedStateGone } from '../../store/journal/problem.ts';
import { isConsistent, loadState } from '../../store/saved/state.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Whether a part is compared. Complete, so that a new part of the state does not compile until this is decided. */
const isCompared: Readonly<Record<keyof State, boolean>> = {
  workspace: true,
  recovered: true,
  shared: true,
  policy: true,
  work: true,
  // How much of the questions is loaded: no part of what the journal says.
  unread: false,
  questions: true,
  undecided: true,
  rfcs: true,
  stopped: true,
  holders: true,
  refused: true,
  heldFiles: true,
  pendingKeys: true,
  openTexts: true,
  latestByText: true,
  events: true,
  criticalWarnings: true,
  proposals: true,
  recentMutations: true,
  agents: true,
  imports: true,
  approvals: true,
  nonces: true,
  retiredKeys: true,
  passkeys: true,
  places: true,
  refusals: true,
  seals: true,
  starts: true,
  responsibilities: true,
  requests: true,
  settledRequests: true,
  requestKeys: true,
  bundles: true,
};

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
  if (!origin) return null;
  try {
    if (walk.fault) return null;
    const isTrue = isTrueToItself(workspace, origin);
    if (isTrue !== true) return isTrue === null ? undefined : { saved: origin.entry, differs: 'what gates read of it' };
    const ledger = openLedger({ root, fs, trust, stateFile: noAnchor, origin });
    try {
      if (ledger.problem || ledger.position !== walk.position || ledger.head !== walk.head) return undefined;
      const parts = Object.keys(isCompared) as (keyof State)[];
      const differs = parts.find((name) => isCompared[name] && !isSame(ledger.state[name], walk.state[name]));
      return { saved: origin.entry, differs: differs ?? null };
    } finally {
      ledger.close();
    }
  } finally {
    origin.close();
  }
}

/** Whether gates, which read little of it, find what is in all of it. Null where it was replaced meanwhile. */
function isTrueToItself({ options: { fs }, location: { root } }: Workspace, { entry, state }: Saved): boolean | null {
  try {
    return isConsistent({ fs, root }, entry, state);
  } catch (error) {
    if (error instanceof SavedStateGone || errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

type Saved = NonNullable<ReturnType<typeof loadState>>;

/** What is wrong; null and undefined as above. */
export function savedStateFault(workspace: Workspace, walk: Walk): string | null | undefined {
  const found = compareSavedState(workspace, walk);
  if (!found) return found;
  const { saved, differs } = found;
  return differs === null
    ? null
    : `The saved state that gates and hooks start from (.holdpoint/${saved.name}.json) is not what the journal says (${differs}), so another program wrote it. Stop all agents, delete the files .holdpoint/holdpoint-* and audit again: the state is then read from the journal’s first line.`;
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
