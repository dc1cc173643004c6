/**
 * Parses RFCs from Markdown as people write it. Loses nothing: recognised headings become standard sections, others
 * keep their own heading, and lists of alternatives and open questions are parsed in addition to their text.
 */
import {
  endOf,
  parseMarkdown,
  plainText,
  startOf,
  type Heading,
  type Markdown,
  parseAlternatives,
  parseQuestions,
} from './lists.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import { onOneLine } from '../kit/text.ts';
import { sectionHeadings, type DocumentChange, fitDocument, type Fitted } from './document.ts';
import type { RfcSection, SectionKey } from '../records/rfc.ts';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

// Front matter of a Markdown file: fields of YAML between lines of `---`, or of TOML between lines of `+++`.

interface FrontMatter {
  /** The lines between the marks, as they were written. */
  readonly written: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly language: 'yaml' | 'toml';
  /** Offset of the text after it. */
  readonly end: number;
}

/** Null for a text that does not begin with fields: what stands between such lines is then part of the text. */
export function frontMatterOf(text: string): FrontMatter | null {
  const [whole, mark, written = ''] = /^(---|\+\+\+)\n(?:(.*?)\n)??\1[ \t]*(?:\n|$)/s.exec(text) ?? [];
  if (whole === undefined) return null;
  const language = mark === '---' ? 'yaml' : 'toml';
  const fields = fieldsOf(written, language);
  return fields && { written: written.trim() === '' ? '' : written, fields, language, end: whole.length };
}

function fieldsOf(written: string, language: 'yaml' | 'toml'): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = language === 'yaml' ? parseYaml(written, { logLevel: 'error' }) : parseToml(written);
    if (read === null) return {}; // comments only
    return typeof read === 'object' && !Array.isArray(read) ? (read as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** A block of code, whatever it contains. */
export function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

// Maps headings to the sections of an RFC.

/** Most common name first: if two headings match a section, the more common one wins. */
const names: Readonly<Record<Standard, readonly string[]>> = {
  summary: ['summary', 'abstract', 'tl;dr', 'tldr', 'executive summary', 'overview', 'introduction', 'in short'],
  motivation: [
    'motivation',
    'problem statement',
    'problem',
    'the problem',
    'background and motivation',
    'context and problem statement',
    'context and goal',
    'context and goals',
    'background',
    'context',
    'rationale',
    'why',
    'goals',
  ],
  detailed_design: [
    'detailed design',
    'design',
    'proposed design',
    'technical design',
    'design details',
    'proposal',
    'proposed solution',
    'the proposal',
    'solution',
    'proposed changes',
    'technical approach',
    'approach',
    'architecture',
    'specification',
    'reference-level explanation',
    'implementation',
    'how',
  ],
  alternatives: [
    'alternatives considered',
    'alternatives',
    'considered alternatives',
    'rejected alternatives',
    'alternative approaches',
    'rationale and alternatives',
    'considered options',
    'options considered',
    'other options',
    'options',
    'alternative considered',
    'alternatives and rationale',
    'alternative designs',
    'alternative solutions',
    'other alternatives',
    'rejected designs',
    'rejected ideas',
    'pros and cons of the options',
  ],
  unresolved_questions: [
    'open questions',
    'unresolved questions',
    'outstanding questions',
    'remaining questions',
    'questions',
    'open issues',
    'open points',
  ],
  implementation_timeline: [
    'implementation timeline',
    'timeline',
    'implementation plan',
    'rollout plan',
    'rollout',
    'milestones',
    'schedule',
    'plan',
    'phases',
  ],
  rollback_plan: [
    'rollback plan',
    'rollback',
    'roll-back plan',
    'rollback strategy',
    'backout plan',
    'how to get back',
  ],
};

/** Longer headings never name a section, and are not matched. Characters. */
const longest = 100;

const byName = new Map(
  Object.entries(names).flatMap(([key, list]) => list.map((name, rank) => [name, { key: key as Standard, rank }])),
);

/** The section named by a heading, and the rank of the name; null for a heading of the author's own. */
function sectionNamed(heading: string): { readonly key: Standard; readonly rank: number } | null {
  if (heading.length > longest) return null;
  return byName.get(plainHeading(heading)) ?? null;
}

/** `3. Alternatives Considered (draft):` becomes `alternatives considered`. */
function plainHeading(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\s*(?:section|part)?\s*(?:\d+(?:\.\d+)*|[ivx]+(?=[.)]))\s*[.):–—-]*\s+/u, '')
    .replaceAll('&', 'and')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/g, ' ');
}

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
