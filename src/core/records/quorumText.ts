/** Rules on people as one line each, as people write them: `critical payments/**: 2 of ada, grace, linus`. */
import { quorumRule, ruledType } from './quorum.ts';
import type { QuorumRule } from './quorum.ts';
import { urgency } from '../kit/words.ts';

/** What a rule without conditions begins with. */
const everything = 'everything';

export function formatRule({ urgencies = [], types = [], globs = [], people, count }: QuorumRule): string {
  const conditions = [...urgencies, ...types, ...globs];
  return `${conditions.length === 0 ? everything : conditions.join(' ')}: ${String(count)} of ${people.join(', ')}`;
}

const written = /^(?<conditions>.*):\s*(?<count>\d{1,3}|one|two|three|four|five)\s+of\s+(?<people>.+)$/i;
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five'];

/** Null for a line that is not a rule. */
export function parseRule(line: string): QuorumRule | null {
  const { conditions = '', count = '', people = '' } = written.exec(line.trim())?.groups ?? {};
  const words = conditions.split(/[\s,]+/).filter((word) => word !== '' && word !== everything);
  if (words.length === 0 && conditions.trim() !== everything) return null;
  const urgencies = urgency.options.filter((one) => words.includes(one));
  const types = ruledType.options.filter((one) => words.includes(one));
  const globs = words.filter((word) => !isWord(urgency.options, word) && !isWord(ruledType.options, word));
  const number = numbers.indexOf(count.toLowerCase());
  const rule = quorumRule().safeParse({
    ...(urgencies.length === 0 ? {} : { urgencies }),
    ...(types.length === 0 ? {} : { types }),
    ...(globs.length === 0 ? {} : { globs }),
    people: people.split(',').map((name) => name.trim()),
    count: number < 0 ? Number(count) : number,
  });
  return rule.success ? rule.data : null;
}

function isWord(words: readonly string[], word: string): boolean {
  return words.includes(word);
}
