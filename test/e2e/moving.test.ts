/** Import and export from the editor: what is asked on the way, and that all of it, or nothing, is there afterwards. */
import assert from 'node:assert/strict';
import { access, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { listImported } from '../../src/app/transfer/imported.ts';
import { startAgent, type Agent } from '../support/agent.ts';
import { questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { notificationShown } from '../support/notices.ts';
import { codeframeTarget, engram, writeDatabase } from '../support/store/foreign.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';

/** So many that a hand is quicker. */
const many = 50_000;

describe('Moving in and out, in the editor', () => {
  let folder: TemporaryFolder;
  let workspace: string;
  let editor: Editor;
  let agent: Agent;
  const at = (name: string) => path.join(folder.folder, name);
  before(async () => {
    folder = await temporaryFolder();
    workspace = at('shop');
    await mkdir(workspace);
    await writeDatabase(at('blockers.db'), codeframeTarget);
    await writeDatabase(at('many.db'), (db) => {
      db.run(engram(4));
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${String(many)})
         INSERT INTO events (id, timestamp, event_type, agent_id, content)
         SELECT 'evt-m' || i, '2026-02-01T10:00:00Z', 'discovery', 'claude-code', 'Discovery ' || i FROM n`,
      );
    });
    // The dialogs for files that VS Code draws itself, also on a desktop that has others.
    editor = await openEditor({ workspace, settings: { 'files.simpleDialog.enable': true } });
    agent = startAgent({ workspace, env: editor.env });
    await agent.register('t-1', 'API tokens');
    await extensionReady(editor.window);
  });
  after(async () => {
    agent.close();
    await editor.close();
    await folder.remove();
  });

  const widget = () => editor.window.page.locator('.quick-input-widget');
  const report = () => editor.window.page.locator('.monaco-editor .view-lines');
  const imported = async () => listImported((await agent.workspace.store()).read());
  const journal = () => readFile(path.join(workspace, '.holdpoint', 'journal', '00000001.jsonl'), 'utf8');

  async function pick(label: string): Promise<void> {
    await widget().locator('.monaco-list-row', { hasText: label }).first().click();
  }

  /** VS Code's list keeps an Escape for itself while it still settles or shows a hover; a person presses it again. */
  async function escape(): Promise<void> {
    await widget().locator(':focus').waitFor();
    for (let presses = 0; presses < 3 && (await widget().isVisible()); presses++) {
      await editor.window.page.keyboard.press('Escape');
      await widget()
        .waitFor({ state: 'hidden', timeout: 3_000 })
        .catch(() => undefined);
    }
    assert.equal(await widget().isVisible(), false);
  }

  async function chooseToImport(source: string, file: string): Promise<void> {
    await closeNotifications();
    await editor.window.run('holdpoint.data.import');
    await pick(source);
    await answerFileDialog(editor.window.page, at(file));
  }

  const notification = (text: string | RegExp) => notificationShown(editor.window, text);

  async function closeNotifications(): Promise<void> {
    await editor.window.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand('notifications.clearAll');
    }, undefined);
  }

  it('shows what would come in and asks; a no changes nothing', async () => {
    const before = await journal();
    await chooseToImport('CodeFrame', 'blockers.db');
    const asked = await notification('Import 5 rows from blockers.db? 1 of them will hold work until you decide.');
    await report().getByText('Dry run: nothing was written.').waitFor();
    await editor.window.screenshot('import-asked');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    assert.equal(await journal(), before);
  });

  it('an Escape in the list or in the dialog changes nothing either', async () => {
    const before = await journal();
    await editor.window.run('holdpoint.data.import');
    await widget().locator('.monaco-list-row', { hasText: 'Engram' }).waitFor();
    await escape();
    await editor.window.run('holdpoint.data.import');
    await pick('Engram');
    await widget().getByRole('button', { name: 'Import', exact: true }).waitFor();
    await escape();
    assert.equal(await journal(), before);
  });

  it('imports: the report says what came in, what is open waits in the tree, what is closed is nowhere among it', async () => {
    if ((await imported()).length === 0) {
      await chooseToImport('CodeFrame', 'blockers.db');
      const asked = await notification('Import 5 rows from blockers.db?');
      await asked.getByRole('button', { name: 'Import', exact: true }).click();
      await notification('Imported from blockers.db: 5 rows.');
      await report().getByText('Imported: 5 rows.').waitFor();
    }
    await editor.window.command('Focus on Waiting for You View');
    const rows = editor.window.page.locator('.pane-body [role="treeitem"]');
    await rows.filter({ hasText: 'Refund in full?' }).waitFor();
    await showAnswerView(editor.window);
    await selectInTree(editor.window, 'Refund in full?');
    const form = await questionShown(editor.window);
    const mark = form.locator('.headline .imported');
    assert.equal(await mark.innerText(), 'imported from CodeFrame, not verified');
    assert.match((await mark.getAttribute('title')) ?? '', /^blockers\.db: /);
    assert.equal(await rows.filter({ hasText: 'Round up?' }).count(), 0, 'an answer from elsewhere is none of ours');
    assert.equal(await rows.filter({ hasText: 'Answered recently' }).count(), 0);
    await editor.window.screenshot('imported');
    const gate = await holdpoint({ workspace, env: editor.env }, 'gate', '--work', 'codeframe-task-7');
    assert.equal(gate.code, 2);
    await closeNotifications();
  });

  it('cancelled half-way, nothing of it is there', async () => {
    const before = (await imported()).length;
    await chooseToImport('Engram', 'many.db');
    const asked = await notification(/Import \d+ rows from many\.db\? They hold no work\./);
    await asked.getByRole('button', { name: 'Import', exact: true }).click();
    // Each part reports progress; the first is a few hundred of many rows.
    const running = await notification(/Importing many\.db: \d+ of \d+/);
    await running.getByRole('button', { name: 'Cancel' }).click();
    await notification('Import cancelled: nothing was imported.');
    await report().getByText('Cancelled: nothing was imported.').waitFor();
    assert.equal((await imported()).length, before);
    assert.equal((await agent.workspace.store()).read().state.imports.size, 0);
  });

  it('says what is wrong with a file, and changes nothing', async () => {
    const before = await journal();
    await chooseToImport('Engram', 'blockers.db');
    await notification(/blockers\.db is not an Engram database.*Nothing was imported\./);
    assert.equal(await journal(), before);
  });

  it('exports to a file that another workspace takes in', async () => {
    const target = at('out.json');
    await rm(target, { force: true });
    await closeNotifications();
    await editor.window.run('holdpoint.data.export');
    await pick('JSON');
    await answerFileDialog(editor.window.page, target);
    await notification('Exported to out.json.');
    await access(target);
    const elsewhere = at('elsewhere');
    await mkdir(elsewhere, { recursive: true });
    const where = { workspace: elsewhere, env: editor.env };
    const taken = await holdpoint(where, 'import', '--from', 'json', target, '--json');
    assert.equal(taken.code, 0, taken.err);
    assert.equal((await holdpoint(where, 'gate', '--work', 'codeframe-task-7')).code, 2);
  });
});
