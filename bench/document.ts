/** Writes results into a page of bench/results, between two marks; the rest of the page is written by hand. */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as prettier from 'prettier';
import { root } from '../test/support/host.ts';
import { thousands } from './stats.ts';

/** @param run the name in the marks, for a page with several runs */
export async function writeBetweenMarks(page: string, text: string, run = 'the run'): Promise<void> {
  const [begin, end] = ['begin', 'end'].map((word) => `<!-- written by ${run}: ${word} -->`) as [string, string];
  const file = path.join(root, 'bench', 'results', page);
  const before = await readFile(file, 'utf8');
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (from < 0 || to < from) throw new Error(`bench/results/${page} has lost its marks: ${begin} and ${end}`);
  const after = `${before.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${before.slice(to)}`;
  await writeFile(file, await prettier.format(after, { ...(await prettier.resolveConfig(file)), parser: 'markdown' }));
}

/** A column of a table of the page, by the first cell of each row: what the last whole run wrote there. */
export async function lastColumn(page: string, heading: string, column: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(root, 'bench', 'results', page), 'utf8');
  const [, section = ''] = text.split(`\n### ${heading}\n`);
  const [head = [], , ...rows] = section
    .slice(0, section.indexOf('\n###'))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const place = head.indexOf(column);
  return new Map(rows.map((cells) => [cells[1] ?? '', cells[place] ?? '']));
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The machine's properties that affect the figures. The initial load shows whether it was busy. */
export function machineLine(...more: readonly string[]): string {
  const [cpu] = os.cpus();
  return [
    `${String(os.availableParallelism())} × ${cpu?.model.trim() ?? 'unknown processor'}`,
    `${thousands(Math.round(os.totalmem() / 2 ** 30))} GB`,
    `${os.type()} ${os.release().split('-', 1)[0] ?? ''}`,
    `Node ${process.versions.node}`,
    ...more,
    `load ${os.loadavg()[0]?.toFixed(1) ?? '?'} at the start`,
    new Date().toISOString().slice(0, 16).replace('T', ' '),
  ].join(', ');
}
