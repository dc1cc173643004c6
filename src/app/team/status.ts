/** Whether this machine's copy of a shared journal is current, and what is known of its team without asking anybody. */
import { messageOf } from '../../store/journal/problem.ts';
import { freshnessOf, freshnessProblem } from '../workspace/freshness.ts';
import { readSharedFile, type SharedFile, readSharedRing, rootNames } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { IgnoredRow } from '../../trust/ringRecords.ts';
import { agentsSettings, onServer } from './servers.ts';

export interface TeamStatus {
  /** `local`: the journal is this machine's own. */
  readonly state: 'local' | 'current' | 'offline' | 'unknown';
  /** When the server last confirmed this machine's copy, unless that was just now. */
  readonly since: string | null;
  /** On the server. */
  readonly name: string | null;
  readonly workspace: string | null;
  /** Ends of the journal, in bytes; null where not known. */
  readonly position: { readonly here: number | null; readonly server: number | null };
  /** Null where the key ring is not usable: then no decision is valid. */
  readonly ring: {
    readonly records: number;
    readonly roots: readonly string[];
    /** Rows without effect that the server has in its ring: the first ones. */
    readonly ignored: readonly IgnoredRow[];
  } | null;
  readonly problem: string | null;
}

const confirmMs = 10_000;

/** Asks the server, and works without it. Never rejects for a server that is away. */
export async function teamStatus(workspace: Workspace): Promise<TeamStatus> {
  const nothing = { since: null, name: null, workspace: null, position: { here: null, server: null }, ring: null };
  let shared: SharedFile | null;
  try {
    shared = readSharedFile(workspace.options.fs, workspace.stateFile.path);
  } catch (error) {
    return { ...nothing, state: 'unknown', problem: messageOf(error) };
  }
  if (!shared) {
    const { state, problem } = workspace.standing();
    const name = state?.shared?.name ?? null;
    const isUnknown = problem !== null || name !== null;
    return { ...nothing, name, state: isUnknown ? 'unknown' : 'local', problem: problem?.message ?? null };
  }
  await workspace.confirm(confirmMs);
  const there = await askServer(workspace, shared);
  const found = freshnessOf(workspace);
  const { problem } = workspace.standing();
  return {
    // Without a login, the copy may be as old as the last confirmation, however recent that is.
    state: problem || (there.problem !== null && found.state === 'current') ? 'unknown' : found.state,
    since: 'since' in found ? found.since : null,
    name: shared.name,
    workspace: shared.workspace,
    position: { here: endHere(workspace), server: there.size },
    ring: ringOf(workspace, shared),
    problem: problem?.message ?? there.problem ?? freshnessProblem(workspace, found)?.message ?? null,
  };
}

/** Offset of the next line, as the server counts: after the line feed of the last one. */
function endHere(workspace: Workspace): number | null {
  const { state } = workspace.standing();
  const { position } = workspace.position() ?? {};
  if (!state || position === undefined) return null;
  return position === 0 || state.sealed === position ? position : position + 1;
}

async function askServer(
  workspace: Workspace,
  { workspace: id }: SharedFile,
): Promise<{ readonly size: number | null; readonly problem: string | null }> {
  try {
    const all = await onServer(agentsSettings(workspace), (server) => server.workspaces());
    const size = all.find((each) => each.id === id)?.size ?? null;
    const problem = size === null ? "this machine's agents are no longer a member of this workspace" : null;
    return { size, problem };
  } catch (error) {
    return { size: null, problem: messageOf(error) };
  }
}

function ringOf({ options, stateFile }: Workspace, shared: SharedFile): TeamStatus['ring'] {
  try {
    const { records, ignored, ...ring } = readSharedRing(options.fs, stateFile.path, shared);
    return { records: records.length, roots: rootNames(ring), ignored };
  } catch {
    return null;
  }
}
