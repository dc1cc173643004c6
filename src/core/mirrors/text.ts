/**
 * Builds a mirror: front matter, a body and a stamp. Text by agents and people is quoted or escaped, so it can neither
 * end the front matter nor pose as something else.
 */
import { stringify } from 'yaml';
import { commentsIn } from '../kit/text.ts';
import { cleanPath, PathError } from '../kit/paths.ts';
import type { Trust } from '../records/decision.ts';
import { hidesSomething, visibleJson, visibleText } from '../kit/visible.ts';

// Neutralises links in Markdown documents: VS Code follows links in Markdown source by any scheme, `command:` among
// them. In agents' text, links that could run or open something lead nowhere: their colon is encoded, and they stay
// readable.

/** Places where Markdown, or HTML in it, starts a link target. Only these schemes, because much code looks like one. */
const target =
  /(\]\(\s*<?\s*|\]:\s*<?\s*|<|\b(?:href|src)\s*=\s*["']?\s*)(command|vscode[a-z-]*|file|javascript|vbscript):(?=\S)/gi;

export function withoutCommands(markdown: string): string {
  return markdown.replace(target, '$1$2%3A');
}

type Scalar = string | number | boolean | null;

/** A mirror without its stamp. Every key is on one line, so no line of a value can be `---`. */
export function frontMattered(keys: Readonly<Record<string, Scalar>>, body: string): string {
  const lines = Object.entries(keys).map(([key, value]) => `${keyLine(key, value)}\n`);
  return `---\n${lines.join('')}---\n\n${body.trimEnd()}\n`;
}

/** Words that some version of YAML does not read as a string. */
const yamlWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/**
 * Ids, our own words and times are written verbatim: for each of them the library takes as long as for a whole mirror.
 */
const asItIs = /^(?:[A-Za-z][\w-]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

function isPlain(value: Scalar): boolean {
  if (typeof value === 'string') return asItIs.test(value) && !yamlWord.test(value);
  return typeof value === 'number' ? Number.isSafeInteger(value) && !Object.is(value, -0) : true;
}

/** Escapes line separators and hidden characters as JSON does, which is valid YAML. */
function keyLine(key: string, value: Scalar): string {
  if (isPlain(value)) return `${key}: ${String(value)}`;
  const plain = stringify({ [key]: value }, { blockQuote: false, lineWidth: 0 }).trimEnd();
  if (typeof value !== 'string' || !(/[\r\n\t]/.test(value) || hidesSomething(value) || plain.includes('\n')))
    return plain;
  return `${key}: ${visibleJson(value)}`;
}

// Development versions said it in other words.
const stampLine =
  /\n<!-- Written by Holdpoint from its (?:journal; edits here are|database; what is edited here is) lost\. ([0-9a-f]{64}) -->\n$/;

/** Appends the last line: a hash of everything before it, which reveals manual edits. */
export function addStamp(text: string, hash: Trust['hash']): string {
  return `${text}\n<!-- Written by Holdpoint from its journal; edits here are lost. ${hash(text)} -->\n`;
}

/** Whether a file is an unedited mirror of any date. */
export function isUntouched(file: string, hash: Trust['hash']): boolean {
  const stamp = stampLine.exec(file);
  return stamp !== null && hash(file.slice(0, stamp.index)) === stamp[1];
}

const lineBreak = /\r\n|[\n\r\u2028\u2029]/;

/** The start of a link definition for the mark of our own ticked boxes, `[x]`, which would lead there. */
const tickDefinition = /\[(?=[\s>]*x[\s>]*\]:)/gi;

export function asBlockQuote(text: string): string {
  return visibleText(withoutCommands(text).replace(tickDefinition, '\\['))
    .split(lineBreak)
    .map((line) => (line === '' ? '>' : `> ${line.replaceAll('<', '&lt;')}`))
    .join('\n');
}

/** Quotes a document: comments on lines of their own are folded where the viewer supports it. */
export function quotedDocument(text: string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { from, to } of commentsIn(text)) {
    const alone = /(?:^|\n)[ \t]*$/.test(text.slice(at, from)) && /^[ \t]*(?:\n|$)/.test(text.slice(to));
    if (!alone) continue;
    parts.push(asBlockQuote(text.slice(at, from).trim()), foldComment(text.slice(from + 4, to - 3)));
    at = to;
  }
  parts.push(asBlockQuote(text.slice(at).trim()));
  return parts.filter((part) => part !== '>').join('\n>\n');
}

function foldComment(comment: string): string {
  return `> <details><summary>Comment</summary>\n>\n${asBlockQuote(comment.replace(/^-+|-+$/g, '').trim())}\n>\n> </details>`;
}

/** Foreign text within a line of ours, with all markup escaped. */
export function inline(text: string): string {
  return visibleText(text.replace(/[\s\u2028\u2029]+/gu, ' '))
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&');
}

/**
 * A link given by an agent or person. A workspace path is linked relative to the mirror, a URL is shown as such,
 * anything else is text.
 * @param up from the mirror's folder to the root, for example `../../..`
 */
export function relativeLink(link: string, up: string): string {
  if (/^https?:\/\/[^\s<>\\`"]+$/i.test(link) && !hidesSomething(link)) return `<${link}>`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return inline(link);
  try {
    const path = cleanPath(link);
    const target = [up, ...path.split('/').map((part) => encodeURIComponent(part))].join('/');
    return `[${inline(path)}](${target.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return inline(link);
  }
}

export function heading(title: string, lines: readonly (string | null)[]): string | null {
  const said = lines.filter((line) => line !== null);
  return said.length === 0 ? null : `## ${title}\n\n${said.join('\n')}`;
}

/** Joins parts with an empty line between them. */
export function parts(...all: readonly (string | null)[]): string {
  return all.filter((part) => part !== null && part !== '').join('\n\n');
}
