import type { Frame, Locator, Page } from 'playwright-core';
import { until } from './until.ts';
import type { EditorWindow } from './window.ts';

export interface Answer {
  /** Part of the label of a choice. */
  readonly choice?: string;
  readonly text?: string;
}

/** Brings the "Answer" view to the front. */
export async function showAnswerView(window: EditorWindow): Promise<void> {
  await window.command('Focus on Answer View');
}

/** Reads a form to its end, as a person has to before deciding, goes back to its beginning, and waits until it accepts that. */
async function readToEnd(form: Pick<Frame, 'evaluate'>): Promise<void> {
  await form.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    window.scrollTo(0, 0);
    await frame();
    for (let top = -1; top !== window.scrollY; await frame()) {
      top = window.scrollY;
      window.scrollBy(0, Math.max(20, window.innerHeight / 4));
      await frame();
    }
    window.scrollTo(0, 0);
    do await frame();
    while (document.querySelector('main')?.dataset['ready'] === 'false');
  });
}

/**
 * Reads a form; a view without room for it leads to its tab, and a page by itself is made higher for a moment.
 * @returns where it can be answered
 */
export async function readAll<Form extends Frame | Page>(form: Form): Promise<Form | Frame> {
  await readToEnd(form);
  const open = form.locator('[data-act=open-to-answer]');
  if ((await open.count()) === 0) return form;
  if ('setViewportSize' in form) {
    const size = form.viewportSize() ?? { width: 300, height: 600 };
    await form.setViewportSize({ ...size, height: 3000 });
    await open.waitFor({ state: 'detached' });
    await form.setViewportSize(size);
    await readToEnd(form);
    return form;
  }
  const text = await form.locator('#question').innerText();
  await open.click();
  const tab = await tabOf(form.page(), text);
  await readToEnd(tab);
  return tab;
}

/** The tab with the form of this question. */
async function tabOf(page: Page, question: string): Promise<Frame> {
  const within = 'body.tab main[data-view=question][data-ready=true] #question';
  let tab: Frame | undefined;
  await until(`the tab with ${question}`, async () => {
    for (const frame of page.frames()) {
      const isShown = frame.locator(within, { hasText: question }).isVisible();
      if (await isShown.catch(() => false)) tab = frame;
    }
    return tab !== undefined;
  });
  return tab!;
}

/** Shows the alternatives to answering a question, which a view without room for what decides offers once it is read. */
export async function openWays(form: Frame | Page): Promise<void> {
  const more = form.locator('[data-act=more]');
  if ((await form.locator('[data-act=open-to-answer]').count()) > 0) await readAll(form);
  await more.waitFor();
  if (!(await form.locator('#more-menu').isVisible())) await more.click();
}

/** A row of the "Waiting for you" tree, found by its accessible name, because the label may be truncated. */
function rowOf({ page }: EditorWindow, text: string) {
  return page.locator('.pane-body').getByRole('treeitem', { name: text }).first();
}

/** The number on Holdpoint's icon in the activity bar. */
export function badge({ page }: EditorWindow, count: number): Locator {
  const icon = page.locator('.activitybar').getByRole('tab', { name: /^Holdpoint/ });
  return icon.locator('.badge-content', { hasText: new RegExp(`^${String(count)}$`) });
}

/** Clicks an item of the "Waiting for you" tree. */
export async function selectInTree(window: EditorWindow, text: string): Promise<void> {
  await rowOf(window, text).click();
}

/** Runs an entry of a tree item's context menu, by keyboard, because a new menu ignores clicks briefly. */
export async function contextMenu(window: EditorWindow, item: string, entry: string): Promise<void> {
  await rowOf(window, item).click({ button: 'right' });
  const menu = window.page.locator('.monaco-menu');
  await menu.getByRole('menuitem', { name: entry }).waitFor();
  const focused = menu.locator('.action-item.focused', { hasText: entry });
  for (let presses = 0; presses < 20 && (await focused.count()) === 0; presses++) {
    await window.page.keyboard.press('ArrowDown');
  }
  await window.page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
}

/** The "Answer" view, once it shows a question. */
export async function questionShown(window: EditorWindow): Promise<Frame> {
  return window.webview('main[data-view="question"]');
}

/** Picks a choice and writes a reason, and sends nothing. */
export async function pick(form: Frame, { choice, text }: Answer): Promise<void> {
  if (choice !== undefined) await form.locator('label.choice', { hasText: choice }).first().click();
  if (text !== undefined) await form.locator('textarea[data-focus="text"]').fill(text);
}

/**
 * Answers the displayed question as a human does: with pointer and keys through the browser, so that every event is
 * trusted.
 */
export async function answerAsHuman(form: Frame, answer: Answer): Promise<void> {
  const ready = form.locator('main[data-view="question"][data-ready="true"]');
  await ready.waitFor();
  const readable = await readAll(form);
  await pick(readable, answer);
  await readable.locator('[data-act="decide"]').click();
  const confirm = readable.locator('[data-act="confirm"]');
  const result = form.locator('.result');
  await confirm.or(result).first().waitFor();
  if (await confirm.isVisible()) {
    await readable.locator('main[data-ready="true"]').waitFor();
    await confirm.click();
  }
  await result.waitFor();
}

/** Unfolds the rules that few people change. */
export async function openAdvanced(form: Pick<Frame, 'locator'>): Promise<void> {
  await form.locator('.policy summary').click();
  await form.locator('details[open] input[type=search]').waitFor();
}

/** Adds a row to the rules of the policy: such items take a passkey. */
export async function addPasskeyRule(form: Pick<Frame, 'locator'>, row: number, covers: string): Promise<void> {
  await form.locator('[data-act=add-rules]').click();
  await form.locator(`[data-focus=rules-${String(row)}-covers-${covers}]`).check();
  await form.locator(`#rules-${String(row)}-needs`).selectOption('passkey');
}
