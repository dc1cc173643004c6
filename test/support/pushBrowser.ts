/** A browser that gets Web Push, and the push service of its maker, on loopback. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** RFC 8291: the browser's half. */
export function makePushBrowser() {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): unknown {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + 65)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
      const derive = (secret: Uint8Array, salted: Uint8Array, about: Uint8Array, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salted, about, length));
      const secret = derive(keys.computeSecret(sender), auth, info, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16));
      const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]).toString('utf8');
      return JSON.parse(text.slice(0, text.lastIndexOf('\u0002')));
    },
  };
}

export interface Pushed {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PushService {
  readonly pushed: Pushed[];
  /** The HTTP status of its answers. */
  answer: number;
  endpointOf(name: string): string;
  close(): void;
}

export async function startPushService(): Promise<PushService> {
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      service.pushed.push({ headers: request.headers, body });
      response.writeHead(service.answer).end();
    });
  });
  const service: PushService = {
    pushed: [],
    answer: 201,
    endpointOf: (name) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/${name}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return service;
}
