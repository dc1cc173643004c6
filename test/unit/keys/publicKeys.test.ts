import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { keyId } from '../../../src/trust/envelope.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { formatPublicKey, parsePublicKeys } from '../../../src/trust/publicKeys.ts';
import { makeHuman } from '../../support/store/people.ts';

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

describe('public keys as people hand them on', () => {
  it('are a line each, with a name that stays on it', () => {
    assert.equal(formatPublicKey(ada), `${ada.publicKey} Ada Lovelace`);
    assert.equal(formatPublicKey({ ...ada, name: 'Ada \n\t Lovelace' }), `${ada.publicKey} Ada Lovelace`);
  });

  it('are read from lines, with remarks, empty lines and any ends of lines', () => {
    const text = `# ours\r\n\r\n  ${formatPublicKey(ada)}  \r\n   # theirs\n${grace.publicKey}\tGrace\n`;
    assert.deepEqual(parsePublicKeys(text), [adaWithTime, { ...grace, enrolledAt: since }]);
  });

  it('without a name are called by the beginning of their hash', () => {
    const [key] = parsePublicKeys(ada.publicKey);
    assert.deepEqual(key, { ...adaWithTime, name: ada.keyid.slice(0, 16) });
  });

  it('are read from PEM, several of them, whatever stands around', () => {
    const [first, second] = [pem('ed25519'), pem('ed25519')];
    const found = parsePublicKeys(`Ours:\n${first.text}\nand\n${second.text}`);
    assert.deepEqual(
      found.map(({ keyid, publicKey, name, enrolledAt }) => [keyid, publicKey, name, enrolledAt]),
      [first, second].map(({ keyid, base64 }) => [keyid, base64, 'key', since]),
    );
  });

  it('are read from a key ring, as it is, after white space too', () => {
    assert.deepEqual(parsePublicKeys(`\n  ${formatKeyring([ada, grace])}`), [ada, grace]);
  });

  it('are refused whole when one is none, which is named by its first 40 characters', () => {
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
    assert.throws(() => parsePublicKeys('{"v":1}'), 'a key ring that is none');
  });
});
