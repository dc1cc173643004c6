/** A No that is answered in the form: programs hear it as a refusal, until it is lifted there. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { startAgent } from '../support/agent.ts';
import type { Agent } from '../support/agent.ts';
import { answerAsHuman, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import type { EditorWindow } from '../support/window.ts';

describe('A refusal', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  let agent: Agent;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    editor = await openEditor({ workspace: workspace.folder });
    window = editor.window;
    await extensionReady(window);
    agent = startAgent({ workspace: workspace.folder, env: editor.env });
    await agent.register('t-1', 'API tokens');
    await agent.ask('May I drop the table?', { work: 't-1', type: 'approval' });
    await showAnswerView(window);
  });
  after(async () => {
    agent.close();
    await editor.close();
    await workspace.remove();
  });

  const waiting = () => holdpoint({ workspace: workspace.folder, env: editor.env }, 'question', 'await', 'Q-1');

  it('a No in the form ends the wait of an agent with exit code 2', async () => {
    const form = await questionShown(window);
    await answerAsHuman(form, { choice: 'No', text: 'Never.' });
    await form.locator('.result-line', { hasText: 'do not do this' }).waitFor();
    const { code, out, err } = await waiting();
    assert.equal(code, 2, out + err);
    assert.match(out + err, /Do not do what Q-1 asked/);
    await selectInTree(window, 'Answered recently');
    await window.page.getByRole('treeitem', { name: /refused, May I drop the table\?/ }).waitFor();
    await window.screenshot('refused');
  });

  it('lifted in the form, with a reason and a second step, it may be done', async () => {
    const form = await questionShown(window);
    await form.locator('[data-act="lift"]').click();
    await form.locator('#text').fill('The backup was tested.');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('[data-part="lifted"]', { hasText: 'You lifted the refusal' }).waitFor();
    const { code, out, err } = await waiting();
    assert.equal(code, 0, out + err);
    assert.deepEqual(window.webviewErrors, []);
  });
});
