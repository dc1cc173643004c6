/**
 * Writes screenshots/<surface>/<state>-<theme>.png for every state, in four themes and narrow.
 * `node test/webview/screenshots.ts [question|memory|rfc|dashboard|hosts|audit [state…]]`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { scenes as auditScenes } from './audit/scenes.ts';
import { scenes as dashboardScenes } from './dashboard/scenes.ts';
import {
  auditSurface,
  briefingSurface,
  dashboardSurface,
  questionSurface,
  rfcSurface,
  setupSurface,
  startSurface,
  type Form,
  type Surface,
} from './harness.ts';
import { scenes as setupScenes } from './hosts/scenes.ts';
import { scenes as briefingScenes } from './memory/scenes.ts';
import { scenes as rfcScenes } from './rfc/scenes.ts';
import { scenes } from './question/scenes.ts';
import { themeNames } from './themes.ts';

const [surface, ...wanted] = process.argv.slice(2);
const isWanted = (name: string) => surface === undefined || surface === name;
if (isWanted('question')) await write(questionSurface, scenes, [340, 250], 600);
if (isWanted('memory')) await write(briefingSurface, briefingScenes, [340, 250], 600);
if (isWanted('rfc')) await write(rfcSurface, rfcScenes, [1280, 640], 800);
if (isWanted('hosts')) await write(setupSurface, setupScenes, [900, 250], 900);
if (isWanted('dashboard')) await write(dashboardSurface, dashboardScenes, [1000, 400], 800);
if (isWanted('audit')) await write(auditSurface, auditScenes, [900, 250], 700);

/** The first width in every theme, the second in one. */
async function write<Message extends { type: string }, Sent extends { view: { type: string } }>(
  shown: Surface<Message, Sent>,
  all: Readonly<Record<string, (form: Form<Message, Sent>) => Promise<void>>>,
  [normal, narrow]: readonly [number, number],
  height: number,
): Promise<void> {
  const folder = path.join(import.meta.dirname, '..', '..', 'screenshots', shown.name);
  await mkdir(folder, { recursive: true });
  const harness = await startSurface(shown);
  try {
    for (const [name, play] of Object.entries(all)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for (const width of [normal, narrow]) {
        const form = await harness.open({ width, height });
        await play(form);
        for (const theme of width === normal ? themeNames : (['dark'] as const)) {
          await form.wear(theme);
          const file = width === normal ? `${name}-${theme}.png` : `${name}-${theme}-${String(width)}.png`;
          await form.page.screenshot({ path: path.join(folder, file), fullPage: shown.ground === 'sideBar' });
        }
        if (form.complaints.length > 0) console.error(name, form.complaints);
        await form.close();
      }
    }
  } finally {
    await harness.close();
  }
}
