/**
 * Parses alternatives as people write them: as a table, headings, or a list, with arguments for and against. Skips
 * anything uncertain; the section's text keeps it all.
 */
import { parseMarkdown, plainText, type Block, type ListItem, type Markdown } from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { alternativeDraft, type AlternativeDraft } from './alternativeDraft.ts';
import { fill } from './arguments.ts';
import { isArguments, isGroup, isTogether, partOf, soleLabel } from './labels.ts';
import type { Alternative } from '../records/rfc.ts';
import { tabled } from './tables.ts';
import { sameTextKey } from '../kit/text.ts';

/**
 * The alternatives described in a section; empty for plain prose. The section's text is kept unchanged beside them.
 * @param more other sections with the arguments for and against each (MADR)
 */
export function parseAlternatives(text: string, more: readonly string[] = []): Alternative[] {
  const found = draftsOf(text);
  for (const argued of more.flatMap((other) => headed(parsed(other)))) {
    const known = found.find(({ name }) => sameTextKey(name) === sameTextKey(argued.name));
    if (!known) continue;
    for (const part of ['description', 'pros', 'cons', 'effort'] as const) known[part].push(...argued[part]);
  }
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

/** Whether a section contains the arguments for alternatives listed in another. */
export function hasArguments(heading: string): boolean {
  return isArguments(heading);
}

function draftsOf(text: string): AlternativeDraft[] {
  const markdown = parsed(text);
  for (const read of [headed, titled, tabled, listed]) {
    const found = read(markdown);
    if (found.length > 0) return read === headed ? [...tabled(beforeHeadings(markdown)), ...found] : found;
  }
  return [];
}

function parsed(text: string): Markdown {
  return parseMarkdown(separated(withoutComments(text)));
}

function beforeHeadings(markdown: Markdown): Markdown {
  const first = markdown.blocks.findIndex(({ type }) => type === 'heading');
  return { ...markdown, blocks: first < 0 ? markdown.blocks : markdown.blocks.slice(0, first) };
}

/** Inserts an empty line before `Cons:` right below a list; Markdown would add it to the last item. */
function separated(text: string): string {
  const lines = text.split('\n');
  let fenced = false;
  return lines
    .flatMap((line, index) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
      const above = lines[index - 1]?.trim() ?? '';
      return !fenced && above !== '' && line.trim() !== '' && soleLabel(line) !== null ? ['', line] : [line];
    })
    .join('\n');
}

/**
 * One alternative per heading, using the highest-ranking headings that are neither labels nor about all alternatives.
 */
function headed(markdown: Markdown): AlternativeDraft[] {
  const names = (block: Block) => block.type === 'heading' && isName(plainText(block));
  const depths = markdown.blocks.flatMap((block) => (block.type === 'heading' && names(block) ? [block.depth] : []));
  if (depths.length === 0) return [];
  const depth = Math.min(...depths);
  return regions(markdown, (block) => {
    if (block.type !== 'heading' || block.depth > depth) return null;
    // A heading about all alternatives ends the one before; `Pros` may have the same rank as a name.
    return names(block) ? nameOf(plainText(block)) : partOf(plainText(block)) === null ? '' : null;
  });
}

function isName(heading: string): boolean {
  return heading !== '' && partOf(heading) === null && !isTogether(heading) && !isGroup(heading);
}

const numbered = /^(?:option|alternative|approach|solution|proposal|variant)\s+(?:\d{1,3}|[a-z])\b/i;

/**
 * One alternative per standalone line: `**Sessions**`, `Option 2: Sessions`. Each alone in its paragraph, and at least
 * two.
 */
function titled(markdown: Markdown): AlternativeDraft[] {
  const title = (block: Block): string | null => {
    if (block.type === 'heading') return '';
    if (block.type !== 'paragraph') return null;
    const text = markdown.source(block).trim();
    if (text.includes('\n')) return null;
    const bold = /^(?:\*\*|__)([^*_]+)(?:\*\*|__):?$/.exec(text)?.[1]?.replace(/:$/, '') ?? null;
    if (bold !== null) return isName(bold) ? nameOf(bold) : null;
    return text.length <= 100 && numbered.test(text) ? nameOf(plainText({ value: text })) : null;
  };
  const found = regions(markdown, title);
  const isOption = markdown.blocks.some((block) => block.type === 'paragraph' && numbered.test(plainText(block)));
  return found.length > 1 || (isOption && found.length === 1) ? found : [];
}

/** The blocks from each name to the next. An empty name ends the one before. */
function regions(markdown: Markdown, name: (block: Block) => string | null): AlternativeDraft[] {
  const drafts: { readonly draft: AlternativeDraft; readonly blocks: Block[] }[] = [];
  let current: { readonly draft: AlternativeDraft; readonly blocks: Block[] } | null = null;
  for (const block of markdown.blocks) {
    const begins = name(block);
    if (begins === '') current = null;
    else if (begins !== null) drafts.push((current = { draft: alternativeDraft(begins), blocks: [] }));
    else current?.blocks.push(block);
  }
  for (const { draft, blocks } of drafts) fill(markdown, draft, blocks);
  return drafts.map(({ draft }) => draft);
}

/** Strips the prefix: `Option B: Sessions` and `3.2 Sessions` become `Sessions`. */
function nameOf(heading: string): string {
  const bare = heading.trim().replace(/^\d+(?:\.\d+)*[.)]?\s+/, '');
  return bare.replace(/^(?:option|alternative)\s+(?:\d+|[a-z])\s*[:.)–—-]+\s*/i, '').trim() || bare;
}

/** `- **Sessions**: as now`, with nested blocks. */
function listed(markdown: Markdown): AlternativeDraft[] {
  let heading = '';
  return markdown.blocks.flatMap((block, index) => {
    if (block.type === 'heading') heading = plainText(block);
    if (block.type !== 'list' || isTogether(heading) || partOf(heading) === 'pros' || partOf(heading) === 'cons')
      return [];
    const items = block.children.map((item) => ({ item, text: firstText(markdown, item) }));
    const above = markdown.blocks[index - 1];
    if (above?.type === 'paragraph' && !introduces(markdown.source(above))) return [];
    if (items.some(({ text }) => soleLabel(text.split('\n')[0] ?? '') !== null)) return [];
    return items.flatMap(({ item, text }) =>
      /\?\s*$/.test(text) ? [] : [listedOne(markdown, item, text.replace(/^\[[ xX]\]\s+/, ''))],
    );
  });
}

/** Whether a paragraph introduces a list of reasons, such as `It is worse:`, not of alternatives. */
function introduces(paragraph: string): boolean {
  return (
    !paragraph.trim().endsWith(':') ||
    (/\b(?:alternatives?|options?|approach(?:es)?|choices?|designs?|possibilities|ways|candidates|instead|consider(?:ed)?)\b/i.test(
      paragraph,
    ) &&
      !/\b(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|benefits?|downsides?|because|reasons?|problems?)\b/i.test(
        paragraph,
      ))
  );
}

function firstText({ source }: Markdown, item: ListItem): string {
  const [first] = item.children;
  return first?.type === 'paragraph' ? source(first) : '';
}

function listedOne(markdown: Markdown, item: ListItem, text: string): AlternativeDraft {
  const [, ...rest] = item.children;
  const lines = text.split('\n');
  const labelled = lines.findIndex(
    (line, index) => index > 0 && /^\s*(?:\*\*|__)?[^\s:*_]+(?:\*\*|__)?:/.test(line) && soleOrText(line),
  );
  const head = labelled < 0 ? text : lines.slice(0, labelled).join('\n');
  const { name, description } = headOf(head);
  const made = alternativeDraft(name);
  fill(markdown, made, [
    ...(description === '' ? [] : [description]),
    ...(labelled < 0 ? [] : [lines.slice(labelled).join('\n')]),
    ...rest,
  ]);
  return made;
}

function soleOrText(line: string): boolean {
  const part = partOf(line.split(':', 1)[0] ?? '');
  return part === 'pros' || part === 'cons' || part === 'effort';
}

/** The name is the emphasised part or the part before a colon or dash; otherwise the first sentence. */
function headOf(text: string): { name: string; description: string } {
  const [, bold, after = ''] = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:.–—-]*\s*(.*)$/s.exec(text) ?? [];
  const [, before, rest = ''] = /^([^:\n]{1,100}?)(?::\s+|\s+[–—-]\s+)(.*)$/s.exec(text) ?? [];
  const [, sentence, more = ''] = /^(.{1,200}?[.!?])(?:\s+(.*))?$/s.exec(text) ?? [];
  const [name, description] =
    bold !== undefined ? [bold, after] : before !== undefined ? [before, rest] : [sentence ?? text, more];
  const plain = plainText({ value: name })
    .replace(/\s+/g, ' ')
    .replace(/[:.]+$/, '')
    .trim();
  return { name: plain, description };
}
