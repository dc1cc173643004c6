/** Names of files in a text that an MCP tool is given: a path, a list of paths, a glob or a command. Prose is left alone. */
import { classify } from '../shell/classify.ts';
import { beforeWildcard } from '../shell/names.ts';
import type { Effect, NamedPath } from '../shell/word.ts';

const startOfCommand = /^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?(?:\S*\/)?([a-z]+)\s/;
const programs =
  /^(?:rm|rmdir|unlink|shred|mv|cp|ln|dd|truncate|chmod|chown|rsync|g?sed|[gmn]?awk|printf|sh|zsh|npx|xargs)$/;
/** A text may begin with them that is no command, or one about them. */
const words = /^(?:tee|touch|install|tar|unzip|zip|perl|ed|ex|patch|cat|echo|bash|env|prettier|find|cd)$/;

/** What a text does if it is a command that does not only read; null if it is none, or only reads. */
export function commandIn(text: string): Effect | null {
  const program = startOfCommand.exec(text)?.[1] ?? '';
  const isWord = words.test(program);
  if (!isWord && !programs.test(program)) return null;
  const effect = classify(text, 'posix');
  if (effect.readOnly) return null;
  return isWord ? { ...effect, opaque: null } : effect;
}

/** More are not looked up on the disk. */
const partsAtMost = 500;

export interface NamesInText {
  readonly named: readonly Pick<NamedPath, 'path' | 'isCut'>[];
  /** It has too many parts: held names are looked for in the text. */
  readonly isTooLong: boolean;
}

/**
 * The parts of a list, cut at wildcards. A text counts as a list if it has at least as many paths as other words.
 * @param isPath the name of its field suggests that it names files
 */
export function namesInText(text: string, isPath: boolean): NamesInText {
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

/** The folder around what a wildcard names. A question mark may end a sentence. */
function cut(part: string): NamesInText['named'][number] {
  if (!looksLikePath(part) && !/[*[{]/.test(part)) return { path: part };
  const { path, isCut } = beforeWildcard(part);
  return isCut ? { path, isCut } : { path };
}

/** A resource of another machine. As a path it would have `..` to come back from the folder of that name. */
export function isRemote(text: string): boolean {
  return /^(?:https?|wss?):\/\/[\w[]/i.test(text) && !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)|%2e|[\u0000-\u0020\\]/i.test(text);
}
