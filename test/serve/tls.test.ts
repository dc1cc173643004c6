/** The running server beyond this machine: with its own certificate, and behind a proxy that has TLS. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { hasOpenssl, makeCertificates } from '../support/certificates.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { cookieOf, send } from './attacks.ts';
import { startServe, type Served } from './program.ts';

const origin = 'https://holdpoint.test';

describe('beyond this machine, the server', () => {
  let place: TemporaryFolder;
  let served: Served | undefined;
  let proxy: Server | undefined;
  const file = (name: string) => path.join(place.folder, name);
  const trusted = (port: number) => ({ port, ca: readFileSync(file('ca.pem'), 'utf8') });

  before(async function () {
    if (!hasOpenssl()) this.skip();
    place = await temporaryFolder();
    makeCertificates(place.folder, 'holdpoint.test');
  });
  afterEach(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    proxy = undefined;
    await served?.stop();
    served = undefined;
  });
  after(async () => {
    removeSandboxes();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  /** Opens a session as a browser does, and reads with it. */
  async function checkSession(tls: { readonly port: number; readonly ca: string }, code: string): Promise<void> {
    const headers = { origin, 'content-type': 'application/json' };
    const opened = await send(origin, {
      method: 'POST',
      path: '/session',
      headers,
      body: JSON.stringify({ code }),
      tls,
    });
    assert.equal(opened.status, 200);
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    assert.match(cookie, /^__Host-holdpoint-443=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const read = await send(origin, { path: '/session', headers: { cookie: cookieOf(opened) }, tls });
    assert.deepEqual([read.status, read.body], [200, '{"reads":true,"passkey":false}']);
    assert.match(String(read.headers['strict-transport-security']), /max-age=31536000/);
    for (const host of ['evil.example', '127.0.0.1', `localhost:${String(tls.port)}`, 'holdpoint.test:8443'])
      assert.equal((await send(origin, { path: '/', headers: { host }, tls })).status, 421, host);
    const foreign = { origin: 'https://evil.example', 'content-type': 'application/json', cookie: cookieOf(opened) };
    const forged = await send(origin, { method: 'POST', path: '/session/end', headers: foreign, body: '{}', tls });
    assert.equal(forged.status, 403);
  }

  it('has TLS with a certificate of its own', async () => {
    const tls = ['--tls-cert', file('server.pem'), '--tls-key', file('server.key')];
    served = await startServe(undefined, ['--listen', '0.0.0.0', '--port', '0', '--origin', origin, ...tls]);
    assert.equal(served.origin, origin);
    await checkSession(trusted(served.port), served.code);
    const other = { port: served.port, ca: readFileSync(file('other.pem'), 'utf8') };
    await assert.rejects(send(origin, { path: '/', tls: other }), /certificate|signature/);
    // Without TLS there is no answer.
    await assert.rejects(send(`http://127.0.0.1:${String(served.port)}`, { path: '/' }));
  });

  it('works behind a proxy that has TLS and passes the host on', async () => {
    served = await startServe(undefined, ['--port', '0', '--origin', origin, '--behind-proxy']);
    const behind = served.port;
    const keys = { cert: readFileSync(file('server.pem')), key: readFileSync(file('server.key')) };
    proxy = createServer(keys, (asked, answer) => {
      const { method, url: at, headers } = asked;
      const passed = request({ host: '127.0.0.1', port: behind, method, path: at, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve));
    await checkSession(trusted((proxy.address() as AddressInfo).port), served.code);
  });
});
