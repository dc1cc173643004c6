import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { keyId } from '../../../src/trust/envelope.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { formatPublicKey, parsePublicKeys } from '../../../src/trust/publicKeys.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { makeHuman } from '../../support/store/people.ts';
import { isOnlyMore } from '../../../src/app/workspace/keyRing.ts';

const ada = makeHuman('Ada Lovelace').pin;

const grace = makeHuman('Grace').pin;

const since = '1970-01-01T00:00:00.000Z';

const adaWithTime = { ...ada, enrolledAt: since };

const pem = (type: 'ed25519' | 'rsa') => {
  const { publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return {
    text: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    base64: der.toString('base64'),
    keyid: keyId(der),
  };
};

describe('public keys in text form', () => {
  it('take one line each, with the name on the same line', () => {
    assert.equal(formatPublicKey(ada), `${ada.publicKey} Ada Lovelace`);
    assert.equal(formatPublicKey({ ...ada, name: 'Ada \n\t Lovelace' }), `${ada.publicKey} Ada Lovelace`);
  });

  it('can be read from lines with comments, empty lines and any line ending', () => {
    const text = `# ours\r\n\r\n  ${formatPublicKey(ada)}  \r\n   # theirs\n${grace.publicKey}\tGrace\n`;
    assert.deepEqual(parsePublicKeys(text), [adaWithTime, { ...grace, enrolledAt: since }]);
  });

  it('of passkeys keep where they sign, and what their human calls them', () => {
    const readBack = (label: string) => parsePublicKeys(formatPublicKey(makePasskey('Ada Lovelace', { label }).pin))[0];
    for (const label of ['Ada’s phone', 'label=x y', '100 %', 'Ada Lovelace']) {
      const { name, passkey } = readBack(label) ?? {};
      assert.deepEqual([name, passkey?.label, passkey?.origin], ['Ada Lovelace', label, 'http://localhost:4747']);
    }
  });

  it('of passkeys are named after their owner where the line has no name of their own', () => {
    const { pin } = makePasskey('Ada', { label: 'Phone' });
    const [, ...words] = formatPublicKey(pin).split(' ');
    const line = `passkey ${words.filter((word) => !word.startsWith('label=')).join(' ')}`;
    assert.equal(parsePublicKeys(line)[0]?.passkey?.label, 'Ada');
    for (const label of ['%', '%0A', 'x'.repeat(101)])
      assert.throws(() => parsePublicKeys(line.replace(/Ada$/, `label=${label} Ada`)), /is not a passkey/, label);
  });

  it('get the beginning of their hash as a name when they have none', () => {
    const [key] = parsePublicKeys(ada.publicKey);
    assert.deepEqual(key, { ...adaWithTime, name: ada.keyid.slice(0, 16) });
  });

  it('can be read from PEM, several at once, with any text around them', () => {
    const [first, second] = [pem('ed25519'), pem('ed25519')];
    const found = parsePublicKeys(`Ours:\n${first.text}\nand\n${second.text}`);
    assert.deepEqual(
      found.map(({ keyid, publicKey, name, enrolledAt }) => [keyid, publicKey, name, enrolledAt]),
      [first, second].map(({ keyid, base64 }) => [keyid, base64, 'key', since]),
    );
  });

  it('can be read from a keyring, also after white space', () => {
    assert.deepEqual(parsePublicKeys(`\n  ${formatKeyring([ada, grace])}`), [ada, grace]);
  });

  it('are all refused when one is invalid, and the error quotes its first 40 characters', () => {
    const rsa = pem('rsa');
    const long = `no-key-at-all ${'x'.repeat(60)}`;
    const none = 'is not an Ed25519 public key (SPKI as base64 or PEM)';
    const cases: readonly (readonly [text: string, said: string])[] = [
      [`${formatPublicKey(ada)}\n${long}`, `"${long.slice(0, 40)}" ${none}`],
      [rsa.base64, `"${rsa.base64.slice(0, 40)}" ${none}`],
      [rsa.text, `"${rsa.text.slice(0, 40)}" ${none}`],
      [`x ${ada.publicKey}`, `"${`x ${ada.publicKey}`.slice(0, 40)}" ${none}`],
      ['', 'there is no key in it'],
      ['# only a remark\n \n', 'there is no key in it'],
    ];
    for (const [text, message] of cases) assert.throws(() => parsePublicKeys(text), { message }, text);
    assert.throws(() => parsePublicKeys('{"v":1}'), 'an invalid keyring');
  });
});

describe('keys that were only added', () => {
  const { pin } = makePasskey();

  it('change no verified decision; another label is nothing else', () => {
    const renamed = { ...pin, passkey: { ...pin.passkey, label: 'Old phone' } };
    assert.ok(isOnlyMore([pin], [renamed, makePasskey().pin]));
  });

  for (const [what, passkey] of [
    ['a passkey of another site', { ...pin.passkey, origin: 'http://localhost:9' }],
    ['a passkey of another domain', { ...pin.passkey, rpId: 'example.org' }],
    ['a key that is no longer a passkey', undefined],
  ] as const)
    it(`are not ${what}`, () => {
      assert.equal(isOnlyMore([pin], [{ ...pin, passkey }]), false);
    });
});
