/** What a push service gets: a payload encrypted for one browser (RFC 8291), and who sends it (VAPID, RFC 8292). */
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import type { PushSubscription, Vapid } from '../app/waiting/pushFile.ts';

const curve = 'prime256v1';
const recordSize = 4_096;
/** Of the token; services accept at most 24 hours. Seconds. */
const validSeconds = 12 * 3_600;

export function makeVapid(): Vapid {
  const pair = createECDH(curve);
  const publicKey = pair.generateKeys('base64url');
  return { publicKey, privateKey: padded(pair.getPrivateKey()).toString('base64url') };
}

/** @throws Error for keys that are not points of the curve */
export function encrypted({ keys }: Pick<PushSubscription, 'keys'>, payload: string): Uint8Array<ArrayBuffer> {
  const receiver = Buffer.from(keys.p256dh, 'base64url');
  const pair = createECDH(curve);
  const sender = pair.generateKeys();
  const salt = randomBytes(16);
  const shared = pair.computeSecret(receiver);
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const secret = derive(shared, { salt: Buffer.from(keys.auth, 'base64url'), about, length: 32 });
  const key = derive(secret, { salt, about: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = derive(secret, { salt, about: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 ends the last record.
  const content = Buffer.concat([cipher.update(`${payload}\u0002`, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return new Uint8Array(Buffer.concat([salt, size, Buffer.of(sender.length), sender, content]));
}

/** The header `Authorization`. @param now milliseconds */
export function authorization({ endpoint, origin }: PushSubscription, vapid: Vapid, now: number): string {
  const point = Buffer.from(vapid.publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: vapid.privateKey },
    format: 'jwk',
  });
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + validSeconds, sub: origin };
  const token = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(token), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${token}.${signature}, k=${vapid.publicKey}`;
}

interface Derived {
  readonly salt: Uint8Array;
  readonly about: Uint8Array;
  readonly length: number;
}

function derive(secret: Uint8Array, { salt, about, length }: Derived): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, about, length));
}

/** OpenSSL leaves out leading zeros. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
}
