import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startAgent, type Agent } from '../support/agent.ts';
import {
  answerAsHuman,
  badge,
  contextMenu,
  questionShown,
  selectInTree,
  showAnswerView,
} from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { askHook } from '../support/askHook.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';

const minute = 60_000;

const rows = (window: EditorWindow) => window.page.locator('.pane-body [role="treeitem"]');
const labels = (window: EditorWindow) =>
  rows(window).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
const status = (window: EditorWindow, text: string) => window.page.locator('.statusbar-item', { hasText: text });

describe('The tree "Waiting for you", two folders in one window', () => {
  let folder: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  let shop: Agent;
  let docs: Agent;
  before(async () => {
    folder = await temporaryFolder();
    const [first, second] = ['shop', 'docs'].map((name) => path.join(folder.folder, name));
    for (const each of [first!, second!]) await mkdir(each);
    const workspace = path.join(folder.folder, 'both.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'shop' }, { path: 'docs' }] }));
    editor = await openEditor({ workspace });
    window = editor.window;
    const behind = -12 * minute - 30_000;
    shop = startAgent({ workspace: first!, env: editor.env, id: 'builder-001', ahead: behind });
    docs = startAgent({ workspace: second!, env: editor.env, id: 'writer-001' });
    await extensionReady(window);
    await showAnswerView(window);
  });
  after(async () => {
    shop.close();
    docs.close();
    await editor.close();
    await folder.remove();
  });

  it('says that nothing is waiting, and what agents are working on', async () => {
    await shop.register('t-1', 'API tokens');
    await window.page
      .locator('.tree-explorer-viewlet-tree-view .message', { hasText: 'Working: builder-001 on API tokens' })
      .waitFor();
    assert.equal(await rows(window).count(), 0);
    await (await window.webview('main[data-view="nothing"]')).getByText('API tokens').waitFor();
  });

  it('merges the folders by urgency, held work and age, and names the folder', async () => {
    await shop.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
    await shop.ask('JWT or sessions?', {
      work: 't-1',
      urgency: 'high',
      background: 'Two partners must revoke at once.',
    });
    await docs.ask('Which licence?', { urgency: 'critical' });
    await docs.ask('British or American?', { urgency: 'low', mode: 'async', assumption: 'British' });
    await shop.ask('Which port?');
    await rows(window).nth(3).waitFor();
    assert.deepEqual(await labels(window), [
      'critical, stopped, Which licence?, writer-001, just asked, docs',
      'high, stopped, JWT or sessions?, builder-001, waiting 12 min, holds 2, shop',
      'medium, stopped, Which port?, builder-001, waiting 12 min, shop',
      'low, continues, British or American?, writer-001, just asked, assumes British, docs',
    ]);
    await badge(window, 4).waitFor();
    await status(window, '4 waiting').waitFor();
  });

  it('marks the row of what the form shows', async () => {
    const selected = (question: string) =>
      window.page.locator('.pane-body .monaco-list-row.selected', { hasText: question }).waitFor();
    await selectInTree(window, 'Which port?');
    await selected('Which port?');
    await status(window, '4 waiting').click();
    await selected('Which licence?');
  });

  it('opens the form in a tab: list, view and tab show one item, and only the tab decides it', async () => {
    const form = await questionShown(window);
    await form.locator('[data-act="open-tab"]').click();
    const tab = await window.webview('body.tab main[data-view="question"]');
    const shows = async (question: string) => {
      await tab.locator('#question', { hasText: question }).waitFor();
      await form.locator('#question', { hasText: question }).waitFor();
      await form.locator('[data-act="open-to-answer"]').waitFor();
      await window.page.locator('.pane-body .monaco-list-row.selected', { hasText: question }).waitFor();
    };
    await shows('Which licence?');
    await selectInTree(window, 'Which port?');
    await shows('Which port?');
    await window.command('Holdpoint: Answer One After Another');
    await shows('Which licence?');
    await tab.locator('[data-act="queue-next"]').click();
    await shows('JWT or sessions?');
    await tab.locator('[data-act="queue-back"]').click();
    await shows('Which licence?');
    await window.command('View: Close Editor');
    await window.page.locator('.tab', { hasText: 'Answer' }).waitFor({ state: 'hidden' });
  });

  it('a critical question is red in the status bar', async () => {
    const critical = status(window, '4 waiting · 1 critical');
    assert.match((await critical.getAttribute('class')) ?? '', /error-kind/);
  });

  it('hovering tells who, what, why and until when', async () => {
    const hover = window.page.locator('.workbench-hover', { hasText: 'Q-1 · high · decision · builder-001' });
    // Redrawing a list removes its hover: then the pointer moves there again.
    for (let attempts = 0; attempts < 10 && !(await hover.isVisible()); attempts++) {
      await window.page.mouse.move(900, 300 + attempts);
      await rows(window).nth(1).hover();
      await hover.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    const text = await hover.innerText();
    for (const part of [
      'The agent is on hold. waiting 12 min, holds 2',
      'JWT or sessions?',
      'Why: Two partners must revoke at once.',
      'Holds: API tokens, Token page',
      'Expires ',
    ])
      assert.ok(text.includes(part), text);
  });

  it('each folder answers in its own store; Next goes over all of them', async () => {
    await selectInTree(window, 'Which licence?');
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'Which licence?' }).waitFor();
    assert.match(await form.locator('.facts').innerText(), /docs/);
    await answerAsHuman(form, { text: 'MIT' });
    await form.getByRole('button', { name: 'Next: JWT or sessions?' }).click();
    await form.locator('.question-text', { hasText: 'JWT or sessions?' }).waitFor();
    assert.equal(docs.workspace.standing().state?.questions.get('Q-1')?.resolution?.answer?.text, 'MIT');
    assert.equal(shop.workspace.standing().state?.questions.get('Q-1')?.resolution, null);
    await badge(window, 3).waitFor();
  });

  it('the policy asks which folder is meant', async () => {
    await window.choose('Holdpoint: Edit Rules…', 'docs');
    const form = await window.webview('main[data-view="policy"]');
    assert.match(await form.locator('.plain-title').innerText(), /Rules\s+docs/);
  });

  it('copies an id from the context menu', async () => {
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await contextMenu(window, 'Which port?', 'Copy ID');
    await window.page.waitForFunction(async () => (await navigator.clipboard.readText()) === 'Q-2');
  });

  it('says of a question that a host asks its user itself which host it is', async () => {
    const workspace = path.join(folder.folder, 'docs');
    const { status, stderr } = askHook(
      { workspace, env: editor.env },
      {
        tool_name: 'AskUserQuestion',
        tool_input: { questions: [{ question: 'Tabs or blanks?', header: 'Style', multiSelect: false, options: [] }] },
      },
    );
    assert.equal(status, 0, stderr);
    const row = rows(window).filter({ hasText: 'Tabs or blanks?' });
    await row.waitFor();
    assert.match(
      (await row.getAttribute('aria-label')) ?? '',
      /^low, continues, Tabs or blanks\?, asked by Claude Code itself, claude-code-001, just asked, docs$/,
    );
    assert.match(await row.innerText(), /asked by Claude Code itself · claude-code-001/);
  });

  it('the briefing names the folder of the file in the editor', async () => {
    const docsFolder = path.join(folder.folder, 'docs');
    await writeFile(path.join(docsFolder, 'docs.md'), 'docs');
    const shell = { workspace: docsFolder, env: editor.env };
    const posted = await holdpoint(shell, 'post', '--type', 'outcome', '--text', 'Of docs');
    assert.equal(posted.code, 0, posted.err);
    await window.evaluate(async ({ vscode }) => {
      const second = vscode.workspace.workspaceFolders?.[1];
      if (second) await vscode.window.showTextDocument(vscode.Uri.joinPath(second.uri, 'docs.md'));
    }, null);
    await window.command('Holdpoint: Open Notes');
    const frame = await window.webview('main[data-view="briefing"]');
    await frame.locator('h1.focus', { hasText: /docs\.md\s+docs/ }).waitFor();
    await frame.locator('.event', { hasText: 'Of docs' }).waitFor();
  });
});

describe('The tree "Waiting for you", two worktrees of one repository', () => {
  let folder: TemporaryFolder;
  let editor: Editor;
  let agent: Agent;
  before(async () => {
    folder = await temporaryFolder();
    const [main, linked] = ['main', 'linked'].map((name) => path.join(folder.folder, name));
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words], { cwd: main });
    await mkdir(main!);
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    git('worktree', 'add', '--quiet', linked!);
    const workspace = path.join(folder.folder, 'both.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'main' }, { path: 'linked' }] }));
    editor = await openEditor({ workspace });
    agent = startAgent({ workspace: linked!, env: editor.env });
    await extensionReady(editor.window);
    await showAnswerView(editor.window);
  });
  after(async () => {
    agent.close();
    await editor.close();
    await folder.remove();
  });

  it('counts a question once, and names the worktree that asks', async () => {
    await agent.ask('JWT or sessions?', { urgency: 'high' });
    await badge(editor.window, 1).waitFor();
    await status(editor.window, '1 waiting').waitFor();
    await rows(editor.window).first().waitFor();
    assert.deepEqual(await labels(editor.window), ['high, stopped, JWT or sessions?, builder-001, just asked, linked']);
    await answerAsHuman(await questionShown(editor.window), { text: 'Sessions' });
    await status(editor.window, '1 waiting').waitFor({ state: 'detached' });
    assert.equal(agent.workspace.standing().state?.questions.get('Q-1')?.resolution?.answer?.text, 'Sessions');
  });
});

describe('The tree "Waiting for you" with 500 questions', () => {
  let folder: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  let agent: Agent;
  before(async () => {
    folder = await temporaryFolder();
    editor = await openEditor({ workspace: folder.folder });
    window = editor.window;
    agent = startAgent({ workspace: folder.folder, env: editor.env, ahead: -12 * minute - 30_000 });
    await extensionReady(window);
    await showAnswerView(window);
  });
  after(async () => {
    agent.close();
    await editor.close();
    await folder.remove();
  });

  it('has rows of 300 px with the whole label without Markdown, the agent and the time, and an icon for whether the agent is stopped', async () => {
    await agent.ask('Should **API tokens** be `JWTs` or server-side sessions?', { urgency: 'high' });
    await agent.ask('May the [report](docs/report.md) be in English?', { mode: 'async', assumption: 'Yes' });
    await rows(window).nth(1).waitFor();
    const shown = await rows(window).evaluateAll((all) =>
      all.map((row) => {
        const one = (name: string) => row.querySelector<HTMLElement>(name);
        const icon = one('.custom-view-tree-node-item-icon')?.className ?? '';
        const description = one('.label-description');
        const text = description?.firstChild;
        // What the row cuts off hangs over its edge: the time does not.
        const range = document.createRange();
        if (text) range.setStart(text, 0);
        if (text) range.setEnd(text, '12 min · '.length);
        return {
          label: one('.label-name')?.innerText,
          description: description?.innerText,
          icon: /codicon-(debug-\w+)/.exec(icon)?.[1],
          width: Math.round(row.getBoundingClientRect().width),
          cut: range.getBoundingClientRect().right > row.getBoundingClientRect().right,
        };
      }),
    );
    assert.ok(
      shown.every(({ width }) => width <= 310),
      JSON.stringify(shown),
    );
    assert.deepEqual(
      shown.map(({ width: _, ...row }) => row),
      [
        // The editor cuts where the view ends.
        {
          ...{ label: 'Should API tokens be JWTs or server-side sessions?', cut: true },
          ...{ description: '12 min · builder-001', icon: 'debug-pause' },
        },
        {
          ...{ label: 'May the report be in English?', cut: false },
          ...{ description: '12 min · assumes Yes · builder-001', icon: 'debug-continue' },
        },
      ],
    );
  });

  it('counts them all, shows the most pressing, folds the rest', async () => {
    for (let number = 1; number <= 498; number++) {
      const urgency = number % 100 === 0 ? 'high' : 'medium';
      await agent.ask(`May I rename module ${String(number)}?`, { urgency, mode: number % 2 ? 'sync' : 'async' });
    }
    await badge(window, 500).waitFor();
    await status(window, '500 waiting').waitFor();
    await window.command('Show Waiting Items');
    const tree = window.page.locator('.pane-body [role="tree"]').first();
    const rest = rows(window).and(window.page.locator('[aria-expanded="false"]')).filter({ hasText: '450 more' });
    // A refresh in between may scroll.
    await until('the rest is folded', async () => {
      await tree.press('End');
      return rest.isVisible();
    });
    await tree.press('Home');
    await until('the most pressing first', async () =>
      ((await labels(window))[1] ?? '').startsWith('high, continues, May I rename module 100?'),
    );
  });

  it('grouped, each group counts all of its own, shows the most pressing and folds the rest', async () => {
    const group = async (how: string) => {
      await window.run('holdpoint.waiting.group');
      await window.page.locator('.quick-input-list .monaco-list-row', { hasText: how }).click();
    };
    await group('By urgency');
    const tree = window.page.locator('.pane-body [role="tree"]').first();
    await until('groups, the most urgent first', async () => {
      await tree.press('Home');
      const [first = '', , third = ''] = await labels(window);
      return first.startsWith('high 5') && third.startsWith('high, continues, May I rename module 100?');
    });
    await tree.press('End');
    await rows(window).filter({ hasText: '445 more' }).waitFor();
    await group('No groups');
    await until('no groups', async () => {
      await tree.press('Home');
      return ((await labels(window))[1] ?? '').startsWith('high, continues, May I rename module 100?');
    });
  });
});
