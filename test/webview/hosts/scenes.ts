/** What a reader of "Set up agents" may see: each state, and those that need an action. */
import type { SetupMessage } from '../../../src/ui/setup/messages.ts';
import type { SetupSnapshot } from '../../../src/ui/setup/model.ts';
import type { Form } from '../harness.ts';
import { snapshot, states } from './samples.ts';
import { shown } from '../steps.ts';

export type SetUp = Form<SetupMessage, SetupSnapshot>;
type Scene = (form: SetUp) => Promise<void>;

const opened =
  (host: string, act: 'add' | 'remove'): Scene =>
  async (form) => {
    await form.send(snapshot());
    const part = form.page.locator(`[data-host="${host}"]`);
    if (!(await part.isVisible())) await form.page.locator('.others > summary').click();
    await form.page.locator(`[data-host="${host}"] [data-act="${act}"]`).click();
    await form.page.locator(`[data-plan="${host}"]`).waitFor();
  };

export const scenes: Record<string, Scene> = {
  ...shown(states),
  plan: opened('claude-code', 'add'),
  planOfAll: async (form) => {
    await form.send(states['first']!());
    await form.page.locator('[data-host="found"] [data-act="add"]').click();
    await form.page.locator('[data-plan="found"]').waitFor();
  },
  printed: async (form) => {
    await form.send(snapshot());
    for (const host of ['vscode', 'copilot-cli']) await form.page.locator(`[data-host="${host}"] summary`).click();
  },
  takenOut: opened('vscode', 'remove'),
  problem: opened('opencode', 'add'),
};
