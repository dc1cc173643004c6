/**
 * Open questions in the text of an RFC: check boxes, or all points of a list where no point has one, with the choices that
 * their author lists under them.
 */
import {
  endOf,
  parseMarkdown,
  plainText,
  startOf,
  type Block,
  type ListItem,
  type Markdown,
} from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { labelsLookDistinct } from '../records/answer.ts';
import { readMark } from './document.ts';
import type { OfferedChoice, RfcDocument } from '../records/rfc.ts';
import { onOneLine, sameTextKey } from '../kit/text.ts';
import { seenText } from '../kit/visible.ts';
import { limits } from '../kit/limits.ts';

type OpenQuestion = RfcDocument['questions'][number];

/** Duplicates are removed. */
export function parseQuestions(text: string): OpenQuestion[] {
  const markdown = parseMarkdown(withoutComments(text));
  const found = new Map<string, OpenQuestion>();
  const boxes = markdown.blocks.flatMap((block) => checkBoxes(markdown, block));
  for (const question of boxes.length > 0 ? boxes : pointsOf(markdown).flatMap(({ question }) => question)) {
    const key = sameTextKey(question.text);
    if (!found.has(key)) found.set(key, question);
  }
  return [...found.values()];
}

function checkBoxes(markdown: Markdown, block: Block): OpenQuestion[] {
  if (block.type !== 'list') return [];
  return block.children.flatMap((item) => {
    const own = questionOf(markdown, item);
    return [...(own ? [own] : []), ...item.children.flatMap((child) => checkBoxes(markdown, child))];
  });
}

/** The points of lists, which are questions where no point has a box. */
function pointsOf(markdown: Markdown): { readonly item: ListItem; readonly question: OpenQuestion[] }[] {
  return markdown.blocks
    .flatMap((block) => (block.type === 'list' ? block.children : []))
    .map((item) => {
      const question = questionOf(markdown, item, unboxed);
      return { item, question: question ? [question] : [] };
    });
}

type Read = (text: string) => readonly [whole: string, mark: string, words: string] | null;

const boxed: Read = (text) => /^\[([ xX])\]\s+(.*)$/s.exec(text) as unknown as ReturnType<Read>;

const nothingOpen = /^[*_]*(?:none|nothing|n\/a|no (?:open |unresolved )?questions?)\b[^?]*$/i;

const unboxed: Read = (text) => (nothingOpen.test(text) ? null : [text, text.startsWith('~~') ? 'x' : ' ', text]);

function questionOf(markdown: Markdown, item: ListItem, read: Read = boxed): OpenQuestion | null {
  const { source } = markdown;
  const [first, ...rest] = item.children;
  if (first?.type !== 'paragraph') return null;
  const [, mark, written = ''] = read(source(first)) ?? [];
  if (mark === undefined) return null;
  const line = written
    .split('\n')
    .map((part) => part.trim())
    .join(' ');
  // Too long for a question: it will be shortened, and is not parsed further.
  if (line.length > limits.questionText + limits.otherText) return { text: line, answered: mark !== ' ' };
  if (mark === ' ') {
    const { choices } = questionBelow(markdown, item);
    return { text: line.replaceAll('~~', ''), answered: false, ...(choices.length === 0 ? {} : { choices }) };
  }
  const { text, answer } = splitAnswer(line);
  const more = rest.filter((block) => block.type !== 'list').map((block) => source(block).trim());
  const said = [answer, ...more].filter((part) => part !== '').join('\n\n');
  return { text, answered: true, ...(said === '' ? {} : { answer: said }) };
}

/** Splits `~~Which store?~~ **RESOLVED: SQLite.** It is there.` into question and answer. */
function splitAnswer(line: string): { text: string; answer: string } {
  const marker = / [*_]{0,3}(?:(?:resolved|answer(?:ed)?|decided|decision)[*_]{0,3} ?[:–—-]|→) ?/i.exec(line);
  const struck = /^~~(.+?)~~\s*/.exec(line);
  const end = marker && marker.index > 0 ? marker.index : (struck?.[0].length ?? line.length);
  const answer = marker && marker.index > 0 ? line.slice(marker.index + marker[0].length) : line.slice(end);
  const plain = (text: string) => text.replaceAll('~~', '').trim();
  return {
    text: plain(line.slice(0, end)),
    answer: plain(answer)
      .replace(/^[→:–—-]+\s*/, '')
      .replace(/\*\*/g, '')
      .trim(),
  };
}

export interface WrittenQuestion {
  readonly choices: OfferedChoice[];
  /** Everything else there, as it was written; and all of it. */
  readonly more: string;
  readonly all: string;
}

export interface WrittenQuestions {
  /** The text without its open and its answered questions. */
  readonly rest: string;
  /** By `sameTextKey` of the question. */
  readonly byText: ReadonlyMap<string, WrittenQuestion>;
}

/**
 * Takes questions out of a text, for a page that shows each of them by itself.
 * @param known which ones, as `sameTextKey` of their words
 */
export function writtenQuestions(text: string, known: ReadonlySet<string>): WrittenQuestions {
  const byText = new Map<string, WrittenQuestion>();
  const markdown = safelyParsed(text);
  const left: string[] = [];
  let at = 0;
  const hasBoxes = markdown.blocks.some((block) => checkBoxes(markdown, block).length > 0);
  for (const { item, question: point } of pointsOf(markdown)) {
    const question = hasBoxes ? questionOf(markdown, item) : point[0];
    if (!question) continue;
    const key = sameTextKey(readMark(question).text);
    if (!known.has(key)) continue;
    if (!byText.has(key)) byText.set(key, questionBelow(markdown, item));
    left.push(text.slice(at, startOf(item)));
    at = endOf(item);
  }
  const parts = [...left, text.slice(at)].map((part) => part.replace(/^\s*\n/, '').trimEnd());
  return { rest: parts.filter((part) => part !== '').join('\n\n'), byText };
}

/** A text that nests too deeply was not read for questions either. */
function safelyParsed(text: string): Markdown {
  try {
    return parseMarkdown(text);
  } catch (error) {
    if (error instanceof RangeError) return parseMarkdown('');
    throw error;
  }
}

function questionBelow(markdown: Markdown, item: ListItem): WrittenQuestion {
  const blocks = item.children.slice(1);
  const lists = blocks.filter((block) => block.type === 'list');
  const [list] = lists;
  const choices = list && lists.length === 1 ? choicesOf(markdown, list) : [];
  const written = (which: readonly Block[]) => which.map((block) => dedent(markdown.source(block), block)).join('\n\n');
  const others = blocks.filter((block) => choices.length === 0 || block !== list);
  return { choices, more: written(others), all: written(blocks) };
}

/** Lines after the first keep the indentation of the item they stand in. */
function dedent(source: string, { position }: Block): string {
  return source.replace(new RegExp(`^ {1,${String(Math.max(1, (position?.start.column ?? 1) - 1))}}`, 'gm'), '');
}

/** One point for each choice. None if one of them cannot be a choice. */
function choicesOf(markdown: Markdown, list: Extract<Block, { type: 'list' }>): OfferedChoice[] {
  const choices = list.children.flatMap((item) => {
    const [first, ...rest] = item.children;
    return first?.type === 'paragraph' && rest.length === 0 ? choiceOf(markdown.source(first)) : [];
  });
  const fits = choices.length === list.children.length && labelsLookDistinct(choices);
  return fits && choices.length >= 2 && choices.length <= limits.choices ? choices : [];
}

const recommendation = /\s*[*_]*[[(]recommended[\])][*_]*/i;

/** `**SQLite**: no server (recommended)` */
function choiceOf(written: string): OfferedChoice[] {
  const line = onOneLine(written);
  if (/^\[[ xX]\]\s/.test(line)) return [];
  const said = line.replace(recommendation, '');
  const [, start = said, , more = ''] = /^(.{1,200}?)(:[*_]*\s|\s[–—-]\s)(.*)$/.exec(said) ?? [];
  const label = plainText({ value: start });
  const description = more.trim();
  if (seenText(label) === '' || label.length > limits.title || description.length > limits.otherText) return [];
  return [
    {
      label,
      ...(description === '' ? {} : { description }),
      ...(recommendation.test(line) ? { recommended: true as const } : {}),
    },
  ];
}
