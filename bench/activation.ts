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
      `In the extension host of ${host}: ready is the time to load the extension and of its \`activate\`, for which VS Code waits, also as processor time of the host; the window is the processor time of the host until everything is loaded and registered, in later turns. Stores are read after that. The pause is the longest time for which the extension host was blocked until two seconds later, including VS Code's own work.`,
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
  /** To load the extension, and of `activate`: what VS Code does between them is not counted. */
  readonly ready: number;
  readonly processor: number;
  /** Processor time until everything is registered. */
  readonly window: number;
  /** The longest pause. */
  readonly pause: number;
}

type ActivationFigures = Readonly<Record<keyof Times, readonly number[]>>;

/** Replaces the bundle's entry; the bundle itself is unchanged. */
const around = `const { monitorEventLoopDelay } = require('node:perf_hooks');
const vscode = require('vscode');
const processorSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
};
const timed = (run) => {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const result = run();
  return { result, ready: performance.now() - began, processor: processorSince(used) };
};
const pauses = monitorEventLoopDelay({ resolution: 2 });
pauses.enable();
const loaded = timed(() => require('./extension.cjs'));
exports.activate = (context) => {
  const used = process.cpuUsage();
  const active = timed(() => loaded.result.activate(context));
  const [ready, processor] = [loaded.ready + active.ready, loaded.processor + active.processor];
  const api = active.result;
  const registered = () => {
    const window = loaded.processor + processorSince(used);
    setTimeout(() => {
      pauses.disable();
      globalThis.holdpointTimes = { ready, processor, window, pause: pauses.max / 1e6 };
    }, 2_000);
  };
  // Ends once everything is registered, with an error: the path is not a folder.
  api.questions(vscode.Uri.file('/')).then(registered, registered);
  return api;
};
exports.deactivate = () => loaded.result.deactivate?.();
`;

async function measureActivation(parent: string, starts: number): Promise<ActivationFigures> {
  const extension = path.join(parent, 'around');
  await mkdir(extension, { recursive: true });
  for (const part of ['dist', 'media', 'package.nls.json'])
    await cp(path.join(root, part), path.join(extension, part), { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as object;
  await writeFile(
    path.join(extension, 'package.json'),
    JSON.stringify({ ...manifest, main: './dist/around.cjs' }, undefined, 2),
  );
  await writeFile(path.join(extension, 'dist', 'around.cjs'), around);
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
