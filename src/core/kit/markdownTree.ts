/**
 * Parses Markdown into a tree of blocks (CommonMark with tables) with access to the source of nodes. Inline markup and
 * block quotes stay text: they are not needed here, and parsing many brackets or quotes takes quadratic time.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

type Root = ReturnType<typeof fromMarkdown>;
export type Block = Root['children'][number];
export type Heading = Extract<Block, { type: 'heading' }>;
export type ListItem = Extract<Block, { type: 'list' }>['children'][number];

export interface Markdown {
  readonly blocks: readonly Block[];
  /** The source text of a node. */
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
