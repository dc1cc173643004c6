/** A human in one window: opens the form of a question and answers it with mouse and keyboard. */
import { answerAsHuman, questionShown } from '../../test/support/answerForm.ts';
import type { HostScope } from '../../test/support/probe.ts';
import type { EditorWindow } from '../../test/support/window.ts';
import { inCall } from './book.ts';
import type { Book } from './book.ts';

export interface HumanUnderTest {
  answerOne(): Promise<void>;
}

export function newHuman(window: EditorWindow, name: string, book: Book): HumanUnderTest {
  let number = 0;

  async function show(id: string): Promise<void> {
    await window.page.bringToFront();
    await window.evaluate(({ vscode }, wanted) => vscode.commands.executeCommand('holdpoint.form.open', wanted), id);
  }

  /** In a browser each window has its own key until reloaded, so the second one must first be allowed to sign. */
  async function letItSign(): Promise<void> {
    const form = await window.webview('main[data-view="question"], main[data-view="enrol"]');
    const enrol = form.locator('[data-act="enrol"]');
    if ((await enrol.count()) === 0) return;
    await form.locator('main[data-ready="true"]').waitFor();
    await enrol.click();
    await enrol.waitFor({ state: 'detached' });
    book.count('windows let sign');
  }

  return {
    async answerOne() {
      const newest = await window.evaluate(newestWaiting, inCall);
      if (!newest) return;
      const said = `Answer ${String(++number)} in ${name}`;
      try {
        await show(newest.id);
        if (number === 1) {
          await letItSign();
          await show(newest.id);
        }
        const form = await questionShown(window);
        await form.locator('.question-text', { hasText: newest.text }).waitFor();
        await answerAsHuman(form, { text: said });
        await form.locator('.result-answered').waitFor();
        book.answered.set(newest.id, said);
        book.count('answers clicked in a window, signed');
      } catch (error) {
        await window.screenshot(`soak-${name.replace(' ', '-')}-${newest.id}`);
        book.trouble(`${name}, ${newest.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

/** Runs in the extension host. The newest question that a call waits for, else the newest. */
async function newestWaiting(
  { vscode }: HostScope,
  mark: string,
): Promise<{ readonly id: string; readonly text: string } | null> {
  interface Api {
    questions(folder: unknown, filter: object): Promise<{ questions: { id: string; text: string }[] }>;
  }
  const api = vscode.extensions.getExtension<Api>('holdpoint.holdpoint')?.exports;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const waiting = (await api?.questions(folder, { waiting: true }))?.questions ?? [];
  const newest = waiting.find(({ text }) => text.includes(mark)) ?? waiting[0];
  return newest ? { id: newest.id, text: newest.text } : null;
}
