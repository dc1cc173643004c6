/** Decisions on the workspace: its policy, where its journal is kept, recovery, and work items that are deleted. */
import * as z from 'zod';
import { shownPolicy } from '../question/question.ts';
import { hasPasskey } from '../state/quorum.ts';
import type { State } from '../state/state.ts';
import { decidedFirst, deletionOf, putWork, shownDeletion } from '../work/fold.ts';
import { defineDecision, shownElsewhere } from './decision.ts';
import {
  key,
  keyid,
  keyName,
  passkeyBinding,
  passkeyLabel,
  passkeyPublicKey,
  ringRoots,
  sharedName,
} from '../records/decision.ts';
import { policyMembers } from '../records/policy.ts';
import { sha256Hex, withoutUndefined, workId } from '../kit/fields.ts';
import { type Deciding, Inadmissible } from '../state/change.ts';

/** Nothing else changes with it: the policy's rules on people stay in force, so one signature is enough. */
const sharing = { ruled: false, attested: true, shown: shownSharing } as const;

const recovered = {
  ...shownElsewhere,
  apply({ state, change, payload }: Deciding) {
    change.assign(state, 'recovered', payload.at);
  },
};

export const workspaceDecisions = [
  /** What a record leaves out stays as it was. */
  defineDecision('policy.changed', policyMembers, {
    ruled: true,
    attested: true,
    shown: shownPolicy,
    problem: (state, { passkeys }) =>
      passkeys?.rules.length && !hasPasskey(state)
        ? 'add a passkey to this workspace first: this policy needs one'
        : null,
    apply({ state, change }, { kind: _, v: __, envelope: ___, ...changed }) {
      // What a record leaves out stays as it was.
      change.assign(state, 'policy', withoutUndefined({ ...state.policy, ...withoutUndefined(changed) }));
    },
  }),
  defineDecision('store.shared', () => ({ name: sharedName, roots: ringRoots }), {
    ...sharing,
    problem: ({ shared }) => shared && `the workspace is already shared as ${shared.name}`,
    apply({ state, change, payload: { by, at } }, { name, roots }) {
      change.assign(state, 'shared', { name, roots, at, by });
    },
  }),
  defineDecision('store.unshared', () => ({}), {
    ...sharing,
    problem: ({ shared }) => (shared ? null : 'the workspace is not shared'),
    apply({ state, change }) {
      change.assign(state, 'shared', null);
    },
  }),
  /** A damaged range of the journal that a human set aside; `resumes` is the `prev` of the line after it. */
  defineDecision(
    'journal.lineSetAside',
    () => ({ from: z.int().nonnegative(), to: z.int().positive(), bytesHash: sha256Hex, resumes: sha256Hex }),
    { ...shownElsewhere, apply: () => undefined },
  ),
  /** The editor's copy. `lost` counts the lines that the damaged journal had beyond it, -1 if unknown. */
  defineDecision('journal.restored', () => ({ lost: z.int().min(-1) }), recovered),
  defineDecision('journal.startedAnew', () => ({ formerWorkspace: z.uuid().nullable() }), recovered),
  /**
   * With everything in it, also while it is held or needed. What several people must decide keeps its work from being
   * deleted.
   */
  defineDecision('work.deleted', () => ({ id: workId }), {
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
  }),
] as const;

/** What a human is shown of the present sharing, and signs when changing it. */
export function shownSharing({ shared }: State): object {
  return { shared };
}

// Decisions on keys. None makes a key count: keys count because they are pinned. Some end a key from that position on. In
// a journal that a team shares, a record ends only the key that signs it: a root of the team ends others, in its ring.

interface KeyRules<R> {
  /** The keys that it ends. Default: none. */
  readonly ended?: (record: R) => readonly string[];
  /** The key that must sign it. Default: any. */
  readonly signer?: (record: R) => string;
  /** The key that is never ended. Default: its own. */
  readonly remains?: (record: R, signer: string) => string;
}

function ofKey<R extends { readonly keyid: string }>(rules: KeyRules<R>) {
  const { ended = () => [], signer: expected, remains = (record: R) => record.keyid } = rules;
  return {
    ...shownElsewhere,
    apply({ state, change, payload: { at }, keyid: signer }: Deciding, record: R) {
      const gone = ended(record);
      if (expected && expected(record) !== signer)
        throw new Inadmissible('is signed by a key other than its subject', 'forgery');
      if (gone.includes(remains(record, signer))) throw new Inadmissible('would retire the key that must remain');
      if (state.shared && gone.some((one) => one !== signer))
        throw new Inadmissible('would end the key of another person, which only a root of the team can do', 'forgery');
      for (const one of gone) if (!state.retiredKeys.has(one)) change.set(state.retiredKeys, one, at);
    },
  };
}

export const keyDecisions = [
  /** Allows another editor of the same human to sign. Signed by that editor's key. */
  defineDecision('key.enrolled', key, ofKey({ signer: (record) => record.keyid })),
  defineDecision('key.trusted', key, ofKey({})),
  /** Replaces keys whose private halves are lost. Signed by the new key, because no other is left. */
  defineDecision(
    'key.lost',
    () => ({
      ...key(),
      lost: z
        .array(z.object({ keyid, name: keyName }))
        .min(1)
        .max(100),
    }),
    ofKey({ ended: ({ lost }) => lost.map((one) => one.keyid), signer: (record) => record.keyid }),
  ),
  /** Replaces this editor's key. Signed by the old one, as its last act. */
  defineDecision(
    'key.rotated',
    () => ({ ...key(), from: keyid }),
    ofKey({ ended: ({ from }) => [from], signer: ({ from }) => from }),
  ),
  /** Revokes another human's key: earlier decisions stand, later ones are not valid. */
  defineDecision(
    'key.retired',
    () => ({ keyid, name: keyName }),
    ofKey({ ended: (record) => [record.keyid], remains: (_, signer) => signer }),
  ),
  /** Signed by a key of the same human; by a passkey where the policy asks for passkeys. */
  defineDecision(
    'key.passkeyAdded',
    () => ({ keyid, publicKey: passkeyPublicKey, name: keyName, passkey: passkeyBinding() }),
    {
      ...shownElsewhere,
      problem: ({ retiredKeys }, record) =>
        retiredKeys.has(record.keyid) ? 'names a passkey that was given up' : null,
      apply({ state, change }, { keyid: id, name, passkey: { label, origin, rpId } }) {
        change.set(state.passkeys, id, { name, label, origin, rpId });
      },
    },
  ),
  defineDecision('key.passkeyRenamed', () => ({ keyid, name: keyName, label: passkeyLabel }), {
    ...shownElsewhere,
    problem: ({ passkeys }, record) =>
      passkeys.has(record.keyid) ? null : 'renames a passkey that this workspace does not know',
    apply({ state, change }, { keyid: id, label }) {
      const known = state.passkeys.get(id);
      if (known) change.set(state.passkeys, id, { ...known, label });
    },
  }),
] as const;
