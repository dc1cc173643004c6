/** Effects of records about the workspace and its journal. */
import { Inadmissible } from '../state/inadmissible.ts';
import { shownPolicy } from '../question/question.ts';
import { interruptionsFormat } from '../records/interruptions.ts';
import { passkeyFormat } from '../records/passkey.ts';
import { hasPasskey } from './passkey.ts';
import { peopleFormat, segmentFormat } from '../records/format.ts';
import { maxSeals } from '../records/records.ts';
import type { RecordOf } from '../records/records.ts';
import { sharingFormat } from '../records/sharing.ts';
import { hasFormat } from '../state/askForFormat.ts';
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
    change.assign(state, 'workspace', {
      id,
      minReader: Math.max(minReader, record.minReader),
      minWriter: Math.max(minWriter, record.minWriter),
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

/** Refused while an older program may be open that would read on past the seal. */
function sealSegment({ state, change, line }: Folding): void {
  if (inWorkspace(state).minReader < segmentFormat)
    throw new Inadmissible(`asks for a workspace of format ${String(segmentFormat)}`);
  if (state.seals.at(-1) === line.end) throw new Inadmissible('the segment already ends here');
  if (state.seals.length >= maxSeals) throw new Inadmissible('the journal has reached its maximum number of files');
  change.push(state.seals, line.end);
}

function changePolicy({ state, change, trust, payload }: Deciding, record: RecordOf<'policy.changed'>): void {
  if (payload.shown !== trust.hash(shownPolicy(state)))
    throw new Inadmissible('the policy has changed since it was shown', 'forgery');
  const unknown =
    (record.lease !== undefined && !hasFormat(state, sharingFormat)) ||
    (record.quorum !== undefined && !hasFormat(state, peopleFormat)) ||
    (record.passkeys !== undefined && !hasFormat(state, passkeyFormat)) ||
    (record.interruptions !== undefined && !hasFormat(state, interruptionsFormat));
  if (record.passkeys?.rules.length && !hasPasskey(state))
    throw new Inadmissible('asks for passkeys, and this workspace has none');
  if (unknown) throw new Inadmissible('the workspace has not asked for programs that know of it', 'forgery');
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
