import assert from 'node:assert/strict';
import path from 'node:path';
import { startAgent } from '../support/agent.ts';
import { answerAsHuman, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import type { EditorWindow } from '../support/window.ts';

describe('Two windows on one folder', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  let first: EditorWindow;
  let second: EditorWindow;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    editor = await openEditor({ workspace: workspace.folder });
    first = editor.window;
    second = await editor.openWindow();
    for (const window of [first, second]) {
      await extensionReady(window);
      await showAnswerView(window);
    }
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });

  it('an agent asks in one, a human answers in the other', async () => {
    await invokeTool(first, 'holdpoint_record_work', { id: 't-1', title: 'API tokens', status: 'in_progress' });
    const answer = invokeTool(first, 'holdpoint_raise_question', { text: 'JWT or sessions?', work_id: 't-1' });
    await selectInTree(first, 'JWT or sessions?');
    const here = await questionShown(first);
    await answerAsHuman(await questionShown(second), { text: 'Sessions' });
    assert.match(await answer, /Q-1 answered by .*"Sessions"/);
    await here.locator('.result-answered').waitFor();
  });

  // The window that answered before: its key is the one that signs.
  it('the first click answers, though agents keep working and the form is redrawn all the time', async () => {
    const agent = startAgent({ workspace: workspace.folder, env: editor.env, id: 'builder-002' });
    const end = new AbortController();
    const work = (async () => {
      for (let n = 1; !end.signal.aborted; n++) {
        await agent.register(`busy-${String(n)}`, `Busy ${String(n)}`, { status: 'todo' });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      for (const text of ['Which host?', 'Which name?', 'Which colour?']) {
        const { id } = await agent.ask(text);
        await selectInTree(second, text);
        const form = await questionShown(second);
        await form.locator('.question-text', { hasText: text }).waitFor();
        await answerAsHuman(form, { text: `The first for ${id}` });
        assert.equal(
          agent.workspace.standing().state?.questions.get(id)?.resolution?.answer?.text,
          `The first for ${id}`,
        );
      }
    } finally {
      end.abort();
      await work;
      agent.close();
    }
  });

  it('both show at once what another process asks', async () => {
    const shell = { workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } };
    const asked = await holdpoint(shell, 'question', 'create', '--text', 'Port 80 or 8080?', '--mode', 'sync');
    assert.equal(asked.code, 0, asked.err);
    for (const window of [first, second]) {
      await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    }
  });

  it('a critical warning comes up in one of them, once', async () => {
    const shell = { workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } };
    const text = 'Backups are off';
    // What a visible view lists comes without a notification.
    for (const window of [first, second]) await window.command('View: Show Explorer');
    const posted = await holdpoint(shell, 'post', '--type', 'warning', '--priority', 'critical', '--text', text);
    assert.equal(posted.code, 0, posted.err);
    const notices = (window: EditorWindow) =>
      window.page.locator('.notifications-center .notification-list-item', { hasText: text });
    for (const window of [first, second]) {
      await window.page.locator('.statusbar-item', { hasText: /\d warning/ }).waitFor();
      await window.command('Notifications: Show Notifications');
    }
    // The window in the back waits for the one in front to be first; then either has it, and never both.
    await Promise.any([first, second].map((window) => notices(window).first().waitFor()));
    await first.page.waitForTimeout(2_000);
    assert.equal((await notices(first).count()) + (await notices(second).count()), 1);
  });

  it('a window that is reloaded while its agent waits keeps the question, and the late answer reaches the agent', async () => {
    const text = 'Signed or random tokens?';
    const lost = invokeTool(first, 'holdpoint_raise_question', { text, work_id: 't-1' });
    // The window takes the call with it: cancelled where VS Code has the time to, else simply gone.
    const dropped = assert.rejects(lost, /Canceled|extension host went away/);
    await first.page.locator('.statusbar-item', { hasText: '2 waiting' }).waitFor();

    await first.reload();
    await dropped;
    await extensionReady(first);
    await showAnswerView(first);
    await selectInTree(first, text);
    const form = await questionShown(first);
    await form.locator('.question-text', { hasText: text }).waitFor();
    await showAnswerView(second);
    // In the other window, whose key signs: VS Code on the web keeps the secrets of each window apart.
    await selectInTree(second, text);
    const there = await questionShown(second);
    await there.locator('.question-text', { hasText: text }).waitFor();
    await answerAsHuman(there, { text: 'Random' });

    const late = await invokeTool(first, 'holdpoint_await_answer', {});
    assert.match(late, /Q-\d+ answered by .*"Random"\. Continue with API tokens \(t-1\)\./);
    assert.deepEqual(first.webviewErrors, []);
  });
});
