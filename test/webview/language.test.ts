/** Pages in another language: what the HTML of the editor's webviews and of the server has for their scripts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import '../support/editorApi.ts';
import { root } from '../support/host.ts';
import { documentRoutes } from '../../src/serve/routes/documents.ts';
import type { Served } from '../../src/serve/routes/session.ts';
import { createSessions } from '../../src/serve/security/sessions.ts';
import { program, runIn } from '../../src/ui/kit/program.ts';
import { launch } from './harness.ts';
import { boundary } from './hostPage.ts';
import { plain, snapshot } from './question/samples.ts';
import { themes } from './themes.ts';

const { webviewHtml } = await import('../../src/vscode/kit/pages.ts');
const assets = path.join(root, 'dist', 'webview');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
/** A translation may hold anything. */
const hostile = '</script><script>globalThis.ran = true</script>';
const french = {
  Answer: 'Répondre',
  'Your answer': `Votre réponse ${hostile}`,
  '{n} dependent item': '{n} élément dépendant',
  '{n} dependent items': '{n} éléments dépendants',
  'Open your inbox': `Ouvrir ${hostile}`,
};

function editorHtml(origin: string): string {
  const webview = {
    cspSource: origin,
    asWebviewUri: ({ fsPath }: vscode.Uri) => `${origin}/${path.basename(fsPath)}`,
  } as unknown as vscode.Webview;
  return webviewHtml(webview, { fsPath: root } as unknown as vscode.Uri, 'question', 'Holdpoint');
}

describe('a page in another language', () => {
  const english = program();
  let browser: Browser;
  let server: Server;
  let origin: string;
  let html: () => Promise<string> | string;
  let page: Page;

  before(async () => {
    runIn({ ...english, language: 'fr', texts: french });
    server = createServer((request, response) => {
      const name = path.basename(request.url ?? '');
      const type = types[path.extname(name)];
      if (type) response.writeHead(200, { 'content-type': type }).end(readFileSync(path.join(assets, name)));
      else if (name !== '') response.writeHead(404).end();
      else
        void Promise.resolve(html()).then((text) => response.writeHead(200, { 'content-type': 'text/html' }).end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    browser = await launch();
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  after(async () => {
    // Before other tests of this process, which expect English.
    runIn({ ...english, texts: {} });
    runIn(english);
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const ran = () => page.evaluate(() => 'ran' in globalThis);

  it('of the editor has its translations, with the plurals of that language', async () => {
    html = () => editorHtml(origin);
    await page.addInitScript(boundary, themes.dark);
    await page.goto(origin);
    for (const [count, words] of [
      [1, '1 élément dépendant'],
      [2_000, '2\u202f000 éléments dépendants'],
    ] as const) {
      const blocks = { ...plain().blocks, cascade: { count, named: [] } };
      await page.evaluate(
        (sent) => {
          window.postMessage(sent, '*');
        },
        snapshot(plain({ blocks })),
      );
      await page.getByText(words, { exact: true }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Répondre' }).waitFor();
    await page.getByText(`Votre réponse ${hostile}`).first().waitFor({ state: 'attached' });
    assert.equal(await ran(), false);
  });

  it('of the server has them too', async () => {
    html = async () => {
      const served = { assets, sessions: createSessions(() => 0), origin: () => origin } as unknown as Served;
      return (await documentRoutes(served).request('/')).text();
    };
    await page.goto(origin);
    await page.getByText(`Ouvrir ${hostile}`).waitFor();
    assert.equal(await ran(), false);
  });

  it('has nothing of the kind in English', () => {
    runIn({ ...english, texts: undefined });
    assert.doesNotMatch(editorHtml(origin), /id="texts"/);
  });
});
