/** The real Claude Code asks, parks and ends; a human answers in a real VS Code, which starts it again in a terminal. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { answerAsHuman, openAdvanced, questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { start } from '../support/processes.ts';
import { resumables, type Model } from '../support/resumable.ts';
import { copyFolder } from '../support/scenario.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';

describe('A parked Claude Code', () => {
  const claude = resumables['claude-code'];
  let workspace: TemporaryFolder;
  let bin: TemporaryFolder;
  let model: Model;
  let editor: Editor | undefined;

  before(async function () {
    this.timeout(600_000);
    const found = await claude.find();
    if ('missing' in found || process.platform === 'win32') {
      console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
      this.skip();
    }
    workspace = await copyFolder(path.join(root, 'sample'));
    bin = await temporaryFolder();
    await writeFile(path.join(bin.folder, 'claude'), `#!/bin/sh\nexec '${found.program}' "$@"\n`, { mode: 0o755 });
    model = await claude.model([
      {
        name: claude.tool('holdpoint_raise_question'),
        input: { text: 'JWT or sessions?', background: 'Both work.', wait_seconds: 0 },
      },
      {
        name: claude.tool('holdpoint_park_question'),
        input: { id: 'Q-1', doing: 'Writing the login.', next: 'Add the tokens.' },
      },
    ]);
    const PATH = [bin.folder, process.env['PATH'] ?? ''].join(path.delimiter);
    editor = await openEditor({ workspace: workspace.folder, env: { ...claude.env(model.url), PATH } });
    const { env, window } = editor;
    await extensionReady(window);
    // The editor takes its PATH from a login shell.
    await window.evaluate((_, folders) => {
      process.env['PATH'] = folders;
    }, PATH);
    await mkdir(env['HOME'] ?? '', { recursive: true });
    await claude.prepare(env['HOME'] ?? '', workspace.folder, model.url);
    const setup = await holdpoint({ workspace: workspace.folder, env }, 'setup', '--host', 'claude-code');
    assert.equal(setup.code, 0, setup.err);
    const first = start(path.join(bin.folder, 'claude'), claude.args('Add a login.'), { cwd: workspace.folder, env });
    assert.equal(await first.exited, 0, first.output());
    assert.match(model.results().at(-1) ?? '', /Q-1 is parked/, first.output());
  });
  after(async () => {
    await editor?.close();
    await (model as Model | undefined)?.close();
    for (const left of [workspace, bin]) await (left as TemporaryFolder | undefined)?.remove();
  });

  const shown = async (): Promise<Frame> => {
    await showAnswerView(editor!.window);
    return questionShown(editor!.window);
  };

  it('shows the command before the answer, and starts it only with a policy', async () => {
    const { window } = editor!;
    const before = (await shown()).locator('[data-part="resume"]');
    await before.getByText('After answering, you can start it again in a terminal:').waitFor();
    assert.match((await before.locator('pre').textContent()) ?? '', /claude --resume=[0-9a-f-]{36} -- "Holdpoint: /);
    await window.command('Holdpoint: Edit Rules…');
    const form = await window.webview('main[data-view="policy"]');
    await openAdvanced(form);
    await form.locator('[data-focus=resume-claude-code]').check();
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    const after = (await shown()).locator('[data-part="resume"]');
    await after.getByText('Answering starts it again in a terminal:').waitFor();
  });

  function assertDelivered(first: readonly string[]): void {
    const said = first.join('\n');
    for (const part of [/You were doing: Writing the login\./g, /Q-1 answered by Ada Lovelace.*"Sessions, please\."/g])
      assert.equal(said.match(part)?.length, 1, `${String(part)}: ${said}`);
    assert.match(said, /Add a login\.[^]*Holdpoint: a human has decided Q-1/);
  }

  it('goes on after the answer, with brief and answer in its first message, once', async () => {
    const turns = model.prompts().length;
    await answerAsHuman(await shown(), { text: 'Sessions, please.' });
    await until('it goes on', () => model.prompts().length > turns);
    assertDelivered(model.prompts()[turns] ?? []);
    const resume = (await shown()).locator('[data-part="resume"]');
    await resume.getByText('in the terminal Holdpoint: claude-code-001').waitFor();
    assert.match((await resume.locator('pre').textContent()) ?? '', /claude --resume=/);
  });

  it('is started again by a click once its terminal is closed', async () => {
    const { window } = editor!;
    await window.evaluate(({ vscode }) => {
      for (const terminal of vscode.window.terminals) terminal.dispose();
    }, undefined);
    const form = await shown();
    const turns = model.prompts().length;
    await form.locator('[data-act="resume"]').getByText('Resume again').click();
    await until('it goes on', () => model.prompts().length > turns);
  });
});
