/** Effects of records about passkeys: which of them meet a policy that asks for passkeys. */
import { passkeyFormat } from '../records/passkey.ts';
import type { PasskeyRecord } from '../records/passkey.ts';
import { hasFormat } from '../state/askForFormat.ts';
import type { Deciding, Effects } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';

export const passkeyEffects: Effects<PasskeyRecord['kind']> = {
  'key.passkeyAdded': (at, { keyid, name, passkey: { label, origin, rpId } }) => {
    const { state, change } = requireFormat(at);
    if (state.retiredKeys.has(keyid)) throw new Inadmissible('names a passkey that was given up');
    change.set(state.passkeys, keyid, { name, label, origin, rpId });
  },
  'key.passkeyRenamed': (at, { keyid, label }) => {
    const { state, change } = requireFormat(at);
    const known = state.passkeys.get(keyid);
    if (!known) throw new Inadmissible('renames a passkey that this workspace does not know');
    change.set(state.passkeys, keyid, { ...known, label });
  },
};

function requireFormat(at: Deciding): Deciding {
  if (!hasFormat(at.state, passkeyFormat))
    throw new Inadmissible(`asks for a workspace of format ${String(passkeyFormat)}`);
  return at;
}
