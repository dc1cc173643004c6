/**
 * Compares the state that programs of this machine start from with the journal. The saved state is a file of the user,
 * and so is the record of its hash: a program of the same user can write both, and gates and hooks would believe them.
 * Only reading from the first line shows it.
 */
import { isDeepStrictEqual } from 'node:util';
import { emptyState, type State } from '../../core/state/state.ts';
import { openLedger, type Walk, walkJournal } from '../../store/journal/ledger.ts';
import { journalPath } from '../../store/journal/files.ts';
import { openJournal } from '../../store/journal/openJournal.ts';
import { noAnchor, type SnapshotEntry } from '../../store/journal/stateFile.ts';
import { formatCurrent, loadState } from '../../store/saved/snapshot.ts';
import { currentFile, stateIn, loadCurrent } from '../../store/saved/current.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * The bytes of the journal; empty without one.
 * @throws Error when it cannot be read
 */
export function journalBytes(workspace: Workspace, from = 0): Buffer {
  const { fs } = workspace.options;
  const journal = openJournal(fs, journalPath(workspace.location.root));
  if (!journal) return Buffer.alloc(0);
  try {
    const size = journal.size();
    return typeof size === 'string' || size <= from ? Buffer.alloc(0) : journal.read(from, size);
  } finally {
    journal.close();
  }
}

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

/** Whether both are written as the same JSON, sets in any order. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(written(one), written(other));
}

function written(value: unknown): unknown {
  const plain = (_: string, member: unknown) => {
    if (member instanceof Map) return Object.fromEntries(member) as object;
    return member instanceof Set ? [...member].sort() : member;
  };
  return JSON.parse(JSON.stringify([value], plain));
}

/** Other programs can append while it reads. */
const triesAtMost = 5;

/** Null where there is nothing to compare. Takes seconds for a long journal: the editor does it in a thread. */
export function checkSavedState(workspace: Workspace): Comparison | null {
  const walk = walkJournal({ trust: createTrust(workspace.pins) });
  for (let tries = 0; tries < triesAtMost; tries++) {
    for (const lines = walk.follow(journalBytes(workspace, walk.scanned)); !lines.next().done;);
    const found = compareSavedState(workspace, walk);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * All programs that start from now on read the journal from its first line.
 * @throws Error when the disk refuses
 */
export function discardSavedState(workspace: Workspace): void {
  workspace.stateFile.forgetSnapshot();
  workspace.reopen();
}
