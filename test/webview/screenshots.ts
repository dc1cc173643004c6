/**
 * Writes screenshots/question/<state>-<theme>.png for every state, in four themes and at 250 px, and one sheet per
 * theme to look over. `node test/webview/screenshots.ts [state…]`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startHarness } from './harness.ts';
import { scenes } from './scenes.ts';
import { themeNames } from './themes.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'screenshots', 'question');
await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
const harness = await startHarness();
try {
  for (const [name, play] of Object.entries(scenes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const theme of themeNames) {
      for (const width of theme === 'dark' ? [340, 250] : [340]) {
        const form = await harness.open({ theme, width, height: 600 });
        await play(form);
        const file = width === 340 ? `${name}-${theme}.png` : `${name}-${theme}-${width}.png`;
        await form.page.screenshot({ path: path.join(folder, file), fullPage: true });
        if (form.complaints.length > 0) console.error(name, theme, form.complaints);
        await form.close();
      }
    }
  }
} finally {
  await harness.close();
}
