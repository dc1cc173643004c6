/** Labels before arguments for or against an alternative. */

export type Part = 'name' | 'description' | 'pros' | 'cons' | 'effort';

const labels: readonly (readonly [Part, RegExp])[] = [
  ['pros', /^(?:pros?|advantages?|benefits?|upsides?|strengths?|positives?|positive consequences|for|good|\+|✅|👍)$/],
  [
    'cons',
    /^(?:cons?|disadvantages?|drawbacks?|downsides?|weaknesses?|limitations?|negatives?|negative consequences|risks?|against|bad|why not|[-−]|❌|👎)$/,
  ],
  ['effort', /^(?:effort(?: estimate)?|estimate|cost|size)$/],
  ['name', /^(?:alternatives?|options?|name|approach|choice|solution|what)$/],
  ['description', /^(?:description|summary|details?|how)$/],
];

/** Words allowed around a label: `the main drawbacks of this approach are`. */
const before = /^(?:(?:the|its|some|main|key|major|possible|potential|other|following|this has)\s+)+(?=\S)/;
const behind =
  /\s+(?:(?:of|to|with|for|in)\s+(?:this|that|the)\s+(?:approach|option|solution|design|alternative|proposal|idea|method)|(?:of|with)\s+(?:this|it))?\s*(?:are|were|is|include|includes|would be)?$/;

/** What a heading, a column or the words before a colon refer to; null for anything else. */
export function partOf(label: string): Part | null {
  if (label.length > 100) return null;
  const plain = label
    .toLowerCase()
    .replace(/[:*_]+/g, ' ')
    .replace(/\([^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const known = (text: string) => labels.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  const exact = known(plain);
  if (exact !== null) return exact;
  const around = known(plain.replace(before, '').replace(behind, ''));
  return around === 'pros' || around === 'cons' ? around : null;
}

/** Headings about the alternatives as a whole: neither a label nor an alternative. */
const together =
  /^(?:(?:the )?(?:pros (?:and|&|\/) cons|pros\/cons|advantages and disadvantages|trade-?offs?|comparison|discussion|conclusions?|decision|outcome|recommendation|rationale|summary|overview|background|notes?|references?|links|prior art|see also|evaluation(?: criteria)?|decision drivers|criteria|goals|non-goals|introduction)(?: of the (?:considered )?(?:options|alternatives))?|why (?:is|are|do|does|did|this|we)\b.*)$/;

export function isTogether(heading: string): boolean {
  return together.test(plainHeading(heading));
}

/** `Rejected alternatives`: a heading for a list of alternatives. */
export function isGroup(heading: string): boolean {
  return /^(?:(?:considered|rejected|other|further|more|minor|discarded|possible|previous)(?: (?:alternatives?|options?|approaches|designs?|ideas?|solutions?))?|(?:alternatives?|options?)(?: considered)?)$/.test(
    plainHeading(heading),
  );
}

/** Whether a section contains the arguments, while another one has the names (MADR). */
export function isArguments(heading: string): boolean {
  return /^(?:pros and cons|advantages and disadvantages|evaluation|comparison|discussion) of (?:the )?(?:considered )?(?:options|alternatives)$/.test(
    plainHeading(heading),
  );
}

function plainHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
    .replaceAll('&', 'and')
    .replace(/[:?]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export interface Labelled {
  readonly part: Exclude<Part, 'name'>;
  readonly text: string;
}

const because = /^(?:\*\*|__)?(good|bad)(?:\*\*|__)?,?\s+because\b(?:\*\*|__)?\s*(.*)$/is;
const sign = /^(?:(\+|\(\+\)|\[\+\]|✅|✔\uFE0F?|👍)|(?:[-−–]|\(-\)|\[-\]|❌|✗|✘|👎))\s+(.*)$/su;

/** Words that are labels without a colon; the others need one. */
const strong = /\b(?:pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?|downsides?|upsides?|effort)\b/i;

/** `**Pros:** fast`, `Cons: slow`, `Good, because it is fast`. Null without a label. */
export function labelledText(line: string): Labelled | null {
  const reason = because.exec(line.trim());
  if (reason) return { part: reason[1]?.toLowerCase() === 'good' ? 'pros' : 'cons', text: reason[2] ?? '' };
  const [, label = '', text = ''] =
    /^\s*([*_]{0,3}[^:*_]{1,60}(?:[*_]{1,3})?:(?:[*_]{1,3})?|(?:\*\*|__)[^:*_]{1,60}(?:\*\*|__))(?:\s+|$)(.*)$/s.exec(
      line,
    ) ?? [];
  const part = label === '' || !(label.includes(':') || strong.test(label)) ? null : partOf(label);
  return part === null || part === 'name' ? null : { part, text };
}

export function labelledItem(text: string): Labelled | null {
  const signed = sign.exec(text);
  return signed ? { part: signed[1] === undefined ? 'cons' : 'pros', text: signed[2] ?? '' } : labelledText(text);
}

/** A line that consists of a label, with or without colon; the label applies to what follows. */
export function soleLabel(line: string): 'pros' | 'cons' | null {
  const part = line.includes(':') || strong.test(line) ? partOf(line) : null;
  return part === 'pros' || part === 'cons' ? part : null;
}
