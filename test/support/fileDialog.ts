/** VS Code's own file dialog, which it uses if the system has none. */
import type { Page } from 'playwright-core';

/** The dialog reads folders when it opens and during typing, and may then change its input. */
const quietMs = 400;

/** Types a path until it stays, and presses the dialog's button. */
export async function answerFileDialog(page: Page, file: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input.input');
  const press = widget.getByRole('button', { name: /^(OK|Open|Save|Import)$/ });
  await press.waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('.quick-input-widget input.input')?.value !== '',
  );
  for (let attempt = 1; ; attempt++) {
    await input.fill(file);
    await page.waitForTimeout(quietMs);
    if ((await input.inputValue()) === file) break;
    if (attempt === 20) throw new Error(`The dialog turns ${file} into ${await input.inputValue()}.`);
  }
  await press.click();
}
