/**
 * Verifies signatures in Node's threads before their lines are read, so that an audit uses more than one processor
 * core. What is found here saves time and decides nothing: a result counts only for exactly the same key, content and
 * signature, and everything else is verified when it is read.
 */
import { verify } from 'node:crypto';
import { preAuthEncoding, payloadType, publicKeyOf, type Genuine } from './envelope.ts';
import type { PinnedKey } from './keyring.ts';

export interface Ahead {
  readonly isGenuine: Genuine;
  /** Verifies the signatures in some bytes of a journal. Results of earlier bytes are kept until they are asked for. */
  start(bytes: Buffer): Promise<void>;
}

/** As lines are written. Text in any other form is not verified ahead. */
const envelope =
  /"payload":"([A-Za-z0-9+/=]+)","signatures":\[\{"keyid":"([0-9a-f]{64})","sig":"([A-Za-z0-9+/=]{88})"/g;

export function verifyAhead(keys: readonly PinnedKey[]): Ahead {
  const pinned = new Map(keys.map((pin) => [pin.keyid, { pin, key: pin.passkey ? null : publicKeyOf(pin) }]));
  const genuine = new Map<string, { publicKey: string; signed: Uint8Array }>();

  async function check(payload: string, keyid: string, sig: string): Promise<void> {
    const { pin, key } = pinned.get(keyid) ?? {};
    if (!pin || !key) return;
    const signed = preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
    const isGenuine = await new Promise<boolean>((done) => {
      verify(null, signed, key, Buffer.from(sig, 'base64'), (error, result) => {
        done(!error && result);
      });
    });
    if (isGenuine) genuine.set(sig, { publicKey: pin.publicKey, signed });
  }

  return {
    isGenuine(publicKey, signed, sig) {
      const known = genuine.get(sig);
      return known?.publicKey === publicKey && Buffer.compare(known.signed, signed) === 0 && genuine.delete(sig);
    },
    async start(bytes) {
      const text = bytes.toString('latin1');
      await Promise.all(
        Array.from(text.matchAll(envelope), ([, payload = '', keyid = '', sig = '']) => check(payload, keyid, sig)),
      );
    },
  };
}
