/** Decisions on the workspace: its policy, where its journal is kept, recovery, and work items that are deleted. */
import { shownPolicy } from '../question/question.ts';
import { hasPasskey } from '../state/quorum.ts';
import type { State } from '../state/state.ts';
import { decidedFirst, deletionOf, putWork, shownDeletion } from '../work/fold.ts';
import { shownElsewhere, type Decision, type Decisions } from './decision.ts';
import type { KeyRecord, PasskeyRecord } from '../records/key.ts';
import type { Deciding } from '../state/effect.ts';
import { Inadmissible } from '../state/change.ts';

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
        putWork(state, change, { ...one, status: 'deleted', updatedAt: at });
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

// Decisions on keys. None makes a key count: keys count because they are pinned. Some end a key from that position on. In
// a journal that a team shares, a record ends only the key that signs it: a root of the team ends others, in its ring.

/** @param ended the keys that it ends. @param by who must sign it; undefined for any key. @param remains is never ended */
function ofKey<R extends KeyRecord>(
  ended: (record: R) => readonly string[],
  by: (record: R) => string | undefined,
  remains: (record: R, signer: string) => string = ({ keyid }) => keyid,
) {
  return {
    ...shownElsewhere,
    apply({ state, change, payload: { at }, keyid: signer }: Deciding, record: R) {
      const [gone, expected = signer] = [ended(record), by(record)];
      if (expected !== signer) throw new Inadmissible('is signed by a key other than its subject', 'forgery');
      if (gone.includes(remains(record, signer))) throw new Inadmissible('would retire the key that must remain');
      if (state.shared && gone.some((keyid) => keyid !== signer))
        throw new Inadmissible('would end the key of another person, which only a root of the team can do', 'forgery');
      for (const keyid of gone) if (!state.retiredKeys.has(keyid)) change.set(state.retiredKeys, keyid, at);
    },
  };
}

const anyone = () => undefined;

export const keyDecisions: Decisions<KeyRecord['kind'] | PasskeyRecord['kind']> = {
  'key.enrolled': ofKey(
    () => [],
    ({ keyid }) => keyid,
  ),
  'key.trusted': ofKey(() => [], anyone),
  'key.lost': ofKey(
    ({ lost }) => lost.map(({ keyid }) => keyid),
    ({ keyid }) => keyid,
  ),
  'key.rotated': ofKey(
    ({ from }) => [from],
    ({ from }) => from,
  ),
  'key.retired': ofKey(
    ({ keyid }) => [keyid],
    anyone,
    (_, signer) => signer,
  ),
  'key.passkeyAdded': {
    ...shownElsewhere,
    problem: ({ retiredKeys }, { keyid }) => (retiredKeys.has(keyid) ? 'names a passkey that was given up' : null),
    apply({ state, change }, { keyid, name, passkey: { label, origin, rpId } }) {
      change.set(state.passkeys, keyid, { name, label, origin, rpId });
    },
  },
  'key.passkeyRenamed': {
    ...shownElsewhere,
    problem: ({ passkeys }, { keyid }) =>
      passkeys.has(keyid) ? null : 'renames a passkey that this workspace does not know',
    apply({ state, change }, { keyid, label }) {
      const known = state.passkeys.get(keyid);
      if (known) change.set(state.passkeys, keyid, { ...known, label });
    },
  },
};
