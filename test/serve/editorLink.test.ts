/** The editor recognizes the built server, and no other program on its port. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { listenerAt } from '../../src/vscode/settings/browserAsking.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { post } from './attacks.ts';
import { startServe, type Served } from './program.ts';

const portOf = ({ origin }: Served) => Number(new URL(origin).port);

describe('the editor', () => {
  let served: Served;
  before(async () => {
    served = await startServe();
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  /** A program of an agent on a free port, which answers the editor. */
  async function other(listener: RequestListener, run: (port: number) => Promise<void>): Promise<void> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await run((server.address() as AddressInfo).port);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const secretOf = (sandbox: Sandbox, port: number) =>
    path.join(sandbox.open().userFolder, `serving-${String(port)}.json`);

  it('recognizes the server, and learns whose folder it shows', async () => {
    const workspace = served.sandbox.open();
    const found = await listenerAt(workspace, 'look', portOf(served));
    assert.deepEqual(found, { folder: workspace.location.root, byEditor: false });
  });

  it('gets a one-time code that opens a session', async () => {
    const found = await listenerAt(served.sandbox.open(), 'code', portOf(served));
    assert.ok(typeof found === 'object' && found.code !== undefined);
    assert.equal((await post(served.origin, '/session', { code: found.code })).status, 200);
    assert.equal((await post(served.origin, '/session', { code: found.code })).status, 403);
  });

  it('takes a program without the secret for another one, whatever it answers', async () => {
    const sandbox = served.sandbox;
    const reply = { folder: sandbox.open().location.root, byEditor: true, proof: 'A'.repeat(43) };
    const answers: RequestListener[] = [
      (_, response) => response.end('Hello'),
      (_, response) => response.end(JSON.stringify(reply)),
      (_, response) => response.end('x'.repeat(100_000)),
      (request) => request.socket.destroy(),
    ];
    for (const answer of answers)
      await other(answer, async (port) => {
        assert.equal(await listenerAt(sandbox.open(), 'look', port), 'other');
        // Even where a server had the port before, and left its secret.
        writeFileSync(secretOf(sandbox, port), readFileSync(secretOf(sandbox, portOf(served))));
        assert.equal(await listenerAt(sandbox.open(), 'look', port), 'other');
      });
  });

  it('takes a program that passes everything on to the server for another one', async () => {
    const { sandbox, origin } = served;
    const relay: RequestListener = (request, response) => {
      const body: Buffer[] = [];
      request.on('data', (data: Buffer) => body.push(data));
      request.on('end', () => {
        void post(origin, '/editor', JSON.parse(Buffer.concat(body).toString('utf8'))).then(({ body: answer }) =>
          response.end(answer),
        );
      });
    };
    await other(relay, async (port) => {
      writeFileSync(secretOf(sandbox, port), readFileSync(secretOf(sandbox, portOf(served))));
      assert.equal(await listenerAt(sandbox.open(), 'code', port), 'other');
    });
  });

  it('finds nothing on a free port, and after it has ended the server', async () => {
    const own = await startServe(makeSandbox(), ['--port', '0']);
    const workspace = own.sandbox.open();
    const ended = await listenerAt(workspace, 'end', portOf(own));
    assert.equal(typeof ended, 'object', 'the server proves itself as it ends');
    await until('the port is free', async () => (await listenerAt(workspace, 'look', portOf(own))) === 'free');
    await own.stop();
  });

  it('asks only a program that proves itself for a code, or to end', async () => {
    const asks: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      void json(request).then((asked) => {
        asks.push((asked as { ask: string }).ask);
        response.end('{}');
      });
    };
    await other(listener, async (port) => {
      for (const ask of ['code', 'end'] as const)
        assert.equal(await listenerAt(served.sandbox.open(), ask, port), 'other');
    });
    assert.deepEqual(asks, ['look', 'look']);
  });
});

describe('the server', () => {
  after(removeSandboxes);

  it('gives a program without its secret neither a code nor its end', async () => {
    const served = await startServe();
    const nonce = 'n'.repeat(32);
    for (const ask of ['code', 'end', 'look'])
      assert.equal((await post(served.origin, '/editor', { ask, nonce, proof: 'A'.repeat(43) })).status, 403);
    assert.equal((await post(served.origin, '/editor', { ask: 'code' })).status, 400);
    assert.equal((await post(served.origin, '/session', { code: served.code })).status, 200, 'it still runs');
    await served.stop();
  });
});
