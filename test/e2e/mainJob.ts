import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Page, PageScreenshotOptions } from 'playwright-core';
import { answerAsHuman, pick, questionShown } from '../support/answerForm.ts';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint, type Called } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import {
  startScriptedModel,
  toolResults,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import type { EditorWindow } from '../support/window.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { writeMovingPicture, type Picture } from '../support/movingPicture.ts';
import { packInto } from '../support/vsix.ts';
import { question, work } from './apiTokens.ts';

type Clip = NonNullable<PageScreenshotOptions['clip']>;

export interface MainJobOptions {
  /** A line of the transcript. */
  readonly say: (line: string) => void;
  readonly screenshots: boolean;
}

export interface MainJob {
  /** What `holdpoint gate --work t-1` said while the question waited, and after the answer. */
  readonly gateBefore: Called;
  readonly gateAfter: Called;
  /** What the agent's tools returned to it, in order of its calls. */
  readonly toolResults: readonly string[];
  /** How often the model was asked to go on, beside what the chat asks for itself (titles). */
  readonly turns: number;
  /** What the agent said last, as the chat shows it. */
  readonly lastWords: string;
  readonly webviewErrors: readonly string[];
}

/** All that the scripted agent does, one step a turn. */
const calls = [
  { name: 'holdpoint_record_work', input: work },
  {
    name: 'holdpoint_raise_question',
    input: {
      ...question,
      urgency: 'high',
      choices: [
        { label: 'JWT', description: 'Signed and stateless; a stolen one is good until it runs out.' },
        { label: 'Sessions', description: 'A look-up for each request; one delete revokes it.', recommended: true },
      ],
      background: 'Partners call us about 40 times a second. Two of them must be able to revoke access at once.',
      impact: 'Everything that partners log in to is built on this.',
      files: [{ path: 'src/auth.js', line: 2 }],
    },
  },
  { name: 'holdpoint_record_work', input: { id: 't-1', status: 'done' } },
] as const;

const lastWords = 'API tokens are done';

function agent(request: ModelRequest): ModelTurn {
  // The chat also asks its model for a title and the like, without tools.
  if (!hasHoldpoint(request)) return { say: 'API tokens' };
  const results = toolResults(request);
  const call = calls[results.length];
  return call ? { call: [call] } : { say: `${lastWords}. I received: ${results[1] ?? ''}` };
}

function hasHoldpoint(request: ModelRequest): boolean {
  return request.tools.some((tool) => tool.function.name === 'holdpoint_raise_question');
}

/** The main job of Holdpoint, each part real but the language model: an agent asks, a human answers, it goes on. */
export async function playMainJob(options: MainJobOptions): Promise<MainJob> {
  const workspace = await copyFolder(path.join(root, 'sample'));
  let model: ScriptedModel | undefined;
  let editor: Editor | undefined;
  let packed: TemporaryFolder | undefined;
  try {
    model = await startScriptedModel(agent);
    const settings = { 'editor.minimap.enabled': false };
    // Pictures show the installed package, as users see it.
    const vsix = options.screenshots ? { vsix: await packInto((packed = await temporaryFolder()).folder) } : {};
    editor = await openEditor({ workspace: workspace.folder, model: model.url, probe: false, settings, ...vsix });
    return await play(options, workspace.folder, editor, model);
  } finally {
    await editor?.close();
    await model?.close();
    await workspace.remove();
    await packed?.remove();
  }
}

async function play(
  { say, screenshots }: MainJobOptions,
  workspace: string,
  editor: Editor,
  model: ScriptedModel,
): Promise<MainJob> {
  const { window } = editor;
  const shell = { workspace, env: editor.env };
  const pictures: Picture[] = [];
  /** What README.md shows: the sidebar and the chat. */
  const shot = async (ms: number): Promise<void> => {
    if (!screenshots) return;
    const parts: Buffer[] = [];
    for (const part of ['.part.sidebar', '.part.auxiliarybar'])
      parts.push(await window.page.screenshot({ clip: await portrait(window, part) }));
    pictures.push({ parts, ms });
  };

  say('A developer opens VS Code on a workspace and asks Copilot, in agent mode, to build API tokens.');
  await askCopilot(window, 'Build API tokens for partners. Ask me when a choice is mine.');

  await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
  await window.command('Answer Next Question');
  const form = await questionShown(window);
  const question = form.locator('main[data-ready="true"] .question-text');
  await question.waitFor();
  say('The agent calls holdpoint_raise_question. Its question is in the sidebar:');
  say(`  ${(await question.innerText()).trim()}`);
  if (screenshots) await compose(window, form);
  await shot(3_000);

  const gateBefore = await holdpoint(shell, 'gate', '--work', 't-1');
  say(`$ holdpoint gate --work t-1      exit ${gateBefore.code}`);
  say(`  ${gateBefore.err || gateBefore.out}`);

  say('The developer picks "Sessions", adds a reason and clicks Answer.');
  await pick(form, { choice: 'Sessions' });
  await shot(1_500);
  await pick(form, { text: 'Revoking has to be instant.' });
  await shot(2_000);
  await answerAsHuman(form, {});
  await shot(1_500);

  const words = window.page.locator('.interactive-session .rendered-markdown', { hasText: lastWords }).last();
  await words.waitFor();
  const said = (await words.innerText()).trim();
  say('The same tool call returns the answer, and the agent goes on to its end. Its last words in the chat:');
  say(`  ${said}`);
  await form.locator('.delivery').waitFor();
  await shot(4_000);
  if (screenshots) {
    const file = path.join(root, 'screenshots', 'demo.gif');
    await mkdir(path.dirname(file), { recursive: true });
    await writeMovingPicture(file, pictures);
    say(`  picture: ${path.relative(root, file)}`);
  }

  const gateAfter = await holdpoint(shell, 'gate', '--work', 't-1');
  say(`$ holdpoint gate --work t-1      exit ${gateAfter.code}`);
  say(`  ${gateAfter.out || gateAfter.err}`);

  const turns = model.requests.filter(hasHoldpoint);
  const last = turns.at(-1);
  return {
    gateBefore,
    gateAfter,
    toolResults: last ? toolResults(last) : [],
    turns: turns.length,
    lastWords: said,
    webviewErrors: window.webviewErrors,
  };
}

/** As a developer would look at it: the code in question open beside the question, and room for both. */
async function compose({ page }: EditorWindow, form: Frame): Promise<void> {
  await form.locator('summary', { hasText: 'Files' }).click();
  await form.locator('button.chip', { hasText: 'auth.js' }).click();
  await page.locator('.editor-instance .view-line', { hasText: 'whoIs' }).waitFor();
  await form.locator('summary', { hasText: 'Files' }).click();
  const hint = page.locator('.interactive-session [class*="notification"]', { hasText: 'Set BYOK utility models' });
  const close = hint.locator('[class*="codicon-close"], [aria-label*="lose"], [aria-label*="ismiss"]').first();
  if (await close.isVisible()) await close.click();
  const sidebar = (await page.locator('.part.sidebar').boundingBox())!;
  const edge = sidebar.x + sidebar.width;
  await drag(page, [edge + 1, 500], [edge + 90, 500]);
  const answer = (await page.locator('.pane-header', { hasText: 'Answer' }).boundingBox())!;
  await drag(page, [sidebar.x + 150, answer.y], [sidebar.x + 150, 160]);
  // Out of the way: what a pointer rests on shows its scroll bars.
  await page.mouse.move(200, 12);
  await page.locator('.statusbar-item', { hasText: /Analyzing|Fetching/ }).waitFor({ state: 'detached' });
  await form.evaluate(() => {
    scrollTo(0, 0);
  });
  await page.locator('.editor-instance .scrollbar.visible').first().waitFor({ state: 'detached' });
}

/** A part of the window, cut to the form of the strip in the README: all its pictures are of one size. */
async function portrait({ page }: EditorWindow, part: string): Promise<Clip> {
  const { x, y } = (await page.locator(part).boundingBox())!;
  return { x, y, width: 380, height: 660 };
}

async function drag(
  page: Page,
  [fromX, fromY]: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
}
