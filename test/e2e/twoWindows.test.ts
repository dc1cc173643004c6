/** Two windows on one folder: each shows what happens in the other, and one decision counts once. */
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { startAgent } from '../support/agent.ts';
import { answerAsHuman, questionShown, readAll, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import type { EditorWindow } from '../support/window.ts';
import { writtenDown } from '../support/writtenDown.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const day = 24 * 60 * 60 * 1000;

describe('Two windows on one folder', () => {
  let { workspace, editor, window: first, agent } = {} as OnSample;
  let second: EditorWindow;
  onSample(async (opened) => {
    ({ workspace, editor, window: first, agent } = opened);
    await first.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await agent.ask('Shall we begin?');
    await showAnswerView(first);
    // The first answer makes this editor's key: a window opened later has it too.
    await answerAsHuman(await questionShown(first), { text: 'Yes' });
    second = await editor.openWindow();
    await extensionReady(second);
    await showAnswerView(second);
    await agent.register('t-1', 'API tokens');
    await agent.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
  });

  const shell = () => ({ workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } });
  const clipboard = (window: EditorWindow) =>
    window.evaluate(({ vscode }) => Promise.resolve(vscode.env.clipboard.readText()), undefined);

  it('answered in another window: the answer is shown, my draft stays and can be copied', async () => {
    await agent.ask('JWT or sessions?', { work: 't-1', choices: [{ label: 'JWT' }, { label: 'Sessions' }] });
    await selectInTree(first, 'JWT or sessions?');
    const mine = await questionShown(second);
    await mine.locator('label.choice', { hasText: 'JWT' }).click();
    await mine.locator('textarea[data-focus="text"]').fill('Mobile clients keep their tokens anyway.');
    await answerAsHuman(await questionShown(first), { choice: 'Sessions', text: 'Revoking has to be instant.' });
    const result = mine.locator('.result');
    await result.waitFor();
    assert.match(await result.innerText(), /You answered just now\s+Sessions\s+Revoking has to be instant\./);
    assert.match(await mine.locator('.left-over').innerText(), /Your draft, not sent[^]*Mobile clients keep/);
    // A browser lets only the window in front have the clipboard.
    await second.page.bringToFront();
    await mine.locator('[data-act="copy-draft"]').click();
    await mine.locator('[data-act="copy-draft"]', { hasText: 'copied' }).waitFor();
    while ((await clipboard(second)) === '') await second.page.bringToFront();
    assert.equal(await clipboard(second), 'Mobile clients keep their tokens anyway.');
    await first.page.bringToFront();
  });

  it('not received yet, then received: the form follows', async () => {
    const form = await questionShown(first);
    assert.equal((await form.locator('.delivery').innerText()).trim(), 'Waiting for builder-001 to pick it up');
    const awaited = await holdpoint(shell(), 'question', 'await', 'Q-2');
    assert.match(awaited.out, /Q-2 answered by .*"Sessions/);
    await form.locator('.delivery', { hasText: /builder-001 got it .* later and continues\./ }).waitFor();
  });

  it('its history can be read afterwards, from "Answered recently"', async () => {
    await agent.ask('Which port?', { work: 't-1' });
    // Its row moves the others, and a click in that moment meets another one.
    await first.page.getByRole('treeitem', { name: 'Which port?' }).first().waitFor();
    await selectInTree(first, 'Answered recently');
    await selectInTree(first, 'JWT or sessions?');
    const form = await first.webview('.result-line:has-text("answered")');
    await form.locator('summary', { hasText: 'History' }).click();
    const entries = await form.locator('details[open] li').allInnerTexts();
    const said = [/builder-001 asked/, / answered /, /Delivered to builder-001/, /builder-001 continued/];
    assert.equal(entries.length, said.length, entries.join('\n'));
    for (const [index, pattern] of said.entries()) assert.match(entries[index]!, pattern);
  });

  it('Next goes to the next waiting item, and names it', async () => {
    const form = await questionShown(first);
    await form.getByRole('button', { name: 'Next: Which port?' }).click();
    await form.locator('.question-text', { hasText: 'Which port?' }).waitFor();
    // One key further than the button, without a mouse: the text has the keyboard.
    await first.page.keyboard.type('8080');
    await holds(form, '8080');
  });

  it('drafts are kept over selection changes and a reload of the window', async () => {
    await agent.ask('Which host?', { urgency: 'low', work: 't-2' });
    await selectInTree(first, 'Which host?');
    const other = await first.webview('main[data-view="question"]');
    await other.locator('.question-text', { hasText: 'Which host?' }).waitFor();
    assert.equal(await other.locator('#text').inputValue(), '');
    await writtenDown(editor, first, /answer\W+8080\b/);
    await first.reload();
    await extensionReady(first);
    await showAnswerView(first);
    await selectInTree(first, 'Which port?');
    const form = await first.webview('main[data-view="question"]');
    await form.locator('.question-text', { hasText: 'Which port?' }).waitFor();
    await holds(form, '8080');
  });

  it('another human was first: their name is there', async () => {
    const grace = enrolledHuman(agent.workspace, 'Grace Hopper');
    await selectInTree(second, 'Which port?');
    const form = await questionShown(second);
    await form.locator('.question-text', { hasText: 'Which port?' }).waitFor();
    await form.locator('#text').fill('8081, perhaps');
    await decide(agent.workspace, grace, 'Q-3', { kind: 'answer', answer: { text: '9090', choices: [] } });
    await form.locator('.result-line', { hasText: /Grace Hopper answered/ }).waitFor();
    assert.match(await form.locator('.result').innerText(), /9090[^]*8081, perhaps/);
  });

  it('expired while open: says so, what failed, and what stays held; it can still be answered', async () => {
    // Its clock runs a day behind, so the life of what it asks is over in a moment.
    const late = startAgent({ ...shell(), id: 'builder-002', ahead: 8_000 - day });
    try {
      await late.register('t-9', 'Migration');
      await late.ask('Drop the old table?', { work: 't-9', urgency: 'high' });
    } finally {
      late.close();
    }
    await selectInTree(second, 'Drop the old table?');
    const form = await questionShown(second);
    await form.locator('.question-text', { hasText: 'Drop the old table?' }).waitFor();
    await form.locator('#text').fill('Yes, drop it');
    await form.locator('.result-line:has-text("Expired")').waitFor();
    const text = await form.locator('.result').innerText();
    assert.match(
      text,
      /without an answer[^]*Failed because nobody answered:\s*Migration\.[^]*stays held until you answer or dismiss it/,
    );
    assert.equal(await form.locator('#text').inputValue(), 'Yes, drop it');
    await readAll(form);
    assert.equal(await form.locator('[data-act="decide"]').innerText(), 'Answer');
    const held = await holdpoint(shell(), 'gate', '--work', 't-9');
    assert.equal(held.code, 2);
    await form.locator('#text').fill('Keep it.');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('.result-line:has-text("answered")').waitFor();
    const free = await holdpoint(shell(), 'gate', '--work', 't-9');
    assert.equal(free.code, 0, free.err);
  });

  it('an agent asks in one, a human answers in the other', async () => {
    await invokeTool(first, 'holdpoint_record_work', { id: 't-3', title: 'Sign-in', status: 'in_progress' });
    const answer = invokeTool(first, 'holdpoint_raise_question', { text: 'Cookies or headers?', work_id: 't-3' });
    await selectInTree(first, 'Cookies or headers?');
    const here = await questionShown(first);
    await selectInTree(second, 'Cookies or headers?');
    await answerAsHuman(await second.webview('.question-text:has-text("Cookies or headers?")'), { text: 'Cookies' });
    assert.match(await answer, /Q-\d answered by .*"Cookies"/);
    await here.locator('.result-line:has-text("answered")').waitFor();
  });

  it('the first click answers, though agents keep working and the form is redrawn all the time', async () => {
    const end = new AbortController();
    const work = (async () => {
      for (let n = 1; !end.signal.aborted; n++) {
        await agent.register(`busy-${String(n)}`, `Busy ${String(n)}`, { status: 'todo' });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      for (const text of ['Which region?', 'Which name?', 'Which colour?']) {
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
    }
  });

  it('both show at once what another process asks', async () => {
    const asked = await holdpoint(shell(), 'question', 'create', '--text', 'Port 80 or 8080?', '--mode', 'sync');
    assert.equal(asked.code, 0, asked.err);
    for (const window of [first, second]) {
      await window.page.locator('.statusbar-item', { hasText: '2 waiting' }).waitFor();
    }
  });

  it('a critical warning and a critical question come up in one of them, once', async () => {
    const texts = ['Backups are off', 'Turn them on?'];
    // What a visible view lists comes without a notification.
    for (const window of [first, second]) await window.command('View: Show Explorer');
    const posted = await holdpoint(shell(), 'post', '--type', 'warning', '--priority', 'critical', '--text', texts[0]!);
    assert.equal(posted.code, 0, posted.err);
    await agent.ask(texts[1]!, { urgency: 'critical' });
    const notices = (window: EditorWindow, text: string) =>
      window.page.locator('.notifications-center .notification-list-item', { hasText: text });
    for (const window of [first, second]) {
      await window.page.locator('.statusbar-item', { hasText: /\d warning/ }).waitFor();
      await window.command('Notifications: Show Notifications');
    }
    // The window in the back waits for the one in front to be first; then either has it, and never both.
    for (const text of texts)
      await Promise.any([first, second].map((window) => notices(window, text).first().waitFor()));
    await first.page.waitForTimeout(2_000);
    for (const text of texts)
      assert.equal((await notices(first, text).count()) + (await notices(second, text).count()), 1, text);
  });

  it('a window that is reloaded while its agent waits keeps the question, and the late answer reaches the agent', async () => {
    const text = 'Signed or random tokens?';
    const lost = invokeTool(first, 'holdpoint_raise_question', { text, work_id: 't-3' });
    // The window takes the call with it: cancelled where VS Code has the time to, else simply gone.
    const dropped = assert.rejects(lost, /Canceled|extension host went away/);
    await first.page.locator('.statusbar-item', { hasText: '4 waiting' }).waitFor();

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
    assert.match(late, /Q-\d+ answered by .*"Random"\. Continue with Sign-in \(t-3\)\./);
    for (const window of [first, second]) assert.deepEqual(window.webviewErrors, []);
  });
});

/** Drafts come back with the first snapshot: until then the field is empty. */
async function holds(form: Frame, draft: string): Promise<void> {
  await form.waitForFunction((wanted) => document.querySelector<HTMLTextAreaElement>('#text')?.value === wanted, draft);
}
