/** A remote window with the extension Holdpoint Signer on the person's side: decisions are signed there, on a click. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startAgent } from '../support/agent.ts';
import type { Agent } from '../support/agent.ts';
import { pick, questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost, root } from '../support/host.ts';
import { processesHolding } from '../support/memory.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import type { EditorWindow } from '../support/window.ts';

/** How every Ed25519 private key begins, as PKCS #8 in base64. */
const privateKey = 'MC4CAQAwBQYDK2VwBCIEI';

describe('A key on the person’s side of a remote window', () => {
  let workspace: TemporaryFolder | undefined;
  let editor: Editor | undefined;
  let window: EditorWindow;
  let agent: Agent | undefined;
  before(async function () {
    // On a desktop, the person's side and the remote side need two machines.
    if ((await findHost()).kind !== 'web') return this.skip();
    workspace = await copyFolder(path.join(root, 'sample'));
    editor = await openEditor({ workspace: workspace.folder, uiExtension: path.join(root, 'companion') });
    window = editor.window;
    await extensionReady(window);
    agent = startAgent({ workspace: workspace.folder, env: editor.env });
    await agent.register('t-1', 'API tokens');
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high' });
    await showAnswerView(window);
  });
  after(async () => {
    agent?.close();
    await editor?.close();
    await workspace?.remove();
  });

  const shell = () => ({ workspace: workspace!.folder, env: editor!.env });

  it('Escape there decides nothing', async () => {
    const form = await questionShown(window);
    await form.locator('main[data-ready="true"]').waitFor();
    await pick(form, { text: 'Sessions' });
    await form.locator('[data-focus="name"] input').fill('Ada Lovelace');
    await form.locator('[data-act="decide"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.locator('dd', { hasText: 'JWT or sessions?' }).waitFor();
    await page.locator('h1').click();
    await window.page.keyboard.press('Escape');
    await form.getByText('Not signed: nothing was decided.').waitFor();
    assert.match((await holdpoint(shell(), 'question', 'list')).out, /Q-1/);
  });

  it('a click there answers the question, and the agent goes on', async () => {
    const form = await questionShown(window);
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.getByText('Sessions', { exact: true }).waitFor();
    await page.getByText('Signed as Ada Lovelace').waitFor();
    await window.screenshot('persons-side');
    await page.locator('#sign:enabled').click();
    await form.locator('.result').waitFor();
    assert.match((await holdpoint(shell(), 'question', 'await', 'Q-1')).out, /answered by Ada Lovelace.*Sessions/);
    const there = await window.evaluate(
      async ({ vscode }) => vscode.commands.executeCommand<{ keyid: string }>('holdpointSigner.publicKey'),
      null,
    );
    const audit = await holdpoint(shell(), 'audit', '--json');
    assert.equal(audit.code, 0, audit.err);
    assert.ok(audit.out.includes(there.keyid));
  });

  it('refuses what is not what it says, without asking', async () => {
    const reply = await window.evaluate(async ({ vscode }) => {
      const { keyid } = await vscode.commands.executeCommand<{ keyid: string }>('holdpointSigner.publicKey');
      const items = [{ payload: {}, record: {}, shown: {} }];
      return vscode.commands.executeCommand<object>('holdpointSigner.sign', { v: 1, keyid, items });
    }, null);
    assert.equal((reply as { outcome: string }).outcome, 'refused');
  });

  it('the remote machine has the private key neither in a file nor in the memory of VS Code', function () {
    const folder = path.dirname(editor!.userData);
    const found = execFileSync('sh', ['-c', `grep -rlF ${privateKey} "$0" "$1" || true`, folder, workspace!.folder]);
    assert.equal(String(found), '');
    const looked = processesHolding(privateKey, editor!.env['HOME'] ?? '');
    if (looked === null) return this.skip(); // only Linux shows memory, and only to root or the processes' own user
    assert.ok(looked.all.length > 1, 'VS Code’s server and its extension host');
    assert.deepEqual(looked.holding, []);
  });
});
