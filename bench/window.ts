/** The tree and the briefing in a real VS Code, with 100,000 events and 10,000 questions, compared with ten of each. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { keepHeld } from '../src/app/hold/keepHeld.ts';
import { expiryOf, nextQuestionId } from '../src/core/question/question.ts';
import { storeFolder } from '../src/store/journal/segments.ts';
import type { Store } from '../src/store/store.ts';
import { openEditor } from '../test/support/editor.ts';
import { describeHost, findHost } from '../test/support/host.ts';
import { extensionReady } from '../test/support/tools.ts';
import type { EditorWindow } from '../test/support/window.ts';
import { table } from './document.ts';
import { longestPause, watchPauses } from './loopPauses.ts';
import { pathOf, writeEvents } from './memory.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { asker, environmentOf, makeSeed, openPlace, questionOf, saved } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, short, thousands } from './stats.ts';

const goals = { pause: 50, view: 400, row: 1_000, briefing: 150 };

export const window: Part = {
  name: 'window',
  what: 'tree and briefing in a real VS Code with 100,000 events and 10,000 questions, against the same with ten of each',
  minutes: 12,
  async run({ folder, quick, say }) {
    const [questions, events] = quick ? [1_000, 5_000] : [10_000, 100_000];
    const plan = quick ? { starts: 1, rounds: 3 } : { starts: 3, rounds: 6 };
    say('  with ten of each');
    const few = await measureWindow(await naturalSeed(folder, 10, 10), plan);
    say(`  with ${thousands(questions)} questions and ${thousands(events)} events`);
    const many = await measureWindow(await naturalSeed(folder, questions, events), plan);
    const rows = (what: string, of: keyof WindowFigures, goal: number | null) => {
      const [ours, limit] = [many[of].ms, few[of].ms].map(median) as [number, number];
      const [pause, idle] = [many[of].pause, few[of].pause].map(median) as [number, number];
      return [
        ...[what, `${short(ours)} ms`, `${short(limit)} ms`, `${short(ours / limit)} times`],
        ...(goal === null ? ['none', ''] : [`at most ${String(goal)} ms`, met(ours, goal)]),
        ...[`${short(pause)} ms`, `${short(idle)} ms`, met(pause, goals.pause)],
      ];
    };
    return [
      `### In the editor, with ${thousands(events)} events and ${thousands(questions)} questions`,
      `In ${await describeHost(await findHost())}. The limit is the same editor with ten of each. The workspace is a git repository. The view is opened as soon as the extension is active, while VS Code and Holdpoint still start, and in other windows once the extension host has become idle, as it is for the other rows. After an update of Holdpoint, a window may find no saved state that it can use: for that row, the files are removed before each window. Medians: of ${String(plan.starts)} windows each for the first rows, else of ${String(plan.rounds)} rounds. The pause is the longest time for which the extension host was blocked, including VS Code's own work; its goal is ${String(goals.pause)} ms.`,
      table(
        ['what', 'time', 'limit', 'against the limit', 'goal', 'met', 'longest pause', 'limit', 'met'],
        [
          rows('from the view to its first row, once the start is over', 'tree', goals.view),
          rows('the same during the start, SQLite and the store loaded in it', 'treeAtStart', goals.view),
          rows('the same without a saved state, the whole journal read', 'treeUnsaved', null),
          rows('from another program’s commit to its row', 'row', goals.row),
          rows('from an opened file to its briefing', 'briefing', goals.briefing),
        ],
      ),
    ].join('\n\n');
  },
};

interface Times {
  /** Durations, and the longest pause of the extension host meanwhile. Milliseconds. */
  readonly ms: number[];
  readonly pause: number[];
}

interface WindowFigures {
  readonly tree: Times;
  readonly treeAtStart: Times;
  readonly treeUnsaved: Times;
  readonly row: Times;
  readonly briefing: Times;
}

interface Plan {
  /** Windows for each way of opening the view. */
  readonly starts: number;
  /** Rows and briefings. */
  readonly rounds: number;
}

/**
 * Held files have their baselines, which the programs that ask take. It is a repository, as most workspaces are: without
 * one, VS Code's git extension looks for it, by starting git, with each file that is opened.
 */
async function naturalSeed(folder: string, questions: number, events: number): Promise<Seed> {
  const seed = await makeSeed(folder, questions, (write) => {
    writeEvents(write, events);
  });
  const workspace = openPlace(seed);
  await workspace.store();
  while (await keepHeld(workspace));
  workspace.close();
  fs.writeFileSync(path.join(seed.folder, storeFolder, '.gitignore'), '*\n');
  execFileSync('git', ['init', '--quiet'], { cwd: seed.folder });
  return seed;
}

async function measureWindow(seed: Seed, { starts, rounds }: Plan): Promise<WindowFigures> {
  const figures = { tree: times(), treeAtStart: times(), treeUnsaved: times(), row: times(), briefing: times() };
  const files = [...new Set(Array.from({ length: rounds + 1 }, (_, number) => pathOf(number * 7)))];
  for (const file of files) {
    fs.mkdirSync(path.join(seed.folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(seed.folder, file), 'export {};\n');
  }
  try {
    for (let start = 0; start < starts; start++) {
      removeSaved(seed);
      await inEditor(seed, async (shown) => openView(shown, figures.treeUnsaved));
      await saved(seed);
      await inEditor(seed, async (shown) => openView(shown, figures.treeAtStart));
      await inEditor(seed, async (shown) => {
        await idle(shown);
        await openView(shown, figures.tree);
        if (start < starts - 1) return;
        await idle(shown);
        await measureRows(seed, shown, rounds, figures.row);
        await measureBriefings(shown, files, figures.briefing);
      });
    }
    return figures;
  } finally {
    fs.rmSync(path.dirname(seed.folder), { recursive: true, force: true });
  }
}

function removeSaved({ folder }: Seed): void {
  const files = path.join(folder, storeFolder);
  for (const name of fs.readdirSync(files))
    if (/^holdpoint-.*\.(sqlite|json)$/.test(name)) fs.rmSync(path.join(files, name));
}

async function inEditor(seed: Seed, run: (shown: EditorWindow) => Promise<void>): Promise<void> {
  const editor = await openEditor({ workspace: seed.folder, env: environmentOf(seed) });
  try {
    await extensionReady(editor.window);
    await run(editor.window);
  } finally {
    await editor.close();
  }
}

async function openView(shown: EditorWindow, into: Times): Promise<void> {
  await timed(shown, into, async () => {
    await shown.evaluate(async ({ vscode }) => vscode.commands.executeCommand('holdpoint.waiting.focus'), undefined);
    await seenRow(shown, 'importer');
  });
}

async function measureRows(seed: Seed, shown: EditorWindow, rounds: number, into: Times): Promise<void> {
  const workspace = openPlace(seed);
  try {
    const store = await workspace.store();
    for (let round = -1; round < rounds; round++)
      await timed(shown, round < 0 ? times() : into, async () => {
        const mark = `Round ${String(round + 2)} of the bench?`;
        await askAnother(store, mark);
        await seenRow(shown, mark);
      });
  } finally {
    workspace.close();
  }
}

async function measureBriefings(shown: EditorWindow, files: readonly string[], into: Times): Promise<void> {
  await shown.command('Show Briefing');
  const briefing = await shown.webview('main[data-view="briefing"]');
  await idle(shown);
  for (const [round, file] of files.entries())
    await timed(shown, round === 0 ? times() : into, async () => {
      await open(shown, file);
      await seen(briefing, 'h1.focus', path.basename(file));
    });
}

const seenRow = (shown: EditorWindow, text: string) => seen(shown.page, '.pane-body [role="treeitem"]', text);

/**
 * Until an element with this text is there, looked for with each frame. Playwright's own waits look after 0, 20, 70, 170,
 * 270 and 770 ms, which would add up to half a second.
 */
async function seen(where: Page | Frame, selector: string, text: string): Promise<void> {
  await where.waitForFunction(
    (wanted) => [...document.querySelectorAll(wanted.selector)].some((one) => one.textContent.includes(wanted.text)),
    { selector, text },
    { polling: 'raf' },
  );
}

/** Until the extension host does almost nothing for a second. */
async function idle(shown: EditorWindow): Promise<void> {
  for (let second = 0; second < 60; second++) if ((await shown.evaluate(usedInSecond, undefined)) < 50) return;
  throw new Error('the extension host did not become idle within a minute');
}

/** Runs in the extension host. Milliseconds of processor time. */
async function usedInSecond(): Promise<number> {
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function times(): Times {
  return { ms: [], pause: [] };
}

/** A critical question without held work: the tree shows it first. */
async function askAnother(store: Store, text: string): Promise<void> {
  await store.transact(asker, ({ state, now }) => {
    const id = nextQuestionId(state);
    const question = questionOf(Number(id.slice(2)), id, expiryOf(state, 'high', now));
    return { records: [{ ...question, text, urgency: 'critical', work: 'free', holds: [] }], result: id };
  });
}

async function open(shown: EditorWindow, file: string): Promise<void> {
  await shown.evaluate(async ({ vscode }, name) => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    if (root) await vscode.window.showTextDocument(vscode.Uri.joinPath(root.uri, name), { preview: true });
  }, file);
}

async function timed(shown: EditorWindow, into: Times, act: () => Promise<void>): Promise<void> {
  await shown.evaluate(watchPauses, undefined);
  const began = performance.now();
  await act();
  into.ms.push(performance.now() - began);
  into.pause.push((await shown.evaluate(longestPause, undefined)).ms);
}
