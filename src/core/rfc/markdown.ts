/**
 * Parses RFCs from Markdown as people write it. Loses nothing: recognised headings become standard sections, others
 * keep their own heading, and lists of alternatives and open questions are parsed in addition to their text.
 */
import { endOf, parseMarkdown, plainText, startOf, type Heading, type Markdown } from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { onOneLine } from '../kit/text.ts';
import { parseAlternatives } from './alternatives.ts';
import { sectionHeadings, type DocumentChange } from './document.ts';
import { fitDocument, type Fitted } from './fitted.ts';
import { fenceCode, frontMatterOf } from './frontMatter.ts';
import { sectionNamed } from './headings.ts';
import { parseQuestions } from './openQuestions.ts';
import type { RfcSection } from '../records/rfc.ts';
import type { SectionKey } from '../records/rfcWords.ts';

type Standard = Exclude<SectionKey, 'other'>;

/** Why a text is not an RFC, worded for the caller. */
export class RfcMarkdownError extends Error {
  override readonly name = 'RfcMarkdownError';
}

/**
 * Parses a whole document; the title is omitted if there is none.
 * @throws RfcMarkdownError for an empty text, or too many lines
 */
export function parseRfc(raw: string): DocumentChange {
  return readRfc(raw).document;
}

/**
 * Reads a document, with notes on how the document differs from the text.
 * @throws RfcMarkdownError as above
 */
export function readRfc(raw: string): Fitted {
  const { text, title: named, sections: above } = withoutFrontMatter(normaliseSource(raw));
  const markdown = parseMarkdown(text);
  const headings = markdown.blocks.filter((block): block is Heading => block.type === 'heading');
  const titleAt = titleOf(headings);
  const title = titleAt ? plainText(titleAt).trim() : named;
  const parts = split(
    markdown,
    headings.filter((heading) => heading !== titleAt),
    titleAt,
  );
  if (parts.length === 0 && title === undefined) throw new RfcMarkdownError('is empty');
  const sections = [...above(titleAt !== null), ...keySections(parts)];
  return fitDocument({ ...(title === undefined ? {} : { title }), ...lists(sections) });
}

/**
 * Parses one section. A heading that only names the section is dropped.
 * @throws RfcMarkdownError for an empty text, or too many lines
 */
export function parseSection(raw: string, key: Standard): DocumentChange {
  const { text, sections: above } = withoutFrontMatter(normaliseSource(raw));
  const markdown = parseMarkdown(text);
  const [first] = markdown.blocks;
  const named = first?.type === 'heading' && sectionNamed(plainText(first))?.key === key ? first : null;
  const body = [...above(true).map((section) => section.text), (named ? text.slice(endOf(named)) : text).trim()]
    .filter((part) => part !== '')
    .join('\n\n');
  if (body === '') throw new RfcMarkdownError('is empty');
  return fitDocument(lists([{ key, heading: named ? plainText(named).trim() : sectionHeadings[key], text: body }]))
    .document;
}

/** Ten times a readable length; more would block the editor. */
const mostLines = 20_000;

function normaliseSource(raw: string): string {
  const text = raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (text.trim() === '') throw new RfcMarkdownError('is empty');
  const lines = text.split('\n').length;
  if (lines > mostLines)
    throw new RfcMarkdownError(`has ${String(lines)} lines, the limit is ${mostLines.toLocaleString('en')}`);
  return text;
}

interface WithoutFrontMatter {
  readonly text: string;
  readonly title?: string;
  /** Shows the front matter as it was written. Empty if there is nothing that the document does not show anyway. */
  sections(hasTitle: boolean): RfcSection[];
}

/**
 * Takes front matter off a text: fields of YAML or TOML, and nothing else. Other text between the same lines is text of
 * the document. Then its last line is not a heading, which the closing line would make of it.
 */
function withoutFrontMatter(text: string): WithoutFrontMatter {
  const found = frontMatterOf(text);
  if (found === null)
    return { text: text.replace(/^(---\n(?:[^\n]+\n)+?)(?=---(?:\n|$))/, '$1\n'), sections: () => [] };
  const { written, fields, language, end } = found;
  const given = fields['title'];
  const title = typeof given === 'string' || typeof given === 'number' ? onOneLine(String(given)) : '';
  const isTitleOnly = title !== '' && Object.keys(fields).length === 1 && !written.includes('\n');
  return {
    text: text.slice(end),
    ...(title === '' ? {} : { title }),
    sections: (hasTitle) =>
      written === '' || (isTitleOnly && !hasTitle)
        ? []
        : [{ key: 'other', heading: 'Front matter', text: fenceCode(written, language) }],
  };
}

/** The first heading of the highest rank, if it precedes all others and does not name a section. */
function titleOf(headings: readonly Heading[]): Heading | null {
  const [first] = headings;
  return first?.depth === 1 && sectionNamed(plainText(first)) === null ? first : null;
}

/** The text of a section that is only a heading: its words are shown too. */
const empty = '(empty)';

interface Part {
  readonly heading: string;
  readonly text: string;
  /** Text before the first heading. */
  readonly above: boolean;
  /** A section within another: only its alternatives and open questions are extracted. */
  readonly nested: boolean;
}

/**
 * The headings that start a section: those not outranked by an earlier one. A late heading of a higher rank does not
 * affect the sections before it.
 */
function startsOfSections(headings: readonly Heading[]): ReadonlySet<Heading> {
  const starts = new Set<Heading>();
  let highest = Infinity;
  for (const heading of headings) {
    if (heading.depth > highest) continue;
    highest = heading.depth;
    starts.add(heading);
  }
  return starts;
}

/** Splits the document at its top-level headings, and at nested ones with a list to parse. */
function split(markdown: Markdown, headings: readonly Heading[], title: Heading | null): Part[] {
  const { text } = markdown;
  const tops = startsOfSections(headings);
  const taken = new Set<SectionKey>([...tops].flatMap((heading) => sectionNamed(plainText(heading))?.key ?? []));
  const nested = headings.filter((heading) => {
    const key = tops.has(heading) ? null : (sectionNamed(plainText(heading))?.key ?? null);
    if (key === null || taken.has(key) || !(key === 'alternatives' || key === 'unresolved_questions')) return false;
    taken.add(key);
    return true;
  });
  const places = new Map(headings.map((heading, index) => [heading, index]));
  const reach = (heading: Heading) => {
    for (let next = (places.get(heading) ?? 0) + 1; ; next++) {
      const other = headings[next];
      if (!other) return text.length;
      if (other.depth <= heading.depth) return startOf(other);
    }
  };
  const without = (from: number, to: number) => {
    let at = from;
    let left = '';
    for (const inner of nested) {
      if (startOf(inner) < at || startOf(inner) >= to) continue;
      left += text.slice(at, startOf(inner));
      at = reach(inner);
    }
    return (left + text.slice(at, to)).trim();
  };
  const first = headings[0];
  const above = title ? text.slice(0, startOf(title)).trim() : '';
  const beneath = without(title ? endOf(title) : 0, first ? startOf(first) : text.length);
  const preamble = [above, beneath].filter((part) => part !== '').join('\n\n');
  const cut = headings
    .filter((heading) => tops.has(heading) || nested.includes(heading))
    .map((heading) => ({
      heading: plainText(heading).trim() || 'Untitled',
      above: false,
      nested: !tops.has(heading),
      text: nested.includes(heading)
        ? text.slice(endOf(heading), reach(heading)).trim()
        : without(endOf(heading), reach(heading)),
    }))
    .map((part) => (part.text === '' ? { ...part, text: empty } : part));
  return preamble === '' ? cut : [{ heading: 'Preamble', text: preamble, above: true, nested: false }, ...cut];
}

/** Assigns each standard section to its best matching heading; the others keep theirs. */
function keySections(parts: readonly Part[]): RfcSection[] {
  const best = new Map<SectionKey, { part: Part; rank: number }>();
  const filledFirst = [...parts.filter(({ text }) => text !== empty), ...parts.filter(({ text }) => text === empty)];
  for (const part of filledFirst) {
    const named = part.above ? null : sectionNamed(part.heading);
    const other = named && best.get(named.key);
    if (named && (!other || (named.rank < other.rank && (part.text === empty) === (other.part.text === empty))))
      best.set(named.key, { part, rank: named.rank });
  }
  if (parts[0]?.above && best.get('summary')?.part.text === empty) best.delete('summary');
  const keys = new Map([...best].map(([key, { part }]) => [part, key]));
  return parts.map((part) => {
    // Text before the first heading is the summary, unless a section is.
    const isSummary = part.above && !best.has('summary') && !isForm(part.text);
    const key = isSummary ? 'summary' : (keys.get(part) ?? 'other');
    const heading = isSummary ? sectionHeadings.summary : part.heading;
    return { key, heading, text: part.text };
  });
}

/** Only metadata lines such as `**Status:** draft` or `Date: 2021-03-04`. */
function isForm(text: string): boolean {
  return withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .every((line) => /^[-*]? ?(?:\*\*[^*]{1,40}\*\*|[\p{L}][\p{L} ()/-]{0,40}:(?:\s|$))/u.test(line));
}

/** Lists parsed in addition to the text; present if their section is, so that they replace earlier ones. */
function lists(sections: readonly RfcSection[]): DocumentChange {
  const textOf = (key: SectionKey) => sections.find((section) => section.key === key)?.text;
  const alternatives = textOf('alternatives');
  const open = textOf('unresolved_questions');
  return {
    sections,
    ...(alternatives === undefined ? {} : { alternatives: parseAlternatives(alternatives) }),
    ...(open === undefined ? {} : { questions: parseQuestions(open) }),
  };
}
