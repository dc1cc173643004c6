/**
 * Parses alternatives as people write them: as a table, headings, or a list, with arguments for and against. Skips
 * anything uncertain; the section's text keeps it all.
 */
import { parseMarkdown, plainText, type Block, type ListItem, type Markdown, startOf } from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { alternativeDraft, type AlternativeDraft, add } from './alternativeDraft.ts';
import {
  isArguments,
  isGroup,
  isTogether,
  partOf,
  soleLabel,
  labelledItem,
  labelledText,
  type Part,
} from './labels.ts';
import type { Alternative } from '../records/rfc.ts';
import { tabled, argumentRows } from './tables.ts';
import { sameTextKey } from '../kit/text.ts';

// Parses the arguments for and against one alternative from the blocks below its name.

interface Place {
  readonly part: Part;
  /**
   * Scope of a label: until the next heading, for the next block (a label alone), for the following list, or only its
   * own text.
   */
  readonly until: 'heading' | 'block' | 'list';
}

const nowhere: Place = { part: 'description', until: 'list' };

/** @param blocks strings represent paragraphs */
function fill(markdown: Markdown, to: AlternativeDraft, blocks: readonly (Block | string)[]): void {
  const signed = hasBothSigns(markdown, blocks);
  let place = nowhere;
  for (const block of blocks) {
    if (typeof block === 'string' || block.type === 'paragraph')
      place = takeText(to, typeof block === 'string' ? block : markdown.source(block), place);
    else if (block.type === 'heading') place = takeHeading(markdown, to, block);
    else if (block.type === 'list') {
      const sign = markdown.text[startOf(block)] === '+' ? 'pros' : 'cons';
      const part = signed && place.part === 'description' ? sign : place.part;
      for (const item of block.children) takeItem(markdown, to, item, part);
      if (place.until === 'block') place = { ...place, until: 'list' };
    } else {
      const rows = block.type === 'table' ? argumentRows(markdown, block) : null;
      if (rows) for (const part of ['pros', 'cons'] as const) to[part].push(...rows[part]);
      else to.description.push(markdown.source(block));
    }
  }
}

/** `+ fast` and `- dear` parse as two lists in Markdown. One of the signs alone means nothing. */
function hasBothSigns({ text }: Markdown, blocks: readonly (Block | string)[]): boolean {
  const signs = blocks.flatMap((block) =>
    typeof block !== 'string' && block.type === 'list' ? (text[startOf(block)] ?? '') : [],
  );
  return signs.includes('+') && signs.includes('-');
}

function takeHeading({ source }: Markdown, to: AlternativeDraft, block: Block): Place {
  const part = partOf(plainText(block));
  if (part !== null && part !== 'name') return { part, until: 'heading' };
  if (!isTogether(plainText(block))) to.description.push(source(block));
  return nowhere;
}

/** Ends at a line break or before the next label on the line: `Pros: fast. Cons: dear.` */
const labelWithin = /\n| (?=\*{0,2}(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|effort)\*{0,2}:)/i;

/** Parses a paragraph, which may contain several labelled lines. Returns the default place for the next block. */
function takeText(to: AlternativeDraft, text: string, place: Place): Place {
  const parts: { part: Part; lines: string[] }[] = [
    { part: place.until === 'list' ? 'description' : place.part, lines: [] },
  ];
  let alone = false;
  for (const line of text.split(labelWithin).flatMap(beforeLabel)) {
    const sole = soleLabel(line);
    const labelled = sole === null ? labelledText(line) : { part: sole, text: '' };
    if (labelled) parts.push({ part: labelled.part, lines: [labelled.text] });
    else parts.at(-1)?.lines.push(line);
    alone = labelled !== null && labelled.text.trim() === '';
  }
  for (const { part, lines } of parts) add(to, part, lines.join(part === 'description' ? '\n' : ' '));
  if (place.until === 'heading' && parts.length === 1) return place;
  return { part: parts.at(-1)?.part ?? 'description', until: alone ? 'block' : 'list' };
}

/** Splits `It is near. Its advantages are:` in two. */
function beforeLabel(line: string): string[] {
  const [, said, label = ''] = /^(.*[.!?]) +([^.!?:]{1,60}:)\s*$/.exec(line) ?? [];
  return said !== undefined && soleLabel(label) !== null ? [said, label] : [line];
}

function takeItem(markdown: Markdown, to: AlternativeDraft, item: ListItem, part: Part): void {
  const [first, ...rest] = item.children;
  if (!first) return;
  const text = markdown.source(first).trim();
  const sole = rest.some(({ type }) => type === 'list') ? soleLabel(text) : null;
  const labelled = sole === null ? labelledItem(text) : { part: sole, text: '' };
  const own = labelled?.part ?? part;
  if (labelled) takeLines(to, own, labelled.text, true);
  else takeLines(to, own, text);
  for (const block of rest)
    if (block.type === 'list') for (const inner of block.children) takeItem(markdown, to, inner, own);
    else if (own === 'pros' || own === 'cons') append(to[own], markdown.source(block));
    else add(to, own, markdown.source(block));
}

/**
 * Each item is one point, however long, unless a line of it starts with a label.
 * @param split text after a label may contain several points
 */
function takeLines(to: AlternativeDraft, part: Part, text: string, split = false): void {
  let now = part;
  let several = split;
  let lines: string[] = [];
  const put = () => {
    const said = lines.join('\n').trim();
    if (said === '') return;
    if (!several && (now === 'pros' || now === 'cons')) to[now].push(said);
    else add(to, now, said.replace(/\n/g, now === 'description' ? '\n' : ' '));
    lines = [];
  };
  for (const [index, line] of text.split(/\n/).entries()) {
    const labelled = index > 0 && /^[^:]{1,40}:/.test(line.trim()) ? labelledText(line) : null;
    if (labelled) {
      put();
      now = labelled.part;
      several = true;
      lines = [labelled.text];
    } else lines.push(line);
  }
  put();
}

function append(points: string[], text: string): void {
  const last = points.pop();
  points.push(last === undefined ? text : `${last}\n\n${text}`);
}

/**
 * The alternatives described in a section; empty for plain prose. The section's text is kept unchanged next to them.
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
