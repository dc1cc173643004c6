/** Alternatives as people write them: a table, a heading each, or a list; with what speaks for and against. */
import { parseMarkdown, plainText } from '../kit/markdownTree.ts';
import type { Block, ListItem, Markdown } from '../kit/markdownTree.ts';
import type { Alternative } from '../records/rfc.ts';

type Part = 'name' | 'description' | 'pros' | 'cons' | 'effort';

const labels: readonly (readonly [Part, RegExp])[] = [
  ['pros', /^(?:pros?|advantages?|benefits?|upsides?|strengths?|for|good|\+|✅)$/],
  ['cons', /^(?:cons?|disadvantages?|drawbacks?|downsides?|weaknesses?|risks?|against|bad|why not|[-−]|❌)$/],
  ['effort', /^(?:effort(?: estimate)?|estimate|cost|size)$/],
  ['name', /^(?:alternatives?|options?|name|approach|choice|solution|what)$/],
  ['description', /^(?:description|summary|details?|how)$/],
];

function partOf(label: string): Part | null {
  const plain = label
    .toLowerCase()
    .replace(/[:*_]+/g, '')
    .trim();
  return labels.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

interface Draft {
  name: string;
  description: string[];
  pros: string[];
  cons: string[];
  effort: string[];
}

const draft = (name: string): Draft => ({ name, description: [], pros: [], cons: [], effort: [] });

/** Those a section tells of; empty when it is only prose. The section's text is kept as it is beside them. */
export function parseAlternatives(text: string): Alternative[] {
  const markdown = parseMarkdown(text);
  const drafts = [...tables(markdown), ...headed(markdown)];
  const found = drafts.length > 0 ? drafts : listed(markdown);
  return found
    .filter(({ name }) => name !== '')
    .map(({ name, description, pros, cons, effort }) => ({
      name,
      ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
      pros,
      cons,
      ...(effort.length === 0 ? {} : { effortEstimate: effort.join(' ') }),
    }));
}

/** A row each; columns this knows nothing of go into the description under their name. */
function tables({ blocks, source }: Markdown): Draft[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'table') return [];
    const [head, ...rows] = block.children;
    const columns = (head?.children ?? []).map((cell) => plainText(cell).trim());
    const parts = columns.map(partOf);
    const nameAt = Math.max(0, parts.indexOf('name'));
    return rows.map(({ children }) => {
      const made = draft(plainText(children[nameAt] ?? {}).trim());
      for (const [index, cell] of children.entries()) {
        const text = cellText(source(cell));
        if (index === nameAt || text === '') continue;
        const part = parts[index] ?? null;
        if (part === 'pros' || part === 'cons') made[part].push(...points(text));
        else if (part === 'effort' || part === 'description') made[part].push(text);
        else made.description.push(`${columns[index] ?? ''}: ${text}`);
      }
      return made;
    });
  });
}

/** Without the bars it stands between. */
function cellText(source: string): string {
  const open = source.startsWith('|') ? source.slice(1) : source;
  const bare = open.endsWith('|') && !open.endsWith('\\|') ? open.slice(0, -1) : open;
  return bare.replaceAll('\\|', '|').trim();
}

/** `a<br>b; c` to three. */
function points(text: string): string[] {
  return text
    .split(/<br ?\/?>|; |\n/i)
    .map((point) => point.replace(/^\s*[-*+•]\s+/, '').trim())
    .filter((point) => point !== '');
}

/** A heading each: of those of the highest rank, unless they are "Pros" and "Cons" themselves. */
function headed(markdown: Markdown): Draft[] {
  const depths = markdown.blocks.flatMap((block) =>
    block.type === 'heading' && partOf(plainText(block)) === null ? [block.depth] : [],
  );
  if (depths.length === 0) return [];
  const depth = Math.min(...depths);
  const drafts: Draft[] = [];
  let part: Part = 'description';
  for (const block of markdown.blocks) {
    if (block.type === 'heading' && block.depth <= depth && partOf(plainText(block)) === null) {
      drafts.push(draft(nameOf(plainText(block))));
      part = 'description';
      continue;
    }
    const current = drafts.at(-1);
    if (current) part = take(markdown, current, block, part);
  }
  return drafts;
}

/** `Option B: Sessions` to `Sessions`, `3.2 Sessions` to `Sessions`. */
function nameOf(heading: string): string {
  return heading
    .trim()
    .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
    .replace(/^(?:option|alternative)\s+(?:\d+|[a-z])\s*[:.)–—-]+\s*/i, '');
}

/** Adds a block to what it says something of. Returns what the next block is about unless it says so itself. */
function take(markdown: Markdown, to: Draft, block: Block, part: Part): Part {
  if (block.type === 'heading') return partOf(plainText(block)) ?? 'description';
  if (block.type === 'list') {
    for (const item of block.children) takeItem(markdown, to, item, part);
    return part;
  }
  const text = markdown.source(block);
  if (block.type !== 'paragraph') {
    to.description.push(text);
    return part;
  }
  // One paragraph may hold several labelled lines.
  let now: Part = 'description';
  const rest: string[] = [];
  for (const line of text.split(labelWithin)) {
    const labelled = labelledText(line);
    if (labelled) {
      now = labelled.part;
      add(to, now, labelled.text);
    } else if (now === 'description') rest.push(line);
    else add(to, now, line);
  }
  if (rest.length > 0) add(to, 'description', rest.join('\n'));
  return now;
}

/** A line ends, or the next label comes on the same line: `Pros: fast. Cons: dear.` */
const labelWithin = /\n| (?=\*{0,2}(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|effort)\*{0,2}:)/i;

/** `**Pros:** fast` or `Cons: slow`. */
function labelledText(line: string): { part: Part; text: string } | null {
  const [, label = '', text = ''] =
    /^\s*([*_]{0,2}[^:*_]{1,20}(?:[*_]{1,2})?:(?:[*_]{1,2})?|[*_]{2}[^:*_]{1,20}[*_]{2})\s*(.*)$/s.exec(line) ?? [];
  const part = label === '' ? null : partOf(label);
  return part === null || part === 'name' ? null : { part, text };
}

function add(to: Draft, part: Part, text: string): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  if (part === 'pros' || part === 'cons') to[part].push(...points(trimmed));
  else if (part === 'effort') to.effort.push(trimmed);
  else to.description.push(trimmed);
}

function takeItem(markdown: Markdown, to: Draft, item: ListItem, part: Part): void {
  const [first, ...rest] = item.children;
  if (!first) return;
  const text = markdown.source(first);
  const labelled = labelledText(text);
  const signed = /^([+−-])\s+(.*)$/s.exec(text);
  if (labelled) add(to, labelled.part, labelled.text);
  else if (signed) add(to, signed[1] === '+' ? 'pros' : 'cons', signed[2] ?? '');
  else if (part === 'pros' || part === 'cons') to[part].push(text.trim());
  else add(to, part, text);
  for (const block of rest)
    if (block.type === 'list')
      for (const inner of block.children) takeItem(markdown, to, inner, labelled?.part ?? part);
    else add(to, labelled?.part ?? part, markdown.source(block));
}

/** `- **Sessions**: as now` with what is beneath it. */
function listed(markdown: Markdown): Draft[] {
  return markdown.blocks.flatMap((block) => {
    if (block.type !== 'list') return [];
    return block.children.map((item) => {
      const [first, ...rest] = item.children;
      const made = headOf(first ? markdown.source(first) : '');
      for (const inner of rest) take(markdown, made, inner, 'description');
      return made;
    });
  });
}

/** The name is what stands out or comes before a colon or dash; else the first sentence. */
function headOf(text: string): Draft {
  const [, bold, after = ''] = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:.–—-]*\s*(.*)$/s.exec(text) ?? [];
  const [, before, rest = ''] = /^([^:\n]{1,100}?)(?::\s+|\s+[–—-]\s+)(.*)$/s.exec(text) ?? [];
  const [, sentence, more = ''] = /^(.{1,200}?[.!?])(?:\s+(.*))?$/s.exec(text) ?? [];
  const [name, description] =
    bold !== undefined ? [bold, after] : before !== undefined ? [before, rest] : [sentence ?? text, more];
  const made = draft(name.replace(/[:.]+$/, '').trim());
  add(made, 'description', description);
  return made;
}
