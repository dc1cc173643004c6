/**
 * A remote window with the extension Holdpoint Signer on the person's side: decisions are signed there, on a click. The
 * remote side (VS Code's server, the extension, agents) runs as another user of this machine where it has one.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { pick, questionShown, readAll, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost, root } from '../support/host.ts';
import { processesHolding } from '../support/memory.ts';
import { reviewShown, settled } from '../support/rfcForm.ts';
import { copyFolder } from '../support/scenario.ts';
import { giveTo, secondUserOfEditors } from '../support/secondUser.ts';
import type { SystemUser } from '../support/secondUser.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import type { EditorWindow } from '../support/window.ts';

/** How every Ed25519 private key begins, as PKCS #8 in base64. */
const privateKey = 'MC4CAQAwBQYDK2VwBCIEI';

/** What `remoteUser.ts` prints. */
interface Came {
  readonly outcome?: string;
  readonly others?: number;
  readonly readable?: readonly string[];
}

describe('A key on the person’s side of a remote window', () => {
  let workspace: TemporaryFolder | undefined;
  let editor: Editor | undefined;
  let window: EditorWindow;
  /** Of the remote side; undefined where it runs as this process does. */
  let user: SystemUser | undefined;
  let oneUser = '';
  before(async function () {
    const host = await findHost();
    // On a desktop, the person's side and the remote side need two machines.
    if (host.kind !== 'web') return this.skip();
    const second = secondUserOfEditors(host);
    if ('why' in second) oneUser = second.why;
    else user = second;
    workspace = await copyFolder(path.join(root, 'sample'));
    if (user) giveTo(user, path.dirname(workspace.folder));
    editor = await openEditor({ workspace: workspace.folder, uiExtension: path.join(root, 'companion'), user });
    window = editor.window;
    await extensionReady(window);
    await asAgent('work', 'register', '--id', 't-1', '--kind', 'task', '--title', 'API tokens');
    const held = ['--blocking-task-id', 't-1', '--holds', 'README.md'];
    await asAgent('question', 'create', '--text', 'JWT or sessions?', ...held, '--urgency', 'high');
    await showAnswerView(window);
  });
  after(async () => {
    await editor?.close();
    await workspace?.remove();
  });

  const shell = () => ({
    workspace: workspace!.folder,
    env: { ...editor!.env, HOLDPOINT_AGENT_ID: 'builder-001' },
    user,
  });

  async function asAgent(...verb: readonly string[]): Promise<string> {
    const { code, out, err } = await holdpoint(shell(), ...verb);
    assert.equal(code, 0, err);
    return out;
  }

  /** How the hook of a host on the remote side ends for an edit of the held file: 0 lets it happen, 2 denies it. */
  function hookOnEdit(): number | null {
    const { folder: cwd } = workspace!;
    const edit = { file_path: path.join(cwd, 'README.md'), old_string: 'a', new_string: 'b' };
    const call = { hook_event_name: 'PreToolUse', session_id: 's-1', cwd, tool_name: 'Edit', tool_input: edit };
    const hook = [path.join(root, 'dist', 'cli.cjs'), 'hook', 'claude-code', '--workspace', cwd];
    return spawnSync(process.execPath, hook, { cwd, env: editor!.env, input: JSON.stringify(call), ...user }).status;
  }

  /** What a program of the remote user comes to (`remoteUser.ts`). */
  function asRemoteUser(...args: readonly string[]): Came {
    const script = path.join(root, 'test', 'support', 'remoteUser.ts');
    const { folder: cwd } = workspace!;
    const out = execFileSync(process.execPath, [script, ...args], { cwd, env: editor!.env, encoding: 'utf8', ...user });
    return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Came;
  }

  it('Escape there decides nothing', async () => {
    const form = await questionShown(window);
    await form.locator('main[data-ready="true"]').waitFor();
    await readAll(form);
    await pick(form, { text: 'Sessions' });
    await form.locator('[data-focus="name"] input').fill('Ada Lovelace');
    await form.locator('[data-act="decide"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.locator('dd', { hasText: 'JWT or sessions?' }).waitFor();
    await page.locator('h1').click();
    await window.page.keyboard.press('Escape');
    await form.getByText('Not signed: nothing was decided.').waitFor();
    assert.match(await asAgent('question', 'list'), /Q-1/);
    assert.equal(hookOnEdit(), 2, 'the hook on the remote side denies');
  });

  it('a click there answers the question, and the agent goes on', async () => {
    const form = await questionShown(window);
    await readAll(form);
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.getByText('Sessions', { exact: true }).waitFor();
    await page.getByText('Signed as Ada Lovelace').waitFor();
    await window.screenshot('persons-side');
    await page.locator('#sign:enabled').click();
    await form.locator('.result').waitFor();
    assert.match(await asAgent('question', 'await', 'Q-1'), /answered by Ada Lovelace.*Sessions/);
    assert.equal(hookOnEdit(), 0, 'the hook on the remote side lets it happen');
    const there = await window.evaluate(
      async ({ vscode }) => vscode.commands.executeCommand<{ keyid: string }>('holdpointSigner.publicKey'),
      null,
    );
    assert.ok((await asAgent('audit', '--json')).includes(there.keyid));
  });

  it('a click there approves an RFC, whose whole text is shown there', async () => {
    const about = ['--title', 'Tokens for partners', '--summary', 'Partners get signed tokens.'];
    await asAgent('rfc', 'create', ...about, '--motivation', 'Passwords leave no trace.', '--submit');
    await window.command('Review RFC');
    const review = await reviewShown(window);
    await settled(review);
    await review.locator('[data-act="open-approve"]').click();
    await review.locator('#conditions').fill('Tokens expire.');
    await settled(review);
    await review.locator('[data-act="decide"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.getByText('Approve RFC-1').waitFor();
    const shown = await page.locator('main').innerText();
    for (const text of ['Tokens expire.', 'Partners get signed tokens.', 'Passwords leave no trace.'])
      assert.ok(shown.includes(text), `${text} in ${shown}`);
    await window.screenshot('persons-side-rfc');
    await page.locator('#sign:enabled').click();
    await review.locator('.decided-approved').waitFor();
    assert.match(await asAgent('rfc', 'show', 'RFC-1'), /[Aa]pproved.*Ada Lovelace/);
  });

  it('the set-up page says on which machine the key is', async () => {
    await window.command('Set Up Agents');
    const page = await window.webview('main[data-view="setup"]');
    await page.locator('[data-signing="theirs"]').getByText('on your machine', { exact: true }).waitFor();
    await window.screenshot('persons-side-setup');
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

  it('the remote side’s own user can neither read it where it is nor sign with another key', async function () {
    if (!user) {
      console.log(`Both sides ran as one user: ${oneUser}.`);
      return this.skip();
    }
    const uid = await window.evaluate(() => process.getuid?.(), undefined);
    assert.equal(uid, user.uid);
    // The browser, where the key is, is of this process's user.
    const memory = asRemoteUser('memory');
    assert.ok((memory.others ?? 0) > 1);
    assert.deepEqual(memory.readable, []);
    const profiles = asRemoteUser('profiles');
    assert.ok((profiles.others ?? 0) > 0, 'the browser has a profile');
    assert.deepEqual(profiles.readable, []);
    await asAgent('question', 'create', '--text', 'Delete the old table?');
    const signed = asRemoteUser('sign', workspace!.folder, 'Q-2');
    assert.equal(signed.outcome, 'refused', JSON.stringify(signed));
    assert.match(await asAgent('question', 'list'), /Q-2/);
  });

  it('does not protect the key ring there: a key that a program pins counts, until its person removes it', async function () {
    if (!user) return this.skip();
    assert.equal(asRemoteUser('pin', workspace!.folder, 'Q-2').outcome, 'decided');
    await window.command('Holdpoint: Manage Keys…');
    const form = await window.webview('main[data-view="keys"]');
    await form.getByText('The keys that count are listed on the remote machine').waitFor();
    await form.getByText('Holdpoint Signer signs on yours, where your key is.').waitFor();
    await form.locator('.notice-warning').waitFor();
    await window.screenshot('persons-side-keys');
    await form.locator('main[data-ready="true"] [data-act="take-out"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.getByText('Revoke the key of Ada Lovelace').waitFor();
    await page.locator('#sign:enabled').click();
    await form.locator('.notice-warning').waitFor({ state: 'detached' });
    assert.match(await asAgent('question', 'list'), /Q-2/, 'what it decided is open again');
  });

  it('a click there recovers a damaged journal', async () => {
    await truncate(path.join(workspace!.folder, '.holdpoint', 'journal', '00000001.jsonl'), 0);
    await showAnswerView(window);
    const form = await window.webview('main[data-view="recovery"][data-ready="true"]');
    await form.locator('[data-act="choose-startAnew"]').click();
    await form.locator('[data-focus="confirm"] input').fill('start over');
    await form.locator('main[data-ready="true"] [data-act="recover"]').click();
    const page = await window.webview('main[data-view="sign"]');
    await page.getByText('Start over with an empty journal').waitFor();
    await page.getByText('The remote machine says this about its journal').waitFor();
    await window.screenshot('persons-side-recovery');
    await page.locator('#sign:enabled').click();
    await window.webview('main[data-view="nothing"]');
    assert.match(await asAgent('audit'), /1 decision verified/);
  });
});
