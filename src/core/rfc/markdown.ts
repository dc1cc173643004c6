/**
 * Parses RFCs from Markdown as people write it. Loses nothing: recognised headings become standard sections, others
 * keep their own heading, and lists of alternatives and open questions are parsed in addition to their text.
 */
import { endOf, parseMarkdown, plainText, startOf } from '../kit/markdownTree.ts';
import type { Heading, Markdown } from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { hasArguments, parseAlternatives } from './alternatives.ts';
import { sectionHeadings } from './document.ts';
import type { DocumentChange } from './document.ts';
import { fitted } from './fitted.ts';
import type { Fitted, NoteKind } from './fitted.ts';
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
 * The same, with notes on how the document differs from the text.
 * @throws RfcMarkdownError as above
 */
export function readRfc(raw: string): Fitted {
  const { text, title: named, lines } = withoutFrontMatter(normalised(raw));
  const markdown = parseMarkdown(text);
  const headings = markdown.blocks.filter((block): block is Heading => block.type === 'heading');
  const titleAt = titleOf(headings);
  const title = titleAt ? plainText(titleAt).trim() : named;
  const { parts, empty } = split(
    markdown,
    headings.filter((heading) => heading !== titleAt),
    titleAt,
  );
  const sections = keyed(parts);
  if (sections.length === 0 && title === undefined) throw new RfcMarkdownError('is empty');
  const { document, notes } = fitted({ ...(title === undefined ? {} : { title }), ...lists(sections) });
  const left = (
    [
      ['empty_section', empty],
      ['front_matter', lines],
    ] as const
  ).filter(([, count]) => count > 0);
  return { document, notes: new Map<NoteKind, number>([...notes, ...left]) };
}

/**
 * Parses one section. A heading that only names the section is dropped.
 * @throws RfcMarkdownError for an empty text, or too many lines
 */
export function parseSection(raw: string, key: Standard): DocumentChange {
  const { text } = withoutFrontMatter(normalised(raw));
  const markdown = parseMarkdown(text);
  const [first] = markdown.blocks;
  const named = first?.type === 'heading' && sectionNamed(plainText(first))?.key === key ? first : null;
  const body = (named ? text.slice(endOf(named)) : text).trim();
  if (body === '') throw new RfcMarkdownError('is empty');
  return fitted(lists([{ key, heading: named ? plainText(named).trim() : sectionHeadings[key], text: body }])).document;
}

/** Ten times a readable length; more would block the editor. */
const mostLines = 20_000;

function normalised(raw: string): string {
  const text = raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (text.trim() === '') throw new RfcMarkdownError('is empty');
  const lines = text.split('\n').length;
  if (lines > mostLines)
    throw new RfcMarkdownError(`has ${String(lines)} lines, the limit is ${mostLines.toLocaleString('en')}`);
  return text;
}

/** Front matter is not part of the document, but may contain the title. */
function withoutFrontMatter(text: string): { text: string; title?: string | undefined; lines: number } {
  const [whole, inner = ''] = /^---\n(.*?)\n---(?:\n|$)/s.exec(text) ?? [];
  if (whole === undefined) return { text, lines: 0 };
  const title = /^title:[ \t]*(.+)$/m
    .exec(inner)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return {
    text: text.slice(whole.length),
    title,
    lines: inner.split('\n').filter((line) => line.trim() !== '').length,
  };
}

/** The first heading of the highest rank, if it precedes all others and does not name a section. */
function titleOf(headings: readonly Heading[]): Heading | null {
  const [first] = headings;
  return first?.depth === 1 && sectionNamed(plainText(first)) === null ? first : null;
}

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
function split(
  markdown: Markdown,
  headings: readonly Heading[],
  title: Heading | null,
): { readonly parts: Part[]; readonly empty: number } {
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
    }));
  const parts = [{ heading: 'Preamble', text: preamble, above: true, nested: false }, ...cut].filter(
    (part) => part.text !== '',
  );
  return { parts, empty: cut.filter((part) => part.text === '').length };
}

/** Assigns each standard section to its best matching heading; the others keep theirs. */
function keyed(parts: readonly Part[]): RfcSection[] {
  const best = new Map<SectionKey, { part: Part; rank: number }>();
  for (const part of parts) {
    const named = part.above ? null : sectionNamed(part.heading);
    if (named && named.rank < (best.get(named.key)?.rank ?? Infinity)) best.set(named.key, { part, rank: named.rank });
  }
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
  const argued = sections.filter(({ key, heading }) => key === 'other' && hasArguments(heading));
  return {
    sections,
    ...(alternatives === undefined
      ? {}
      : {
          alternatives: parseAlternatives(
            alternatives,
            argued.map(({ text }) => text),
          ),
        }),
    ...(open === undefined ? {} : { questions: parseQuestions(open) }),
  };
}
