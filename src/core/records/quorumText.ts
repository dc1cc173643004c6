/** Rules on people as one line each, as people write them: `critical payments/**: 2 of ada, grace, linus`. */
import * as z from 'zod';
import { quorumRule, ruleConditions, ruledType, type QuorumRule, type RuleConditions } from './quorum.ts';
import { urgency } from '../kit/words.ts';

/** What a rule without conditions begins with. */
const everything = 'everything';

export function formatRule({ people, count, ...conditions }: QuorumRule): string {
  return `${formatConditions(conditions)}: ${String(count)} of ${people.join(', ')}`;
}

export function formatConditions({ urgencies = [], types = [], globs = [] }: RuleConditions): string {
  const conditions = [...urgencies, ...types, ...globs];
  return conditions.length === 0 ? everything : conditions.join(' ');
}

const written = /^(?<conditions>.*):\s*(?<count>\d{1,3}|one|two|three|four|five)\s+of\s+(?<people>.+)$/i;
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five'];

/** Null for a line that is not a rule. */
export function parseRule(line: string): QuorumRule | null {
  const { conditions = '', count = '', people = '' } = written.exec(line.trim())?.groups ?? {};
  const covered = conditionsIn(conditions);
  if (!covered) return null;
  const number = numbers.indexOf(count.toLowerCase());
  const rule = quorumRule().safeParse({
    ...covered,
    people: people.split(',').map((name) => name.trim()),
    count: number < 0 ? Number(count) : number,
  });
  return rule.success ? rule.data : null;
}

const writtenForPasskey = /^(?<conditions>.*\S)\s*:\s*passkey$/i;

/** `critical payments/**: passkey` */
export function formatPasskeyRule(conditions: RuleConditions): string {
  return `${formatConditions(conditions)}: passkey`;
}

/** Null for a line that is not a rule on passkeys. */
export function parsePasskeyRule(line: string): RuleConditions | null {
  const { conditions } = writtenForPasskey.exec(line.trim())?.groups ?? {};
  const rule = z.strictObject(ruleConditions()).safeParse(conditionsIn(conditions ?? ''));
  return rule.success ? rule.data : null;
}

/** Null for none at all: covering everything must be said. */
export function conditionsIn(text: string): RuleConditions | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '' && word !== everything);
  if (words.length === 0 && text.trim() !== everything) return null;
  const urgencies = urgency.options.filter((one) => words.includes(one));
  const types = ruledType.options.filter((one) => words.includes(one));
  const globs = words.filter((word) => !isWord(urgency.options, word) && !isWord(ruledType.options, word));
  return {
    ...(urgencies.length === 0 ? {} : { urgencies }),
    ...(types.length === 0 ? {} : { types }),
    ...(globs.length === 0 ? {} : { globs }),
  };
}

function isWord(words: readonly string[], word: string): boolean {
  return words.includes(word);
}
