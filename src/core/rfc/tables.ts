/** Parses alternatives in tables, one per row or per column. */
import { plainText, type Block, type Markdown } from '../kit/markdownTree.ts';
import { alternativeDraft, points, type AlternativeDraft } from './alternativeDraft.ts';
import { partOf, type Part } from './labels.ts';

type Table = Extract<Block, { type: 'table' }>;

/** Alternatives from all tables whose column or row names are recognised. */
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

/** Whether the table is about alternatives; a comparison by the author's own criteria stays text. */
function names(parts: readonly (Part | null)[]): boolean {
  return parts.some(isArgument) || (parts[0] === 'name' && parts.length > 1);
}

/** Unknown columns are added to the description under their name. */
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

/** Rows of a table below one alternative that contains only its arguments; otherwise null. */
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

function cellText(source: string): string {
  const open = source.startsWith('|') ? source.slice(1) : source;
  const bare = open.endsWith('|') && !open.endsWith('\\|') ? open.slice(0, -1) : open;
  return bare.replaceAll('\\|', '|').trim();
}
