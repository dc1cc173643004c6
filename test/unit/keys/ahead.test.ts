import assert from 'node:assert/strict';
import type { Envelope } from '../../../src/core/records/parts.ts';
import { verifyAhead } from '../../../src/app/audit/audit.ts';
import { createTrust, payloadType, preAuthEncoding } from '../../../src/trust/envelope.ts';
import { noon, workspaceId } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';

const ada = makeHuman('Ada');
const bob = makeHuman('Bob');

function payloadOf(subject: string): Buffer {
  const hash = '0'.repeat(64);
  const nonce = '00000000-0000-4000-8000-000000000000';
  const bound = { workspace: workspaceId, action: 'question.answered', subject, nonce, position: 0, head: hash };
  return Buffer.from(JSON.stringify({ v: 1, ...bound, shown: hash, recordHash: hash, at: noon, by: 'Ada' }));
}

/** An envelope that claims to be Ada's. */
function envelopeBy(signer: typeof ada, subject: string): Envelope {
  const payload = payloadOf(subject);
  const sig = Buffer.from(signer.sign(preAuthEncoding(payloadType, payload))).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: ada.keyid, sig }] };
}

const sigOf = ({ signatures }: Envelope) => signatures[0]?.sig ?? '';
const bytesOf = (...envelopes: readonly object[]) => Buffer.from(JSON.stringify(envelopes));

describe('signatures verified ahead', () => {
  const good = envelopeBy(ada, 'Q-1');
  const sig = sigOf(good);
  const signed = preAuthEncoding(payloadType, payloadOf('Q-1'));
  const key = ada.pin.publicKey;

  it('are known once, for exactly their key, content and text', async () => {
    const ahead = verifyAhead([ada.pin, bob.pin]);
    assert.equal(ahead.isGenuine(key, signed, sig), false, 'not yet');
    await ahead.start(bytesOf(good));
    assert.equal(ahead.isGenuine(bob.pin.publicKey, signed, sig), false);
    assert.equal(ahead.isGenuine(key, preAuthEncoding(payloadType, payloadOf('Q-2')), sig), false);
    assert.equal(ahead.isGenuine(key, signed, `${sig} `), false);
    assert.equal(ahead.isGenuine(key, signed, sig), true);
    assert.equal(ahead.isGenuine(key, signed, sig), false, 'not kept');
  });

  it('are none of other keys, of a passkey, or cut off', async () => {
    const forged = envelopeBy(bob, 'Q-1');
    const isKnown = async (bytes: Buffer, keys = [ada.pin], envelope = good) => {
      const ahead = verifyAhead(keys);
      await ahead.start(bytes);
      return ahead.isGenuine(key, signed, sigOf(envelope));
    };
    assert.equal(await isKnown(bytesOf(good)), true);
    assert.equal(await isKnown(bytesOf(forged), [ada.pin, bob.pin], forged), false);
    assert.equal(await isKnown(bytesOf(good), [bob.pin]), false);
    const passkey = { credentialId: 'AA', label: 'Phone', origin: 'https://localhost', rpId: 'localhost' } as const;
    assert.equal(await isKnown(bytesOf(good), [{ ...ada.pin, passkey }]), false);
    assert.equal(await isKnown(bytesOf(good).subarray(0, -10)), false);
  });

  it('change no verdict', async () => {
    const ahead = verifyAhead([ada.pin]);
    const all = [good, envelopeBy(bob, 'Q-2'), { ...good, payload: payloadOf('Q-3').toString('base64') }];
    await ahead.start(bytesOf(...all));
    const pins = () => [ada.pin];
    const [plain, quick] = [createTrust(pins), createTrust(pins, undefined, ahead.isGenuine)];
    for (const envelope of [...all, ...all]) assert.deepEqual(quick.verify(envelope), plain.verify(envelope));
    assert.deepEqual(
      all.map((envelope) => 'payload' in plain.verify(envelope)),
      [true, false, false],
    );
  });
});
