/** Parses the arguments for and against one alternative from the blocks below its name. */
import { plainText, startOf, type Block, type ListItem, type Markdown } from '../kit/markdownTree.ts';
import { add, type AlternativeDraft } from './alternativeDraft.ts';
import { isTogether, labelledItem, labelledText, partOf, soleLabel, type Part } from './labels.ts';
import { argumentRows } from './tables.ts';

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
export function fill(markdown: Markdown, to: AlternativeDraft, blocks: readonly (Block | string)[]): void {
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
