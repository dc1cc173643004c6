/** Effects of records about the workspace and its journal. */
import { Inadmissible } from '../state/inadmissible.ts';
import { format, lastOfDevelopment } from '../records/format.ts';
import { noEffect, type Effects } from '../state/effect.ts';
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
  'segment.sealed': ({ state, change, line }) => {
    change.assign(state, 'sealed', line.end);
  },
  'agent.registered': ({ state, change, line }, { id, type, host, label }) => {
    change.set(state.agents, id, { id, type, host, label, worktree: line.actor.worktree ?? null });
  },
  'gate.decidedOffline': noEffect,
};

export function inWorkspace(state: State) {
  if (!state.workspace) throw new Inadmissible('the journal does not begin with its workspace');
  return state.workspace;
}
