/** Rules of the signed policy that ask for several people: which items, and how many of whom. */
import * as z from 'zod';
import { holdGlob, textField } from '../kit/fields.ts';
import { sameNameKey } from '../kit/text.ts';
import { questionType, urgency } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';

/** What a rule can name: the types of questions, and RFCs. */
export const ruledType = z.enum([...questionType.options, 'rfc']);
export type RuledType = z.infer<typeof ruledType>;

export const quorumLimits = { rules: 50, people: 50 } as const;

const keyName = textField(limits.title).refine((name) => !/[\r\n]/.test(name), 'must be one line');

function areDistinct(people: readonly string[]): boolean {
  return new Set(people.map(sameNameKey)).size === people.length;
}

/**
 * Covers an item that fits every given condition; one that is left out fits all. Each rule that covers an item must be
 * met. A rule that names urgencies covers no RFC: RFCs have none.
 */
export const ruleConditions = () => ({
  urgencies: z.array(urgency).min(1).optional(),
  types: z.array(ruledType).min(1).optional(),
  /** Covers an item that holds, or is about, a path that one of these holds. */
  globs: z.array(holdGlob).min(1).max(limits.listItems).optional(),
});

const makeRule = () =>
  z
    .strictObject({
      ...ruleConditions(),
      people: z.array(keyName).min(1).max(quorumLimits.people).refine(areDistinct, 'name a person twice'),
      count: z.int().min(1),
    })
    .refine(({ people, count }) => count <= people.length, 'asks for more people than it lists');
let made: ReturnType<typeof makeRule> | undefined;
/** Created on first use, like record schemas. */
export const quorumRule = () => (made ??= makeRule());

export interface RuleConditions {
  readonly urgencies?: readonly z.infer<typeof urgency>[] | undefined;
  readonly types?: readonly RuledType[] | undefined;
  readonly globs?: readonly string[] | undefined;
}

export interface QuorumRule extends RuleConditions {
  readonly people: readonly string[];
  readonly count: number;
}

/** Who signed: the name that the ring gives to the key, never what a record says of itself. */
export interface Person {
  readonly name: string;
  readonly keyid: string;
}

export interface Approval extends Person {
  readonly at: string;
}

/** A decision that too few people have signed so far. It has no effect. */
export interface PendingDecision {
  /** Hash of what was shown; for decisions on RFCs, which name their revision themselves, of the rules. */
  readonly shown: string;
  /** Hash of the record without its envelope. */
  readonly recordHash: string;
  /** The record without its envelope. */
  readonly record: Readonly<Record<string, unknown>> & { readonly kind: string };
  readonly approvals: readonly Approval[];
}
