/**
 * What a tool of another MCP server may reach. Its input has no known form: paths, commands, program text and patches
 * are looked for in every field.
 */
import type { ToolUse } from '../call.ts';
import { classify } from '../shell/classify.ts';
import { commandOf, isPathKey, textsIn } from './fields.ts';
import type { Fields } from './fields.ts';
import { commandIn, isRemote, namesInText } from './namesInText.ts';
import { filesOfPatch } from './patch.ts';

const folderKey = /cwd|root|dir|folder|base|work(?:ing|space|tree)/i;
const commandKey = /command|cmd|shell|exec|^args$|^argv$|script/i;
/** A program in a field of its own, and its arguments. */
const namedProgram = /^(?:program|command|cmd|executable|binary|tool|name)$/i;
const namedWords = /^(?:args|argv|arguments|params|parameters|options)$/i;
const programKey = /^(?:code|source_?code|program|expression|function|query|js|javascript|python)$/i;

export function reachOfServerTool(
  input: Fields,
): Pick<ToolUse, 'files' | 'named' | 'wholeTree' | 'opaque' | 'command' | 'text'> {
  const all = textsIn(input, () => true);
  const paths = textsIn(input, isPathKey);
  const named = textsIn(input, (key) => isPathKey(key) || /glob/i.test(key));
  const folders = textsIn(input, (key) => folderKey.test(key));
  const commands = textsIn(input, (key) => commandKey.test(key));
  const programs = textsIn(input, (key) => programKey.test(key));
  if (!all || !paths || !named || !folders || !commands || !programs)
    return { files: [], named: [], wholeTree: false, opaque: true, command: '', text: '' };
  const ran = commands.map((command) => classify(command, 'posix'));
  // Only git changes files of which a line names none; texts about other programs are common.
  const lines = [...all, ...joinedLines(input)].filter((text) => /^\s*(?:\S*\/)?git\s/.test(text));
  const others = without(all, commands);
  const effects = [
    ...ran,
    ...lines.map((line) => classify(line, 'posix')),
    ...others.flatMap((text) => commandIn(text) ?? []),
  ];
  const changing = effects.filter(({ readOnly }) => !readOnly);
  const lists = [
    ...others.map((text) => ({ text, ...namesInText(text, false) })),
    ...named.map((text) => ({ text, ...namesInText(text, true) })),
  ];
  const patches = all.filter((text) => /[\n\r]/.test(text)).map(filesOfPatch);
  const bases = ['.', ...new Set(folders)];
  const words = all.filter((text) => /^[^\s]+$/.test(text) && /[/\\]|\.\w+$/.test(text) && !isRemote(text));
  const files = paths.filter((text) => !isRemote(text));
  return {
    files,
    named: [
      ...[...words, ...patches.flatMap((one) => one ?? []), ...files].map((path) => ({ path, bases })),
      ...lists.flatMap((one) => one.named).map((one) => ({ ...one, bases })),
      ...changing.flatMap((one) => one.paths),
      ...changing.flatMap((one) => one.paths.map((path) => ({ ...path, bases: folders }))),
    ],
    wholeTree: changing.some((one) => one.wholeTree),
    opaque: patches.includes(null) || changing.some((one) => one.opaque !== null),
    command: commands.join('\n'),
    text: [
      ...commands.filter((_, index) => ran[index]?.readOnly !== true),
      ...programs,
      ...changing.map((one) => one.text),
      ...lists.filter((one) => one.isTooLong).map((one) => one.text),
    ].join('\n'),
  };
}

/** Each is left out once: the same text may stand in another field, too. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...all];
  for (const text of some) {
    const at = rest.indexOf(text);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
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
