/** Names and texts as they are compared and shown. */

import { limits } from './limits.ts';
import { isPersonName, personOf, shortAgent } from './persons.ts';
import { visibleText } from './visible.ts';

const agentNameLength = 64;

/** `{type}-{number}`, for example `backend-worker-001`: the ids that programs get. */
const numberedAgent = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{1,6}$/;

export function isNumberedAgent(id: string): boolean {
  return id.length <= limits.id && numberedAgent.test(id);
}

/**
 * Why no agent can have this id; null if one can: any name of 1 to 64 characters that cannot be mistaken for another, in a
 * shared journal after its person. A name gives no authority: only signatures do.
 */
export function agentIdProblem(id: string): string | null {
  const name = shortAgent(id);
  if (id.length > limits.id || !(isNumberedAgent(name) || isAgentName(name)))
    return `must be a name of 1 to ${String(agentNameLength)} letters, digits, spaces and . _ - @ : + #, such as backend-worker-001 or alice`;
  if (!isPersonName(personOf(id) ?? 'none')) return 'begins with what cannot be the name of a person';
  return otherActors.has(sameNameKey(name)) ? 'is the name of another kind of actor' : null;
}

/** Begins and ends with a letter or digit of any script; no slash, quote or character that is not seen. */
function isAgentName(id: string): boolean {
  return id.length <= agentNameLength && /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@:+#-]*[\p{L}\p{M}\p{N}])?$/u.test(id);
}

/** Who else acts: an agent of such a name would pass for a human or for Holdpoint itself. */
const otherActors = new Set(['human', 'humans', 'user', 'system', 'timer', 'reviewer', 'holdpoint', 'steward']);

/** The form in which two names are the same to a reader. */
export function sameNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Normalised form for comparing questions: NFC, trimmed, white space collapsed, case-folded. */
export function sameTextKey(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** A text by others on one line, so that no line of an output is a text by others alone. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The first line of a text, at most `max` characters, with an ellipsis if truncated. */
export function firstLine(text: string, max = 120): string {
  const line = text.split('\n', 1)[0] ?? '';
  const characters = Array.from(line);
  if (characters.length > max) return `${characters.slice(0, max - 1).join('')}…`;
  return line.length < text.length ? `${line}…` : line;
}

/** One line for display: hidden characters appear as codes. */
export function shownLine(text: string, max = 120): string {
  return visibleText(firstLine(text, max));
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Said {
  readonly choices: readonly string[];
  readonly text?: string | null | undefined;
}

/** Choices and text of a human's answer, on one line: `JWT, Sessions: both for now`. */
export function answerLine({ choices, text = null }: Said): string {
  return [choices.join(', '), text].filter((part) => part !== null && part !== '').join(': ');
}

export const namedAtMost = 20;

/** `Q-1, Q-2 and 481 more` */
export function fewNames(names: readonly string[], separator = ', ', atMost = namedAtMost): string {
  const more = names.length - atMost;
  const shown = names.slice(0, atMost).join(separator);
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

export function fewLines(lines: readonly string[]): string[] {
  const more = lines.length - namedAtMost;
  return more > 0 ? [...lines.slice(0, namedAtMost), `And ${String(more)} more.`] : [...lines];
}

/** Same order as `localeCompare` for ISO times, but much faster. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `1 question`, `2 questions`: for agents and terminals, whose texts are in English. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

// Markdown as one reads it in a list: its words, without markup.

const fence = /^\s*(?:```|~~~)[^\n]*\n/;
const link = /!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/g;
const blockMarks = /^(?:\s*(?:#{1,6}\s|>|[-+*]\s))*\s*/;
const code = /`([^`\n]+)`/;
const strong = /\*\*|__|~~/g;
const emphasis = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,200})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/** Unchanged if nothing else is left. */
export function plainText(text: string): string {
  const words = text
    .replace(fence, '')
    .replace(link, '$1')
    .replace(blockMarks, '')
    .split(code)
    .map((part, index) => (index % 2 === 0 ? part.replace(strong, '').replace(emphasis, '$2') : part))
    .join('')
    .trim();
  return words === '' ? text.trim() : words;
}

/** One line without markup. The editor cuts it where its row ends. */
export function rowLabel(text: string): string {
  return firstLine(plainText(text), 200);
}
