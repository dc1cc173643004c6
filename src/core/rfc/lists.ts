/** Lists in the text of an RFC that are read in addition to it: open questions with their choices, and alternatives. */
import { withoutComments } from '../kit/markdownComments.ts';
import { onOneLine, sameTextKey } from '../kit/text.ts';
import { labelsLookDistinct } from '../records/question.ts';
import { readMark } from './document.ts';
import type { OfferedChoice, RfcDocument, Alternative } from '../records/rfc.ts';
import { seenText } from '../kit/visible.ts';
import { limits } from '../kit/limits.ts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

// Parses Markdown into a tree of blocks (CommonMark with tables) with access to the source of nodes. Inline markup and
// block quotes stay text: they are not needed here, and parsing many brackets or quotes takes quadratic time.

type Root = ReturnType<typeof fromMarkdown>;
type Block = Root['children'][number];
export type Heading = Extract<Block, { type: 'heading' }>;
type ListItem = Extract<Block, { type: 'list' }>['children'][number];

export interface Markdown {
  readonly blocks: readonly Block[];
  source(node: Placed): string;
  readonly text: string;
}

interface Placed {
  readonly position?: Root['position'];
}

const blocksOnly = {
  disable: {
    null: [
      'attention',
      'autolink',
      'blockQuote',
      'codeText',
      'definition',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

/** Fifty list markers at the start of a line: never intended, and slow to parse. */
const tooDeep = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){50}/m;

/** @throws RangeError for excessively nested lists */
export function parseMarkdown(text: string): Markdown {
  if (tooDeep.test(text)) throw new RangeError('the lists nest too deeply');
  const { children } = fromMarkdown(text, {
    extensions: [gfmTable(), blocksOnly],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  return { blocks: children, text, source: (node) => text.slice(startOf(node), endOf(node)) };
}

export function startOf(node: Placed): number {
  return node.position?.start.offset ?? 0;
}

export function endOf(node: Placed): number {
  return node.position?.end.offset ?? 0;
}

/** Text of a heading or cell, without markup. */
export function plainText(node: object): string {
  return stripMarks(wordsOf(node)).trim();
}

function wordsOf(node: object): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  return 'children' in node && Array.isArray(node.children)
    ? node.children
        .map((child: unknown) => (typeof child === 'object' && child !== null ? wordsOf(child) : ''))
        .join('')
    : '';
}

/** `**Kafka** and [this](there)` to `Kafka and this`. */
function stripMarks(text: string): string {
  return text
    .replace(/\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, '$1')
    .replace(/(?<![\p{L}\p{N}])[*_`~]+|[*_`~]+(?![\p{L}\p{N}])/gu, '');
}

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

interface WrittenQuestion {
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

// Alternatives that a section lists: a heading for each, or a point that begins with its name and a colon. Arguments
// follow a label such as `Pros`. The section's text keeps everything, also what is written in another way.

const parts = ['description', 'pros', 'cons', 'effort'] as const;
type Part = (typeof parts)[number];
type Draft = Readonly<Record<Part, string[]>> & { readonly name: string };

const labels: Readonly<Record<Exclude<Part, 'description'>, RegExp>> = {
  pros: /^(?:pros?|advantages?|benefits?|for)$/i,
  cons: /^(?:cons?|disadvantages?|drawbacks?|against)$/i,
  effort: /^effort(?: estimate)?$/i,
};

export function parseAlternatives(text: string): Alternative[] {
  // Right below a list, Markdown would add the line to its last point.
  const markdown = parseMarkdown(withoutComments(text).replace(/\n(?=[*_]*[a-z]{3,15}:[*_]*[ \t]*\n)/gi, '\n\n'));
  const named = markdown.blocks.filter(
    (block): block is Heading => block.type === 'heading' && !labelled(plainText(block)),
  );
  return (named.length > 0 ? headed(markdown, named) : listedAlternatives(markdown)).map(
    ({ name, description, pros, cons, effort }) => ({
      name,
      ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
      ...{ pros, cons },
      ...(effort.length === 0 ? {} : { effortEstimate: effort.join(' ') }),
    }),
  );
}

/** `Pros`, `**Cons:** slow`. Null without a label, and for a line with two. */
function labelled(text: string): { readonly part: Part; readonly rest: string } | null {
  const [, label = '', rest = ''] = /^[*_]*([a-z ]{1,30})[*_]*(?::[*_]*\s*(.*))?$/is.exec(text.trim()) ?? [];
  const part = parts.find((one) => one !== 'description' && labels[one].test(label.trim()));
  return part === undefined || /\b(?:pros?|cons?)\W*:/i.test(rest) ? null : { part, rest };
}

function draftOf(name: string): Draft {
  return { name, description: [], pros: [], cons: [], effort: [] };
}

/** The headings of the highest rank are the names. */
function headed(markdown: Markdown, named: readonly Heading[]): Draft[] {
  const depth = Math.min(...named.map((heading) => heading.depth));
  const names = named.filter((heading) => heading.depth === depth);
  return names.flatMap((heading, index) => {
    const from = markdown.blocks.indexOf(heading);
    const next = names[index + 1];
    const draft = draftOf(plainText(heading));
    take(markdown, draft, markdown.blocks.slice(from + 1, next && markdown.blocks.indexOf(next)));
    return draft.name === '' ? [] : [draft];
  });
}

function listedAlternatives(markdown: Markdown): Draft[] {
  const items = markdown.blocks.flatMap((block) => (block.type === 'list' ? block.children : []));
  return items.flatMap((item) => {
    const [, name = '', description = ''] = /^([^:\n]{1,300}):[*_]*\s+(.*)$/s.exec(textOf(markdown, item)) ?? [];
    const draft = draftOf(plainText({ value: name.replace(/^[*_]+/, '') }));
    if (draft.name === '' || labelled(name)) return [];
    draft.description.push(description);
    take(markdown, draft, item.children.slice(1));
    return [draft];
  });
}

function textOf({ source }: Markdown, { children: [first] }: ListItem): string {
  return first?.type === 'paragraph' ? source(first).trim() : '';
}

/** A label applies to its own text and to the lists after it. */
function take(markdown: Markdown, to: Draft, blocks: readonly Block[]): void {
  let part: Part = 'description';
  for (const block of blocks) {
    const text = markdown.source(block).trim();
    const label = block.type === 'heading' ? labelled(plainText(block)) : labelled(text);
    if (
      block.type === 'list' &&
      (part !== 'description' || block.children.some((one) => labelled(textOf(markdown, one))))
    )
      for (const item of block.children) takePoint(markdown, to, item, part);
    else if (label) {
      part = label.part;
      if (label.rest !== '') to[part].push(label.rest);
    } else {
      part = 'description';
      to.description.push(text);
    }
  }
}

function takePoint(markdown: Markdown, to: Draft, item: ListItem, part: Part): void {
  const label = labelled(textOf(markdown, item));
  if (label?.rest === '') {
    for (const block of item.children)
      if (block.type === 'list') for (const inner of block.children) takePoint(markdown, to, inner, label.part);
  } else if (label) to[label.part].push(label.rest);
  else to[part].push(item.children.map((block) => markdown.source(block).trim()).join('\n\n'));
}
