/**
 * Measures the extension's own time during VS Code's start, by an extension that wraps it, in a real extension host.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openEditor } from '../test/support/editor.ts';
import { describeHost, findHost, root } from '../test/support/host.ts';
import { copyFolder } from '../test/support/scenario.ts';
import { table } from './document.ts';
import { met, type Part } from './part.ts';
import { median, quantile, short, spread } from './stats.ts';

/** Milliseconds. */
const goal = 100;

export const activation: Part = {
  name: 'activation',
  what: "the extension's own time while a real VS Code starts it",
  minutes: 4,
  async run({ folder, quick }) {
    const host = await describeHost(await findHost());
    const { ready, processor, window, pause } = await measureActivation(folder, quick ? 3 : 9);
    return [
      '### Start of the extension',
      `In the extension host of ${host}: ready is the time from the beginning until \`activate\` has returned, for which VS Code waits, also as processor time of the host; the window is the processor time until everything is loaded and registered, in later turns. Stores are read after that. The pause is the longest time for which the extension host was blocked until two seconds later, including VS Code's own work.`,
      table(
        ['ready', 'processor', 'p95', 'goal', 'met', 'window', 'longest pause'],
        [
          [
            ...[ready, processor].map((each) => `${spread(each)} ms`),
            `${short(quantile(processor, 0.95))} ms`,
            `under ${String(goal)} ms`,
            met(median(processor), goal),
            `${spread(window)} ms`,
            `${spread(pause)} ms`,
          ],
        ],
      ),
    ].join('\n\n');
  },
};

/** Milliseconds of one start. */
interface Times {
  /** Until `activate` has returned. */
  readonly ready: number;
  readonly processor: number;
  /** Processor time until everything is registered. */
  readonly window: number;
  /** The longest pause. */
  readonly pause: number;
}

type ActivationFigures = Readonly<Record<keyof Times, readonly number[]>>;

/** Replaces the bundle's entry; the bundle itself is unchanged. */
const around = `import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
const processorSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
};
const began = performance.now();
const used = process.cpuUsage();
const pauses = monitorEventLoopDelay({ resolution: 2 });
pauses.enable();
const extension = await import('./extension.cjs');
export const activate = async (context) => {
  const api = await extension.activate(context);
  const ready = performance.now() - began;
  const processor = processorSince(used);
  // Returns once everything is registered, with an error: the path is not a folder.
  await api.questions(vscode.Uri.file('/')).catch(() => undefined);
  const window = processorSince(used);
  setTimeout(() => {
    pauses.disable();
    globalThis.holdpointTimes = { ready, processor, window, pause: pauses.max / 1e6 };
  }, 2_000);
  return api;
};
export const deactivate = () => extension.deactivate?.();
`;

async function measureActivation(parent: string, starts: number): Promise<ActivationFigures> {
  const extension = path.join(parent, 'around');
  await mkdir(extension, { recursive: true });
  for (const part of ['dist', 'media', 'package.nls.json'])
    await cp(path.join(root, part), path.join(extension, part), { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as object;
  await writeFile(
    path.join(extension, 'package.json'),
    JSON.stringify({ ...manifest, main: './dist/around.mjs' }, undefined, 2),
  );
  await writeFile(path.join(extension, 'dist', 'around.mjs'), around);
  const workspace = await copyFolder(path.join(root, 'sample'));
  const editor = await openEditor({ workspace: workspace.folder, extension });
  const all: Times[] = [];
  try {
    let shown = editor.window;
    for (let start = 0; start < starts; start++) {
      if (start > 0) {
        // Each page has its own extension host. We do not wait for the previous one, which lingers idle.
        const next = await editor.openWindow();
        await shown.page.close();
        shown = next;
      }
      all.push(await shown.evaluate(timesWhenActive, undefined));
    }
  } finally {
    await editor.close();
    await workspace.remove();
  }
  const of = (figure: keyof Times) => all.map((each) => each[figure]);
  return { ready: of('ready'), processor: of('processor'), window: of('window'), pause: of('pause') };
}

/** Runs in the extension host. Waits for VS Code to activate the extension, without activating it. */
async function timesWhenActive(): Promise<Times> {
  const scope = globalThis as { holdpointTimes?: Times };
  for (let tries = 0; tries < 600; tries++) {
    if (scope.holdpointTimes) return scope.holdpointTimes;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the extension was not activated');
}
