import assert from 'node:assert/strict';
import path from 'node:path';
import { answerAsHuman, questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';

describe('A window reloaded while an agent waits', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    editor = await openEditor({ workspace: workspace.folder });
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });

  it('keeps the question, and the late answer reaches the agent', async () => {
    const { window } = editor;
    await extensionReady(window);
    await invokeTool(window, 'holdpoint_register_work', { id: 't-1', title: 'API tokens', status: 'in_progress' });
    const lost = invokeTool(window, 'holdpoint_raise_question', { text: 'JWT or sessions?', work_id: 't-1' });
    // The window takes the call with it: cancelled where VS Code has the time to, else simply gone.
    const dropped = assert.rejects(lost, /Canceled|extension host went away/);
    await showAnswerView(window);
    await questionShown(window);

    await window.reload();
    await dropped;
    await extensionReady(window);
    await showAnswerView(window);
    const form = await questionShown(window);
    assert.match(await form.locator('.question-text').innerText(), /JWT or sessions\?/);
    await answerAsHuman(form, { text: 'Sessions' });

    const late = await invokeTool(window, 'holdpoint_await_answer', {});
    assert.match(late, /Q-1 answered by .*"Sessions"\. Go on with API tokens \(t-1\)\./);
    assert.deepEqual(window.webviewErrors, []);
  });
});
