/** Effects of records about the workspace and its journal. */
import { Inadmissible } from '../state/inadmissible.ts';
import { shownPolicy } from '../question/question.ts';
import { hasPasskey } from './passkey.ts';
import { format, lastOfDevelopment } from '../records/format.ts';
import { maxSeals } from '../records/records.ts';
import type { RecordOf } from '../records/records.ts';
import { noEffect } from '../state/effect.ts';
import type { Deciding, Effects, Folding } from '../state/effect.ts';
import type { State } from '../state/state.ts';

export const journalEffects: Effects<
  | 'workspace.created'
  | 'format.changed'
  | 'segment.sealed'
  | 'agent.registered'
  | 'policy.changed'
  | 'journal.lineSetAside'
  | 'gate.decidedOffline'
  | 'journal.restored'
  | 'journal.startedAnew'
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
  'policy.changed': changePolicy,
  'journal.lineSetAside': noEffect,
  'gate.decidedOffline': noEffect,
  'journal.restored': recover,
  'journal.startedAnew': recover,
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

function changePolicy({ state, change, trust, payload }: Deciding, record: RecordOf<'policy.changed'>): void {
  if (payload.shown !== trust.hash(shownPolicy(state)))
    throw new Inadmissible('the policy has changed since it was shown', 'forgery');
  if (record.passkeys?.rules.length && !hasPasskey(state))
    throw new Inadmissible('asks for passkeys, and this workspace has none');
  const { kind: _, v: __, envelope: ___, ...changed } = record;
  change.assign(state, 'policy', withoutUndefined({ ...state.policy, ...withoutUndefined(changed) }));
}

/** What a record leaves out stays as it was. */
function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

function recover({ state, change, payload }: Deciding): void {
  change.assign(state, 'recovered', payload.at);
}
