/** What a person does on a page, as values: a scene sends a snapshot, then takes its steps. */
import type { Page } from 'playwright-core';
import type { Form } from './harness.ts';
import { settle } from './settled.ts';

type Step = (on: { readonly page: Page }) => Promise<unknown>;

export const click =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().click();
export const press = (act: string): Step => click(`[data-act="${act}"]`);
export const fill =
  (selector: string, text: string): Step =>
  ({ page }) =>
    page.locator(selector).first().fill(text);
export const choose =
  (selector: string, option: string): Step =>
  ({ page }) =>
    page.locator(selector).selectOption(option);
export const radio =
  (name: string): Step =>
  ({ page }) =>
    page.getByRole('radio', { name }).click();
export const keys =
  (...names: readonly string[]): Step =>
  async ({ page }) => {
    for (const name of names) await page.keyboard.press(name);
  };
export const unfoldAll: Step = async ({ page }) => {
  for (const summary of await page.locator('summary').all()) await summary.click();
};
export const ready: Step = ({ page }) => settle(page);

export function scene<Message, Sent>(make: () => Sent, ...steps: readonly Step[]) {
  return async (form: Form<Message, Sent>): Promise<void> => {
    await form.send(make());
    for (const step of steps) await step(form);
  };
}

/** One for each state, which only shows it. */
export function shown<Message, Sent>(states: Readonly<Record<string, () => Sent>>) {
  return Object.fromEntries(
    Object.entries(states).map(([name, make]) => [name, (form: Form<Message, Sent>) => form.show(make())]),
  );
}
