/** Alternatives in tables: a row each, or a column each. */
import { plainText } from '../kit/markdownTree.ts';
import type { Block, Markdown } from '../kit/markdownTree.ts';
import { alternativeDraft, points } from './alternativeDraft.ts';
import type { AlternativeDraft } from './alternativeDraft.ts';
import { partOf } from './labels.ts';
import type { Part } from './labels.ts';

type Table = Extract<Block, { type: 'table' }>;

/** All that stand in tables whose columns, or rows, say what they are. */
export function tabled(markdown: Markdown): AlternativeDraft[] {
  return markdown.blocks.flatMap((block) => (block.type === 'table' ? ofTable(cellsOf(markdown, block)) : []));
}

interface Cell {
  readonly plain: string;
  readonly text: string;
}

function cellsOf({ source }: Markdown, table: Table): Cell[][] {
  return table.children.map(({ children }) =>
    children.map((cell) => ({ plain: plainText(cell).trim(), text: cellText(source(cell)) })),
  );
}

function ofTable(rows: readonly (readonly Cell[])[]): AlternativeDraft[] {
  const head = rows[0] ?? [];
  const parts = head.map(({ plain }) => partOf(plain));
  if (names(parts) && (parts.includes('name') || !isArgument(parts[0] ?? null))) return byRow(rows, parts);
  const first = rows.map((row) => partOf(row[0]?.plain ?? ''));
  if (!names(first.slice(1))) return [];
  const turned = head.map((_, column) => rows.map((row) => row[column] ?? { plain: '', text: '' }));
  return byRow(turned, [null, ...first.slice(1)]);
}

const isArgument = (part: Part | null) => part === 'pros' || part === 'cons';

/** Whether it is about alternatives at all: a comparison by criteria of the author's own is left to be read. */
function names(parts: readonly (Part | null)[]): boolean {
  return parts.some(isArgument) || (parts[0] === 'name' && parts.length > 1);
}

/** Columns this knows nothing of go into the description under their name. */
function byRow(
  [head = [], ...rows]: readonly (readonly Cell[])[],
  parts: readonly (Part | null)[],
): AlternativeDraft[] {
  const nameAt = Math.max(0, parts.indexOf('name'));
  return rows.map((row) => {
    const made = alternativeDraft(row[nameAt]?.plain ?? '');
    for (const [index, { text }] of row.entries()) {
      if (index === nameAt || text === '') continue;
      const part = parts[index] ?? null;
      if (part === 'pros' || part === 'cons') made[part].push(...points(text));
      else if (part === 'effort' || part === 'description') made[part].push(text);
      else made.description.push(`${head[index]?.plain ?? ''}: ${text}`);
    }
    return made;
  });
}

/** Of a table beneath one alternative that has only what speaks for it and against it; else null. */
export function argumentRows(
  markdown: Markdown,
  table: Table,
): { readonly pros: readonly string[]; readonly cons: readonly string[] } | null {
  const [head = [], ...rows] = cellsOf(markdown, table);
  const parts = head.map(({ plain }) => partOf(plain));
  if (parts.length === 0 || !parts.every(isArgument)) return null;
  const of = (part: Part) =>
    rows.flatMap((row) => row.flatMap(({ text }, index) => (parts[index] === part ? points(text) : [])));
  return { pros: of('pros'), cons: of('cons') };
}

/** Without the bars it stands between. */
function cellText(source: string): string {
  const open = source.startsWith('|') ? source.slice(1) : source;
  const bare = open.endsWith('|') && !open.endsWith('\\|') ? open.slice(0, -1) : open;
  return bare.replaceAll('\\|', '|').trim();
}
