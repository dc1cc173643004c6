/** Maps headings to the sections of an RFC. */
import type { SectionKey } from '../records/rfcWords.ts';

type Standard = Exclude<SectionKey, 'other'>;

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
export function sectionNamed(heading: string): { readonly key: Standard; readonly rank: number } | null {
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
