/**
 * What a tool of another MCP server may reach. Its input has no known form: paths, commands, program text and patches
 * are looked for in every field.
 */
import type { ToolUse } from '../call.ts';
import { classify } from '../shell/classify.ts';
import { commandOf, isPathKey, textsIn } from './fields.ts';
import type { Fields } from './fields.ts';
import { filesOfPatch } from './patch.ts';

const folderKey = /cwd|root|dir|folder|base|work(?:ing|space|tree)/i;
const commandKey = /command|cmd|shell|exec|^args$|^argv$|script/i;
/** A program in a field of its own, and its arguments. */
const namedProgram = /^(?:program|command|cmd|executable|binary|tool|name)$/i;
const namedWords = /^(?:args|argv|arguments|params|parameters|options)$/i;
const programKey = /^(?:code|source_?code|program|expression|function|query|js|javascript|python)$/i;

/** A resource of another machine. As a path it would have `..` to come back from the folder of that name. */
function isRemote(text: string): boolean {
  return /^(?:https?|wss?):\/\/[\w[]/i.test(text) && !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)|%2e|[\u0000-\u0020\\]/i.test(text);
}

export function reachOfServerTool(
  input: Fields,
): Pick<ToolUse, 'files' | 'named' | 'wholeTree' | 'opaque' | 'command' | 'text'> {
  const all = textsIn(input, () => true);
  const paths = textsIn(input, isPathKey);
  const folders = textsIn(input, (key) => folderKey.test(key));
  const commands = textsIn(input, (key) => commandKey.test(key));
  const programs = textsIn(input, (key) => programKey.test(key));
  if (!all || !paths || !folders || !commands || !programs)
    return { files: [], named: [], wholeTree: false, opaque: true, command: '', text: '' };
  // Only git changes files of which a line names none; texts about other programs are common.
  const lines = [...all, ...joinedLines(input)].filter((text) => /^\s*(?:\S*\/)?git\s/.test(text));
  const ran = [...commands, ...lines].map((command) => classify(command, 'posix'));
  const patches = all.filter((text) => /[\n\r]/.test(text)).map(filesOfPatch);
  const bases = ['.', ...new Set(folders)];
  const named = all.filter((text) => /^[^\s]+$/.test(text) && /[/\\]|\.\w+$/.test(text) && !isRemote(text));
  return {
    files: paths.filter((text) => !isRemote(text)),
    named: [
      ...[...named, ...patches.flatMap((files) => files ?? [])].map((path) => ({ path, bases })),
      ...paths.filter((text) => !isRemote(text)).map((path) => ({ path, bases })),
      ...ran.flatMap((one) => (one.readOnly ? [] : one.paths)),
    ],
    wholeTree: ran.some((one) => one.wholeTree),
    opaque: patches.includes(null) || ran.some((one) => one.opaque !== null),
    command: commands.join('\n'),
    text: [...commands.filter((_, index) => ran[index]?.readOnly !== true), ...programs].join('\n'),
  };
}

/** `{program: 'git', args: ['reset', '--hard']}`, `{argv: ['git', 'reset']}` */
function joinedLines(value: unknown, depth = 0): string[] {
  if (depth > 6 || typeof value !== 'object' || value === null) return [];
  const entries: [string, unknown][] = Object.entries(value);
  const texts = (wanted: RegExp) => entries.filter(([key]) => wanted.test(key)).map(([, inside]) => inside);
  const words = texts(namedWords).flatMap((inside) => {
    const line = commandOf({ words: inside }, 'words');
    return line === null ? [] : [line];
  });
  const programs = texts(namedProgram).filter((inside) => typeof inside === 'string');
  return [
    ...words,
    ...programs.flatMap((program) => words.map((line) => `${program} ${line}`)),
    ...entries.flatMap(([, inside]) => joinedLines(inside, depth + 1)),
  ];
}
