/** Effects of records about the workspace and its journal. */
import { Inadmissible } from '../state/inadmissible.ts';
import { format, lastOfDevelopment } from '../records/format.ts';
import { maxSeals } from '../records/records.ts';
import { noEffect, type Effects, type Folding } from '../state/effect.ts';
import type { State } from '../state/state.ts';

export const journalEffects: Effects<
  'workspace.created' | 'format.changed' | 'segment.sealed' | 'agent.registered' | 'gate.decidedOffline'
> = {
  'workspace.created': ({ state, change }, { workspace: id, minReader, minWriter }) => {
    if (state.workspace) throw new Inadmissible('the workspace already exists');
    change.assign(state, 'workspace', { id, minReader, minWriter });
  },
  'format.changed': ({ state, change }, record) => {
    const { id, minReader, minWriter } = inWorkspace(state);
    const asked = (one: number) => (one <= lastOfDevelopment ? format.current : one);
    change.assign(state, 'workspace', {
      id,
      minReader: Math.max(minReader, asked(record.minReader)),
      minWriter: Math.max(minWriter, asked(record.minWriter)),
    });
  },
  'segment.sealed': sealSegment,
  'agent.registered': ({ state, change, line }, { id, type, host, label }) => {
    change.set(state.agents, id, { id, type, host, label, worktree: line.actor.worktree ?? null });
  },
  'gate.decidedOffline': noEffect,
};

export function inWorkspace(state: State) {
  if (!state.workspace) throw new Inadmissible('the journal does not begin with its workspace');
  return state.workspace;
}

function sealSegment({ state, change, line }: Folding): void {
  if (state.seals.at(-1) === line.end) throw new Inadmissible('the segment already ends here');
  if (state.seals.length >= maxSeals) throw new Inadmissible('the journal has reached its maximum number of files');
  change.push(state.seals, line.end);
}
