/** Acts on the keys that count on the remote machine. That a key's id is that of its public half is checked before. */
import * as z from 'zod';
import { fingerprintOf } from '../../trust/publicKeys.ts';
import { list, main, shows } from './kind.ts';
import type { Decision, Kind, NotHere, Row, Show, Translator } from './kind.ts';

const text = z.string();
/** The keys of the form, as id, name and when it was given up; then the key that is pasted. */
const ringModel = z.tuple([z.array(z.tuple([text, text, text.nullable()])), z.tuple([text, text]).nullable()]);
type Ring = z.infer<typeof ringModel>;
type KeyAct = Extract<Kind, `key.${string}`>;

function onKey<R extends Decision<KeyAct>>(
  title: (record: R, l10n: Translator) => string,
  effect: (record: R, l10n: Translator) => readonly Row[],
): Show<R> {
  return shows<R, Ring>({
    model: ringModel,
    fits: ({ record, content: [, pasted] }) => pasted === null || pasted[0] === record.keyid,
    describe: ({ record, content: [keys] }, l10n) => ({
      title: title(record, l10n),
      rows: [
        main(l10n.t('Name'), record.name),
        main(l10n.t('Fingerprint of the key'), fingerprintOf(record.keyid)),
        ...effect(record, l10n),
        { label: l10n.t('Keys that count there'), text: ringWords(keys, l10n) },
      ],
    }),
  });
}

function ringWords(keys: Ring[0], l10n: Translator): string {
  const now = keys.filter(([, , ended]) => ended === null);
  return now.length === 0 ? l10n.t('none') : list(now.map(([keyid, name]) => `${name}: ${fingerprintOf(keyid)}`));
}

const oneKey: NotHere = {
  instead:
    'Holdpoint Signer has one key. To replace it, run "Holdpoint Signer: Make a New Key…", then revoke the old one in the form that asks for your name',
};

export const shownKeyActs = {
  'key.enrolled': onKey<Decision<'key.enrolled'>>(
    (_, l10n) => l10n.t('Add this key as yours'),
    (_, l10n) => [main(l10n.t('Effect'), l10n.t('Its decisions count there.'))],
  ),
  'key.lost': onKey<Decision<'key.lost'>>(
    (_, l10n) => l10n.t('Replace lost keys by this one'),
    ({ lost }, l10n) => [
      main(l10n.t('Revoked'), list(lost.map(({ keyid, name }) => `${name}: ${fingerprintOf(keyid)}`))),
    ],
  ),
  'key.trusted': onKey<Decision<'key.trusted'>>(
    ({ name }, l10n) => l10n.t('Trust the key of {0}', name),
    (_, l10n) => [main(l10n.t('Effect'), l10n.t('Its decisions count there.'))],
  ),
  'key.retired': onKey<Decision<'key.retired'>>(
    ({ name }, l10n) => l10n.t('Revoke the key of {0}', name),
    (_, l10n) => [main(l10n.t('Effect'), l10n.t('It signs nothing from now on.'))],
  ),
  'key.rotated': oneKey,
  'key.passkeyAdded': onKey<Decision<'key.passkeyAdded'>>(
    ({ passkey }, l10n) => l10n.t('Add the passkey {0}', passkey.label),
    ({ passkey }, l10n) => [main(l10n.t('It signs at'), passkey.origin)],
  ),
  'key.passkeyRenamed': onKey<Decision<'key.passkeyRenamed'>>(
    ({ label }, l10n) => l10n.t('Name the passkey {0}', label),
    () => [],
  ),
};
