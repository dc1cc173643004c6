/** Whether the commands in the pages exist: verbs and options of `holdpoint`, scripts of npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/host.ts';
import { accepted, helpOf, subcommands } from './commandLineHelp.ts';

/** Calls of `holdpoint` in shell commands, each from its name to the next shell operator. */
export function callsIn(shell: string): readonly string[] {
  const plain = shell.replace(/'[^']*'|"[^"]*"/g, '_').replace(/\s#.*$/gm, '');
  return plain.split(/[;|&>\n]|\s--\s/).flatMap((part) => /(?:^|\s)holdpoint(?:\s.*)?$/.exec(part)?.[0].trim() ?? []);
}

/**
 * Names the first part of a call that the command line lacks; null if it has all. `a|b` in a verb are alternatives,
 * brackets are optional parts, `…` as the verb is any verb.
 */
export async function unknownIn(call: string): Promise<string | null> {
  const [, ...all] = call.replace(/[[\]]/g, ' ').trim().split(/\s+/);
  if (all[0] === '…') return null;
  const options = all.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []);
  const global = accepted(await helpOf([]));
  let verbs: readonly (readonly string[])[] = [[]];
  for (const word of all) {
    const [first] = verbs;
    const known = subcommands(await helpOf(first ?? []));
    if (known.length === 0 || word.startsWith('-')) break;
    const names = word.split('|').filter((name) => name !== '…');
    const missing = names.find((name) => !known.includes(name));
    if (missing !== undefined) return `${(first ?? []).join(' ')} ${missing}`.trim();
    verbs = names.map((name) => [...(first ?? []), name]);
  }
  for (const option of options) {
    const takes = await Promise.all(verbs.map(async (verb) => accepted(await helpOf(verb)).has(option)));
    if (!takes.some(Boolean) && !global.has(option) && option !== '--help') return option;
  }
  return null;
}

/** The same for `npm run`, `npm test`, `npm start` and a file passed to `npx mocha`. */
export function unknownToNpm(command: string): string | null {
  const file = /^npx mocha (\S+\.ts)/.exec(command)?.[1];
  if (file !== undefined) return existsSync(path.join(root, file)) ? null : file;
  const [, named, short, rest = ''] = /^npm (?:run ([\w:-]+)|(test|start))\b(?: -- (.*))?/.exec(command) ?? [];
  const script = named ?? short;
  if (script === undefined) return null;
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const source = /^node (\S+)/.exec(scripts[script] ?? '')?.[1];
  if (scripts[script] === undefined) return script;
  const steps = script === 'test' ? (/--only (\S+)/.exec(rest)?.[1]?.split(',') ?? []) : [];
  const known = steps.length === 0 ? [] : stepNames();
  const step = steps.find((name) => !known.includes(name));
  if (step !== undefined) return step;
  const text = source === undefined ? '' : readFileSync(path.join(root, source), 'utf8');
  const option = [...rest.matchAll(/--([\w-]+)/g)].find(([, name = '']) => !text.includes(name));
  return option?.[0] ?? null;
}

function stepNames(): readonly string[] {
  const list = execFileSync(process.execPath, ['scripts/test.mjs', '--list'], { cwd: root, encoding: 'utf8' });
  return list.trim().split('\n');
}
