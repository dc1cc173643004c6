/** How many pages of the running server one person has open. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { startServe, type Served } from './program.ts';
import { addPasskey, openStream, pagesOfSession, signIn } from './streams.ts';

describe('a person who goes from page to page', () => {
  let served: Served;
  let cookie: string;
  before(async () => {
    served = await startServe();
    await served.agent('question', 'create', '--text', 'Which colour?');
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    cookie = await signIn(served.origin, passkey);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const open = (): Promise<IncomingMessage> =>
    openStream(served.origin, { page: { id: randomUUID(), cookie, path: '/' }, number: 0, events: [] });

  it('sees each of them: those that were left make room', async () => {
    for (let page = 0; page < pagesOfSession + 10; page += 1) (await open()).destroy();
  });

  it('has only so many open at once', async () => {
    const all: IncomingMessage[] = [];
    for (let page = 0; page < pagesOfSession; page += 1) all.push(await open());
    await assert.rejects(open(), /429/);
    all.pop()?.destroy();
    await until('there is room again', async () => {
      const opened = await open().catch(() => null);
      if (opened) all.push(opened);
      return opened !== null;
    });
    for (const one of all) one.destroy();
  });
});
