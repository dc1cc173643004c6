/**
 * Decisions on keys. None makes a key count: keys count because they are pinned. Some end a key from that position on. In
 * a journal that a team shares, a record ends only the key that signs it: a root of the team ends others, in its ring.
 */
import type { KeyRecord } from '../records/key.ts';
import type { PasskeyRecord } from '../records/passkey.ts';
import type { Deciding } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { shownElsewhere, type Decisions } from './decision.ts';

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
