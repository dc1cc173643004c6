/**
 * Writes screenshots/<surface>/<state>-<theme>.png for every state, in four themes and narrow.
 * `node test/webview/screenshots.ts [question|memory|rfc|dashboard|hosts|audit [state…]]`.
 *
 * With `screens`: one state of each surface for docs/dev/screens.md, with its accessibility tree and its tab stops.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
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
if (surface === 'screens') {
  await screen('sidebar', questionSurface, scenes['full']!, [340, 640]);
  await screen('tab', questionSurface, scenes['queue']!, [900, 640]);
  await screen('phone', questionSurface, scenes['full']!, [390, 844]);
  await screen('rfc', rfcSurface, rfcScenes['full']!, [1100, 700]);
  await screen('overview', dashboardSurface, dashboardScenes['full']!, [900, 640]);
  await screen('decisions', auditSurface, auditScenes['sound']!, [900, 640]);
  await screen('notes', briefingSurface, briefingScenes['full']!, [340, 640]);
  await screen('devices', questionSurface, scenes['devices']!, [680, 800]);
  await screen('rules', questionSurface, scenes['settings']!, [1000, 760]);
  await screen('hosts', setupSurface, setupScenes['first']!, [900, 400]);
}

/** In every theme and as a tree; a small picture in docs/screens. */
async function screen<Message extends { type: string }, Sent extends { view: { type: string } }>(
  name: string,
  shown: Surface<Message, Sent>,
  play: (form: Form<Message, Sent>) => Promise<void>,
  [width, height]: readonly [number, number],
): Promise<void> {
  const root = path.join(import.meta.dirname, '..', '..');
  const folder = path.join(root, 'screenshots', 'screens');
  await mkdir(folder, { recursive: true });
  await mkdir(path.join(root, 'docs', 'screens'), { recursive: true });
  const harness = await startSurface(shown);
  const small = 0.6;
  try {
    const form = await harness.open({ width, height });
    await play(form);
    for (const theme of themeNames) {
      await form.wear(theme);
      await form.page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
    }
    const tree = await form.page.locator('main').ariaSnapshot();
    await writeFile(path.join(folder, `${name}.txt`), [tree, '', ...(await tabStops(form.page))].join('\n'));
    const light = await harness.open({ width: width * small, height: height * small, zoom: small, theme: 'light' });
    await play(light);
    await light.page.screenshot({ path: path.join(root, 'docs', 'screens', `${name}.png`) });
  } finally {
    await harness.close();
  }
}

/** What has the focus after each Tab, until something has it again. */
async function tabStops(page: Page): Promise<string[]> {
  const stops: string[] = [];
  const seen = await page.evaluateHandle(() => new Set<Element | null>());
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate((before) => {
      const { activeElement: at } = document;
      if (before.has(at)) return null;
      before.add(at);
      // Between the last and the first.
      if (at === null || at === document.body) return '';
      const label = at.getAttribute('aria-label') ?? (at as Partial<HTMLInputElement>).labels?.[0]?.textContent;
      return `${at.getAttribute('role') ?? at.localName}: ${label ?? at.textContent}`;
    }, seen);
    if (stop === null) return stops;
    if (stop !== '') stops.push(`Tab: ${stop.replace(/\s+/g, ' ').slice(0, 80)}`);
  }
}

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
