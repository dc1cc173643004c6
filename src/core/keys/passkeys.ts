/** Effects of records about passkeys: which of them meet a policy that asks for passkeys. */
import type { PasskeyRecord } from '../records/passkey.ts';
import type { Effects } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';

export const passkeyEffects: Effects<PasskeyRecord['kind']> = {
  'key.passkeyAdded': ({ state, change }, { keyid, name, passkey: { label, origin, rpId } }) => {
    if (state.retiredKeys.has(keyid)) throw new Inadmissible('names a passkey that was given up');
    change.set(state.passkeys, keyid, { name, label, origin, rpId });
  },
  'key.passkeyRenamed': ({ state, change }, { keyid, label }) => {
    const known = state.passkeys.get(keyid);
    if (!known) throw new Inadmissible('renames a passkey that this workspace does not know');
    change.set(state.passkeys, keyid, { ...known, label });
  },
};
