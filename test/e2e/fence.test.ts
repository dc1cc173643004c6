/** While files are held they are read-only for programs, and a human edits and saves them in the editor as always. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { answerAsHuman, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost, root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { giveTo, secondUserOfEditors } from '../support/secondUser.ts';
import type { SystemUser } from '../support/secondUser.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';

describe('The fence of held files', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  /** Modes stop no program of root. */
  let user: SystemUser | undefined;
  let file: string;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    file = path.join(workspace.folder, 'src', 'auth.js');
    chmodSync(file, 0o640);
    const second = secondUserOfEditors(await findHost());
    if (!('why' in second)) {
      user = second;
      giveTo(second, path.dirname(workspace.folder));
    }
    editor = await openEditor({ workspace: workspace.folder, user });
    window = editor.window;
    await extensionReady(window);
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });

  const mode = () => (statSync(file).mode & 0o7777).toString(8);

  async function asAgent(...verb: readonly string[]): Promise<string> {
    const env = { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' };
    const { code, out, err } = await holdpoint({ workspace: workspace.folder, env, user }, ...verb);
    assert.equal(code, 0, err);
    return out;
  }

  /** A program that writes into the file as it is, such as a formatter. */
  function format() {
    const script = `require('node:fs').appendFileSync(${JSON.stringify(file)}, '// formatted\\n')`;
    return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', ...user });
  }

  it('is set by the signed policy, and stops a program that writes into a held file', async () => {
    await window.command('Edit Policy…');
    const form = await window.webview('main[data-view="policy"]');
    await form.getByText('They are read-only', { exact: true }).click();
    await form.locator('[data-focus="name"] input').fill('Ada Lovelace');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('.second-step').getByText('They are read-only').waitFor();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    await asAgent(
      'work',
      'register',
      '--id',
      't-1',
      '--kind',
      'task',
      '--title',
      'API tokens',
      '--holds',
      'src/auth.js',
    );
    await asAgent('question', 'create', '--text', 'JWT or sessions?', '--blocking-task-id', 't-1');
    assert.equal(mode(), '440');
    if (user !== undefined || process.getuid?.() !== 0) assert.match(format().stderr, /EACCES/);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /formatted/);
  });

  it('lets the human type and save, without a question, and is set again', async () => {
    await window.evaluate(
      async ({ vscode }, name) => vscode.window.showTextDocument(vscode.Uri.file(name), { preview: false }),
      file,
    );
    for (const text of ['// by Ada', '// once more']) {
      await window.page.locator('.editor-instance .view-lines').click();
      await window.page.keyboard.press('Control+Home');
      await window.page.keyboard.type(`${text}\n`);
      await window.command('File: Save');
      await until(`${text} is saved`, () => readFileSync(file, 'utf8').includes(text));
      await until(`the fence is set again after ${text}`, () => mode() === '440');
    }
    await window.screenshot('fence-saved');
    assert.equal(await window.page.locator('.notification-toast').filter({ hasText: 'auth.js' }).count(), 0);
    assert.equal(await window.page.locator('.tab.dirty').count(), 0);
  });

  it('restores the file with one command, and is set again', async () => {
    assert.match(await asAgent('restore', 'src/auth.js'), /Restored src\/auth\.js/);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /by Ada/);
    assert.equal(mode(), '440');
  });

  it('ends with the answer, and the file has exactly its mode', async () => {
    await showAnswerView(window);
    await selectInTree(window, 'JWT or sessions?');
    await answerAsHuman(await questionShown(window), { text: 'Sessions' });
    await until('the mode is as before', () => mode() === '640');
    assert.equal(format().status, 0);
    assert.match(readFileSync(file, 'utf8'), /formatted/);
    assert.deepEqual(window.webviewErrors, []);
  });
});
