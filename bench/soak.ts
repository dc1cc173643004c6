/**
 * npm run soak: two windows of a real VS Code, three MCP servers and a shell use one folder, while servers are killed
 * every few seconds; then checks that all agree and nothing is lost. Writes docs/reliability.md.
 * npm run soak -- --minutes 2    shorter, printed only
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { showAnswerView } from '../test/support/answerForm.ts';
import { openEditor } from '../test/support/editor.ts';
import { describeHost, findHost, root } from '../test/support/host.ts';
import { copyFolder } from '../test/support/scenario.ts';
import { extensionReady } from '../test/support/tools.ts';
import { machineLine, table, writeBetweenMarks } from './document.ts';
import { thousands } from './stats.ts';
import { newBook } from './soak/book.ts';
import { compare } from './soak/compare.ts';
import type { Check } from './soak/compare.ts';
import { newHuman } from './soak/human.ts';
import { newServer } from './soak/server.ts';
import { newShell } from './soak/shell.ts';

const at = process.argv.indexOf('--minutes');
const usualMinutes = 10;
const minutes = at < 0 ? usualMinutes : Number(process.argv[at + 1]);
if (!(minutes > 0)) throw new Error('--minutes takes a number of minutes');
const killEveryMs = 5_000;
const answerEveryMs = 6_000;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const started = performance.now();
const say = (line: string) => {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${line}`);
};

if (spawnSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);
const host = await describeHost(await findHost());
const machine = machineLine();
const workspace = await copyFolder(path.join(root, 'sample'));
const editor = await openEditor({ workspace: workspace.folder });
try {
  const book = newBook();
  const windows = [editor.window, await editor.openWindow()];
  for (const window of windows) {
    await extensionReady(window);
    await showAnswerView(window);
  }
  const place = { folder: workspace.folder, home: editor.env['HOME'] ?? '' };
  const servers = ['codex', 'claude-code', 'gemini'].map((name) => newServer(place, name, book));
  const shell = newShell({ workspace: workspace.folder, env: editor.env }, book);
  const humans = windows.map((window, index) => newHuman(window, `window ${String(index + 1)}`, book));
  say(`${host}, two windows, three MCP servers, a shell`);

  const until = performance.now() + minutes * 60_000;
  const goesOn = () => performance.now() < until;
  const work = [
    ...servers.map((server) => server.work(goesOn)),
    shell.work(goesOn),
    every(killEveryMs, async (count) => servers[count % servers.length]?.killAndRestart()),
    every(answerEveryMs, async (count) => humans[count % humans.length]?.answerOne()),
    every(30_000, () => {
      say(book.summary());
    }),
  ];
  await Promise.all(work);
  say('The work is over. Do all agree?');
  const checks = await compare({ place, book, servers, shell, windows });
  for (const server of servers) await server.close();
  const report = [
    `Machine: ${machine}. ${host}. ${String(minutes)} min of work.`,
    table(
      ['what happened', 'count'],
      Object.entries(book.counts).map(([what, count]) => [what, thousands(count)]),
    ),
    table(
      ['at the end', 'checked', 'result'],
      checks.map(({ what, checked, wrong }) => [
        what,
        thousands(checked),
        wrong.length === 0 ? 'yes' : `NO: ${wrong.slice(0, 5).join('; ')}`,
      ]),
    ),
  ].join('\n\n');
  console.log(`\n${report}\n`);
  for (const line of book.troubles) say(`trouble: ${line}`);
  process.exitCode = checks.every((check: Check) => check.wrong.length === 0) ? 0 : 1;
  if (minutes >= usualMinutes) await writeBetweenMarks('reliability.md', report);

  async function every(ms: number, act: (count: number) => unknown): Promise<void> {
    for (let count = 0; goesOn(); count++) {
      await sleep(Math.min(ms, Math.max(0, until - performance.now())));
      if (goesOn()) await act(count);
    }
  }
} finally {
  await editor.close();
  await workspace.remove();
}
process.exit();
