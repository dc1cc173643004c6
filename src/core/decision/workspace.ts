/** Decisions on the workspace: its policy, where its journal is kept, recovery, and work items that are deleted. */
import { shownPolicy } from '../question/question.ts';
import { hasPasskey } from '../state/quorum.ts';
import type { State } from '../state/state.ts';
import { decidedFirst, deletionOf, shownDeletion } from '../work/deletion.ts';
import { shownElsewhere, type Decision, type Decisions } from './decision.ts';

type Recovery = 'journal.lineSetAside' | 'journal.restored' | 'journal.startedAnew';

/** Nothing else changes with it: the policy's rules on people stay in force, so one signature is enough. */
const sharing = { ruled: false, attested: true, shown: shownSharing } as const;

const recovered: Decision<'journal.restored' | 'journal.startedAnew'> = {
  ...shownElsewhere,
  apply({ state, change, payload }) {
    change.assign(state, 'recovered', payload.at);
  },
};

export const workspaceDecisions: Decisions<
  'policy.changed' | 'store.shared' | 'store.unshared' | 'work.deleted' | Recovery
> = {
  'policy.changed': {
    ruled: true,
    attested: true,
    shown: shownPolicy,
    problem: (state, { passkeys }) =>
      passkeys?.rules.length && !hasPasskey(state)
        ? 'add a passkey to this workspace first: this policy needs one'
        : null,
    apply({ state, change }, { kind: _, v: __, envelope: ___, ...changed }) {
      change.assign(state, 'policy', withoutUndefined({ ...state.policy, ...withoutUndefined(changed) }));
    },
  },
  'store.shared': {
    ...sharing,
    problem: ({ shared }) => shared && `the workspace is already shared as ${shared.name}`,
    apply({ state, change, payload: { by, at } }, { name, roots }) {
      change.assign(state, 'shared', { name, roots, at, by });
    },
  },
  'store.unshared': {
    ...sharing,
    problem: ({ shared }) => (shared ? null : 'the workspace is not shared'),
    apply({ state, change }) {
      change.assign(state, 'shared', null);
    },
  },
  'journal.lineSetAside': { ...shownElsewhere, apply: () => undefined },
  'journal.restored': recovered,
  'journal.startedAnew': recovered,
  /** With everything in it. What several people must decide keeps its work from being deleted. */
  'work.deleted': {
    ruled: false,
    attested: false,
    shown(state, { id }) {
      const deletion = deletionOf(state, id);
      return deletion && shownDeletion(deletion);
    },
    problem(state, { id }) {
      const deletion = deletionOf(state, id);
      if (deletion === null) return `work item ${id} is not registered, or was deleted`;
      const first = decidedFirst(state, deletion);
      return first && `${first.id} holds ${id}, and takes more than one person's signature`;
    },
    apply({ state, change, payload: { at } }, { id }) {
      const { item, parts = [] } = deletionOf(state, id) ?? {};
      for (const one of item ? [item, ...parts] : [])
        change.set(state.work, one.id, { ...one, status: 'deleted', updatedAt: at });
    },
  },
};

/** What a human is shown of the present sharing, and signs when changing it. */
export function shownSharing({ shared }: State): object {
  return { shared };
}

/** What a record leaves out stays as it was. */
function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
