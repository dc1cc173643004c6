/** The tree and the briefing in a real VS Code, with 100,000 events and 10,000 questions, compared with ten of each. */
import fs from 'node:fs';
import path from 'node:path';
import { expiryOf, nextQuestionId } from '../src/core/question/question.ts';
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
import { asker, environmentOf, makeSeed, openPlace, questionOf } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, short, thousands } from './stats.ts';

const goals = { pause: 50, view: 400, row: 1_000, briefing: 150 };

export const window: Part = {
  name: 'window',
  what: 'tree and briefing in a real VS Code with 100,000 events and 10,000 questions, against the same with ten of each',
  minutes: 5,
  async run({ folder, quick, say }) {
    const [questions, events] = quick ? [1_000, 5_000] : [10_000, 100_000];
    say('  with ten of each');
    const few = await measureWindow(
      await makeSeed(folder, 10, (write) => {
        writeEvents(write, 10);
      }),
      quick ? 3 : 4,
    );
    say(`  with ${thousands(questions)} questions and ${thousands(events)} events`);
    const many = await measureWindow(
      await makeSeed(folder, questions, (write) => {
        writeEvents(write, events);
      }),
      quick ? 3 : 4,
    );
    const rows = (what: string, of: keyof WindowFigures, goal: number) => {
      const [ours, limit] = [many[of].ms, few[of].ms].map(median) as [number, number];
      const [pause, idle] = [many[of].pause, few[of].pause].map(median) as [number, number];
      return [
        ...[what, `${short(ours)} ms`, `${short(limit)} ms`, `${short(ours / limit)} times`],
        ...[`at most ${String(goal)} ms`, met(ours, goal)],
        ...[`${short(pause)} ms`, `${short(idle)} ms`, met(pause, goals.pause)],
      ];
    };
    return [
      `### In the editor, with ${thousands(events)} events and ${thousands(questions)} questions`,
      `In ${await describeHost(await findHost())}. The limit is the same editor with ten of each. The pause is the longest time for which the extension host was blocked, including VS Code's own work; its goal is ${String(goals.pause)} ms.`,
      table(
        ['what', 'time', 'limit', 'against the limit', 'goal', 'met', 'longest pause', 'limit', 'met'],
        [
          rows('from the view to its first row, SQLite and the store loaded in it', 'tree', goals.view),
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
  readonly row: Times;
  readonly briefing: Times;
}

async function measureWindow(seed: Seed, rounds: number): Promise<WindowFigures> {
  const files = [...new Set(Array.from({ length: rounds + 1 }, (_, number) => pathOf(number * 7)))];
  for (const file of files) {
    fs.mkdirSync(path.join(seed.folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(seed.folder, file), 'export {};\n');
  }
  const editor = await openEditor({ workspace: seed.folder, env: environmentOf(seed) });
  const workspace = openPlace(seed);
  const figures = { tree: times(), row: times(), briefing: times() };
  try {
    const { window: shown } = editor;
    const store = await workspace.store();
    await extensionReady(shown);
    const row = (text: string) => shown.page.locator('.pane-body [role="treeitem"]', { hasText: text }).first();
    await timed(shown, figures.tree, async () => {
      await shown.evaluate(async ({ vscode }) => vscode.commands.executeCommand('holdpoint.waiting.focus'), undefined);
      await row('importer').waitFor();
    });
    for (let round = -1; round < rounds; round++)
      await timed(shown, round < 0 ? times() : figures.row, async () => {
        const mark = `Round ${String(round + 2)} of the bench?`;
        await askAnother(store, mark);
        await row(mark).waitFor();
      });
    await shown.command('Show Briefing');
    for (const [round, file] of files.entries()) {
      await timed(shown, round === 0 ? times() : figures.briefing, async () => {
        await open(shown, file);
        const frame = await shown.webview('main[data-view="briefing"]');
        await frame.locator('h1.focus', { hasText: path.basename(file) }).waitFor();
      });
    }
    return figures;
  } finally {
    workspace.close();
    await editor.close();
    fs.rmSync(path.dirname(seed.folder), { recursive: true, force: true });
  }
}

function times(): Times {
  return { ms: [], pause: [] };
}

/** A critical question without held work: the tree shows it first. */
async function askAnother(store: Store, text: string): Promise<void> {
  await store.transact(asker, ({ state, now }) => {
    const id = nextQuestionId(state);
    const question = questionOf(Number(id.slice(2)), id, expiryOf(state, now));
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
