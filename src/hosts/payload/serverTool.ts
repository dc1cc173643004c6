/**
 * What a tool of another MCP server may reach. Its input has no known form: paths, commands, program text and patches
 * are looked for in every field.
 */
import type { ToolUse } from '../call.ts';
import { classify } from '../shell/classify.ts';
import { beforeWildcard, type Effect, type NamedPath } from '../shell/word.ts';
import { commandOf, isPathKey, textsIn, filesOfPatch, type Fields } from './toolKinds.ts';

const folderKey = /cwd|root|dir|folder|base|work(?:ing|space|tree)/i;
const commandKey = /command|cmd|shell|exec|^args$|^argv$|script/i;
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
  const others = withoutWords(all, commands);
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
function withoutWords(all: readonly string[], some: readonly string[]): string[] {
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

// Names of files in a text: a path, a list of paths, a glob or a command. Prose is left alone.

const startOfCommand = /^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?(?:\S*\/)?([a-z]+)\s/;
const programs =
  /^(?:rm|rmdir|unlink|shred|mv|cp|ln|dd|truncate|chmod|chown|rsync|g?sed|[gmn]?awk|printf|sh|zsh|npx|xargs)$/;
/** A text may begin with them that is not a command, or one about them. */
const words = /^(?:tee|touch|install|tar|unzip|zip|perl|ed|ex|patch|cat|echo|bash|env|prettier|find|cd)$/;

/** What a text does if it is a command that does not only read; null if it is none, or only reads. */
function commandIn(text: string): Effect | null {
  const program = startOfCommand.exec(text)?.[1] ?? '';
  const isWord = words.test(program);
  if (!isWord && !programs.test(program)) return null;
  const effect = classify(text, 'posix');
  if (effect.readOnly) return null;
  return isWord ? { ...effect, opaque: null } : effect;
}

/** More are not looked up on the disk. */
const partsAtMost = 500;

interface NamesInText {
  readonly named: readonly Pick<NamedPath, 'path' | 'isCut'>[];
  /** It has too many parts: held names are looked for in the text. */
  readonly isTooLong: boolean;
}

/**
 * The parts of a list, cut at wildcards. A text is treated as a list if it has at least as many paths as other words.
 * @param isPath the name of its field suggests that it names files
 */
function namesInText(text: string, isPath: boolean): NamesInText {
  const parts = [...new Set(partsOf(text))];
  const paths = parts.filter(looksLikePath);
  if (!isPath && paths.length * 2 < parts.length) return { named: [], isTooLong: false };
  if (parts.length > partsAtMost) return { named: [], isTooLong: true };
  return { named: parts.map(cut), isTooLong: false };
}

function partsOf(text: string): string[] {
  return text
    .split(/[\s,\u0080-\u009f]+/)
    .filter((word) => !isRemote(word))
    .flatMap((word) => word.split(/['"`()<>;|&=:]+/))
    .filter((part) => part !== '' && !part.startsWith('-'));
}

function looksLikePath(part: string): boolean {
  return /\/|\w\\[\w*?]|\.[\w*?]+$/.test(part) && !/^[\d.]+$/.test(part);
}

/** The folder around the matches of a wildcard. A question mark may end a sentence. */
function cut(part: string): NamesInText['named'][number] {
  if (!looksLikePath(part) && !/[*[{]/.test(part)) return { path: part };
  const { path, isCut } = beforeWildcard(part);
  return isCut ? { path, isCut } : { path };
}

/** A resource of another machine. As a path it would have `..` to come back from the folder of that name. */
function isRemote(text: string): boolean {
  return /^(?:https?|wss?):\/\/[\w[]/i.test(text) && !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)|%2e|[\u0000-\u0020\\]/i.test(text);
}
