/** Setting agents up in a real editor: the page writes what it showed, the canary proves it, an edited hook is noticed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { treeOf, type Tree } from '../support/tree.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';

describe('Setting agents up', function () {
  this.timeout(300_000);
  let workspace: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  let untouched: Tree;
  /** Git writes here what it is asked. */
  let trace = '';
  const settings = () => path.join(workspace.folder, '.claude', 'settings.local.json');

  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    untouched = filesOf(workspace.folder);
    trace = path.join(path.dirname(workspace.folder), 'git-trace');
    editor = await openEditor({ workspace: workspace.folder, env: { GIT_TRACE: trace } });
    window = editor.window;
    await extensionReady(window);
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });

  async function page(): Promise<Frame> {
    await window.command('Set Up Agents');
    return window.webview('main[data-view="setup"]');
  }

  const status = (words: string) => window.page.locator('.statusbar-item', { hasText: words });

  /** A canary starts programs: a busy machine takes its time. */
  const verdict = (frame: Frame, host: string, is: string) =>
    frame.locator(`[data-host="${host}"][data-verdict="${is}"]`).waitFor({ state: 'attached', timeout: 120_000 });

  async function click(frame: Frame, host: string, act: 'add' | 'remove'): Promise<void> {
    const part = frame.locator(`[data-host="${host}"]`);
    if (!(await part.isVisible())) await frame.locator('.others > summary').click();
    if ((await part.locator('[data-act="write"]').count()) === 0) await part.locator(`[data-act="${act}"]`).click();
    await part.locator('[data-act="write"]').click();
    await part.locator('[data-plan]').waitFor({ state: 'detached' });
  }

  it('Claude Code and VS Code: shown, written, and proved by a denied call', async () => {
    const frame = await page();
    // It has no other sign of itself in this home.
    await frame.locator('[data-host="vscode"]').getByText('In use here: this editor').waitFor();
    // One button writes all that were found here, which is this editor at least.
    if ((await frame.locator('[data-host="found"] [data-act="add"]').count()) > 0) await click(frame, 'found', 'add');
    for (const host of ['claude-code', 'vscode']) {
      if ((await frame.locator(`[data-host="${host}"][data-verdict="off"]`).count()) > 0 && host !== 'vscode')
        await click(frame, host, 'add');
      await verdict(frame, host, 'enforced');
    }
    await frame.locator('[data-host="vscode"]').getByText('An edit to a held file was denied in VS Code').waitFor();
    await status('Gate on').waitFor();
    await window.screenshot('setup-enforced');
    // Once for each check and each drawing, of which there are a dozen; not once for each host and button.
    const asked = (await readFile(trace, 'utf8')).match(/built-in: git rev-parse --show-toplevel .* hooks$/gm) ?? [];
    assert.ok(asked.length > 0 && asked.length < 60, String(asked.length));
    assert.deepEqual(window.webviewErrors, []);
  });

  it('the written command denies when its program is gone, and goes on when it is there and nothing is held', async () => {
    const { hooks } = JSON.parse(await readFile(settings(), 'utf8')) as {
      hooks: { PreToolUse: [{ hooks: [{ command: string }] }] };
    };
    const { command } = hooks.PreToolUse[0].hooks[0];
    const input = JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: workspace.folder,
      tool_name: 'Edit',
      tool_input: { file_path: path.join(workspace.folder, 'README.md'), old_string: 'a', new_string: 'b' },
    });
    const call = (line: string) => spawnSync('sh', ['-c', line], { input, env: editor.env, encoding: 'utf8' });
    const fine = call(command);
    assert.deepEqual([fine.status, fine.stderr], [0, '']);
    assert.equal(call(command.replace('/bin/holdpoint', '/bin/gone')).status, 2);
  });

  it('a hook that is edited by hand is noticed: on the page, in the status bar, and reported once', async () => {
    const text = await readFile(settings(), 'utf8');
    await writeFile(settings(), text.replace('exit 2; }', 'exit 0; }'));
    const frame = await page();
    await verdict(frame, 'claude-code', 'broken');
    await frame.locator('[data-host="claude-code"]').getByText('changed since setup').waitFor();
    const broken = status('Hook broken: Claude Code');
    await broken.waitFor();
    // Its tooltip, which readers of screens hear too, has a line for each host that is set up.
    const said = () =>
      broken.evaluate((item) =>
        [item, ...item.querySelectorAll('*')].map((part) => part.getAttribute('aria-label') ?? '').join('\n'),
      );
    await until('VS Code, enforced, in the tooltip', async () => (await said()).includes('VS Code: enforced'));
    assert.match(await said(), /Claude Code: broken\. .*settings\.local\.json changed since setup/);
    await window.page.getByText('Holdpoint may no longer be able to stop Claude Code').first().waitFor();
    await window.screenshot('setup-broken');
  });

  it('set right, it is enforced again; taken out, every byte is as it was', async () => {
    const frame = await page();
    if ((await frame.locator('[data-host="claude-code"][data-verdict="broken"]').count()) > 0)
      await click(frame, 'claude-code', 'add');
    if ((await frame.locator('[data-host="claude-code"][data-verdict="off"]').count()) === 0)
      await verdict(frame, 'claude-code', 'enforced');
    for (const host of ['claude-code', 'vscode']) {
      if ((await frame.locator(`[data-host="${host}"][data-verdict="off"]`).count()) === 0)
        await click(frame, host, 'remove');
      await verdict(frame, host, 'off');
    }
    assert.deepEqual(filesOf(workspace.folder), untouched);
    await status('Hook broken').waitFor({ state: 'detached' });
    await status('Set up agents').waitFor();
  });
});

/** Without what the store keeps for itself. */
function filesOf(folder: string): Tree {
  return Object.fromEntries(Object.entries(treeOf(folder)).filter(([file]) => !file.startsWith('.holdpoint')));
}
