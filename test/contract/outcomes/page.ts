/** The second half of docs/outcomes.md: the actual output of each channel for each outcome. */
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { channels, type Said } from './channels.ts';
import type { Kind } from './kinds.ts';
import { makePlace } from './place.ts';
import { scenarios } from './scenarios.ts';

export const heading = '## Each outcome by each channel';

export const kinds = Object.keys(scenarios) as Kind[];

export interface Section {
  readonly title: string;
  /** A row of the table of exit codes and results. */
  readonly row: string;
  readonly text: string;
}

export async function section(kind: Kind): Promise<Section> {
  const said: [string, Said][] = [];
  const cells: string[] = [];
  for (const [name, channel] of Object.entries(channels)) {
    const one = await channel(makePlace, scenarios[kind]);
    removeSandboxes();
    cells.push(one === null ? '–' : short(one));
    if (one !== null) said.push([name, one]);
  }
  const title = titleOf(kind);
  const lines = said.map(
    ([name, one]) => `- ${name}${details(one)}: ${one.text === '' ? 'nothing' : stable(one.text)}`,
  );
  return { title, row: `| ${[title, ...cells].join(' | ')} |`, text: [`### ${title}`, '', ...lines].join('\n') };
}

/** The whole second half, with all sections. */
export function half(sections: readonly Section[]): string {
  const names = Object.keys(channels);
  return [
    heading,
    '',
    'Written by `npm run outcomes`, which makes each outcome happen and asks each channel; a test compares every cell. “–” means that the channel has nothing about this kind of item. Hooks are asked with the next prompt, and the language-model tool returns text alone.',
    '',
    `| outcome | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
    ...sections.map(({ row }) => row),
    '',
    ...sections.map(({ text }) => `${text}\n`),
  ].join('\n');
}

function titleOf(kind: Kind): string {
  const name = kind.replace('rfc', 'RFC').replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function short({ exit, result, text }: Said): string {
  const parts = [exit === null ? '' : String(exit), result === null ? '' : `\`${result}\``].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? (text === '' ? 'nothing' : 'text') : parts.join(' ');
}

function details({ exit, result }: Said): string {
  const parts = [exit === null ? '' : `exit ${String(exit)}`, result === null ? '' : `\`${result}\``];
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : ` (${given.join(', ')})`;
}

/** The output as code on one line, without the parts that differ on each run. */
function stable(text: string): string {
  const line = text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d\.\d{3}Z| UTC)/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, 'DAY')
    .replaceAll(/\b(?:[0-9a-f]{12}|[0-9a-f]{40})\b/g, 'COMMIT')
    .replaceAll(/\bkey [0-9a-f]{16}\b/g, 'key KEY')
    .replaceAll(/\((?:less than )?\d+ (?:min|h|d)\)/g, '(AGE)')
    .split('\n')
    .filter((one) => one !== '')
    .join(' ⏎ ');
  return `\`\` ${line} \`\``;
}
