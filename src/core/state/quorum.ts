/** Which rules of the policy cover an item, and whose signatures a decision has so far. Pure. */

import { answerLine, firstLine, sameNameKey } from '../kit/text.ts';
import { visibleText } from '../kit/visible.ts';
import type { Urgency } from '../kit/words.ts';
import type { Person, QuorumRule, RuleConditions, RuledType, Approval, PendingDecision } from '../records/policy.ts';
import type { Answer } from '../records/question.ts';
import { everything } from './heldChanges.ts';
import type { Rfc } from './items.ts';
import type { Question, CurrentState } from './state.ts';

// Whether two hold patterns can hold the same path. Pure, and linear in the product of their lengths: no backtracking.

/** True unless no path can be held by both. Ignores case, so that it holds on every file system. */
export function globsOverlap(a: string, b: string): boolean {
  return overlap(segmentsOf(a), segmentsOf(b), { star: '**', isSame: segmentsOverlap, holdsBelow: true });
}

function segmentsOf(pattern: string): string[] {
  const folded = pattern.normalize('NFC').toLowerCase();
  return folded === '.' ? [] : folded.split('/');
}

function segmentsOverlap(a: string, b: string): boolean {
  const isSame = (one: string, other: string) => one === other || one === '?' || other === '?';
  return overlap(a, b, { star: '*', isSame, holdsBelow: false });
}

interface Overlapping {
  /** The part that stands for any number of parts. */
  readonly star: string;
  isSame(one: string, other: string): boolean;
  /** A pattern holds everything below its matches, so the rest of the other always finds a path. */
  readonly holdsBelow: boolean;
}

/** Walks over all pairs of places that can be reached together. */
function overlap(
  first: ArrayLike<string>,
  second: ArrayLike<string>,
  { star, isSame, holdsBelow }: Overlapping,
): boolean {
  const seen = new Set<number>();
  const open: (readonly [number, number])[] = [[0, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [i, j] = pair;
    const place = i * (second.length + 1) + j;
    if (seen.has(place) || i > first.length || j > second.length) continue;
    seen.add(place);
    const [one, other] = [first[i], second[j]];
    if (one === undefined && other === undefined) return true;
    if (holdsBelow && (one === undefined || other === undefined)) return true;
    if (one === star || other === star) open.push([i + 1, j], [i, j + 1]);
    else if (one !== undefined && other !== undefined && isSame(one, other)) open.push([i + 1, j + 1]);
  }
  return false;
}

const none: readonly QuorumRule[] = [];

export function rulesFor(state: CurrentState, item: Question | Rfc): readonly QuorumRule[] {
  return coveringRules(state, item, state.policy.quorum?.rules ?? none);
}

/** Those of these rules whose conditions the item fits. */
function coveringRules<R extends RuleConditions>(
  state: CurrentState,
  item: Question | Rfc,
  rules: readonly R[],
): readonly R[] {
  if (rules.length === 0) return rules;
  const isRfc = 'revisions' in item;
  const type: RuledType = isRfc ? 'rfc' : item.facts.type;
  let found: readonly string[] | null = null;
  const paths = () => (found ??= pathsOf(state, item));
  return rules.filter(
    (rule) =>
      (rule.types === undefined || rule.types.includes(type)) &&
      (rule.urgencies === undefined || (!isRfc && urgenciesOf(item).some((one) => rule.urgencies?.includes(one)))) &&
      (rule.globs === undefined || rule.globs.some((glob) => paths().some((path) => globsOverlap(glob, path)))),
  );
}

/** An agent that escalates a question does not take it out of a rule. */
function urgenciesOf({ urgency, facts }: Question): readonly Urgency[] {
  return [urgency, facts.urgency];
}

/** Everything that it holds or is about: more than the gate holds, so that no rule is missed. */
function pathsOf(state: CurrentState, item: Question | Rfc): readonly string[] {
  if (item.widened !== null) return everything;
  const work = 'revisions' in item ? holdsOf(state, [...item.workflows, ...item.tasks]) : workHolds(state, item);
  const more = 'revisions' in item ? [] : [...item.facts.files, ...item.refusedHolds];
  return [...item.holds, ...item.addedHolds, ...more, ...work];
}

export function workHolds(state: CurrentState, question: Question): readonly string[] {
  return holdsOf(state, workOf(state, question));
}

/** The globs of work items. Fast for one: most holders name one item, and there may be thousands. */
export function holdsOf(state: CurrentState, work: readonly string[]): readonly string[] {
  const [id, ...more] = work;
  if (id !== undefined && more.length === 0) return state.work.get(id)?.holds ?? [];
  return work.flatMap((each) => state.work.get(each)?.holds ?? []);
}

/** A critical question holds the workflow of its work as well. */
function workOf(state: CurrentState, { work, alsoWork }: Question): string[] {
  const named = work === null ? [...alsoWork] : [work, ...alsoWork];
  return [...named, ...named.flatMap((id) => state.work.get(id)?.workflow ?? [])];
}

/** The member for shown and signed content: who must decide. Absent without a rule, so that earlier hashes are kept. */
export function shownRules(
  state: CurrentState,
  item: Question | Rfc,
): { readonly quorum?: readonly QuorumRule[]; readonly passkey?: boolean } {
  const rules = rulesFor(state, item);
  return {
    ...(rules.length === 0 ? {} : { quorum: rules }),
    ...(needsPasskey(state, item) ? { passkey: true } : {}),
  };
}

export function needsPasskey(state: CurrentState, item: Question | Rfc): boolean {
  return coveringRules(state, item, state.policy.passkeys?.rules ?? []).length > 0;
}

/** Whether one person can decide it, with any key that counts. */
export function isUnruled(state: CurrentState, item: Question | Rfc): boolean {
  return rulesFor(state, item).length === 0 && !needsPasskey(state, item);
}

/** Whether a passkey meets a policy that asks for one. */
export function countsForPolicy({ passkeys, retiredKeys }: CurrentState, keyid: string): boolean {
  return passkeys.has(keyid) && !retiredKeys.has(keyid);
}

/** Whether somebody could sign what a policy asks a passkey for. */
export function hasPasskey(state: CurrentState): boolean {
  return [...state.passkeys.keys()].some((keyid) => countsForPolicy(state, keyid));
}

export function isListed({ people }: QuorumRule, { name }: Pick<Person, 'name'>): boolean {
  return people.includes(name);
}

/** A person with two keys is one person, and so is a key with two names. */
export function isSamePerson(a: Person, b: Person): boolean {
  return a.keyid === b.keyid || sameNameKey(a.name) === sameNameKey(b.name);
}

/** Signatures of keys that are still trusted, one for each person, the earliest first. */
export function countedApprovals<A extends Person>({ retiredKeys }: CurrentState, approvals: readonly A[]): A[] {
  const counted: A[] = [];
  for (const one of approvals)
    if (!retiredKeys.has(one.keyid) && !counted.some((other) => isSamePerson(one, other))) counted.push(one);
  return counted;
}

/** How many more people of a rule must sign. */
export function missingFor(rule: QuorumRule, counted: readonly Person[]): number {
  return Math.max(0, rule.count - counted.filter((one) => isListed(rule, one)).length);
}

export function isMet(rules: readonly QuorumRule[], counted: readonly Person[]): boolean {
  return rules.every((rule) => missingFor(rule, counted) === 0);
}

/** Rules that a new list no longer has: changing or removing one takes the people of that rule. */
export function changedRules<R extends RuleConditions & Partial<QuorumRule>>(
  before: readonly R[],
  after: readonly RuleConditions[],
): R[] {
  const kept = new Set(after.map(ruleKey));
  return before.filter((rule) => !kept.has(ruleKey(rule)));
}

function ruleKey({ urgencies, types, globs, people, count }: RuleConditions & Partial<QuorumRule>): string {
  return JSON.stringify([urgencies ?? null, types ?? null, globs ?? null, people, count]);
}

/** How far a decision is that too few people have signed. */
export interface Progress {
  readonly pending: PendingDecision;
  readonly approvals: readonly Approval[];
  /** Of the rule that misses most: how many have signed, of how many. */
  readonly have: number;
  readonly of: number;
}

/** The decisions about an item that people have signed so far, those with most signatures first. */
export function progressOf(state: CurrentState, subject: string, rules: readonly QuorumRule[]): Progress[] {
  const known = (state.approvals.get(subject) ?? []).map((pending): Progress => {
    const approvals = countedApprovals(state, pending.approvals);
    const [rule] = rules.toSorted((a, b) => missingFor(b, approvals) - missingFor(a, approvals));
    const listed = rule ? approvals.filter((one) => isListed(rule, one)) : approvals;
    return { pending, approvals, have: listed.length, of: rule?.count ?? listed.length };
  });
  return known.filter(({ approvals }) => approvals.length > 0).sort((a, b) => b.have - a.have);
}

/** `2 of ada, grace, linus`; several rules with "and". */
export function rulesWords(rules: readonly QuorumRule[]): string {
  const words = rules.map(({ count, people }) => `${String(count)} of ${people.join(', ')}`);
  return visibleText([...new Set(words)].join(' and '));
}

/** `1 of 2: grace approved "JWT"` */
function progressWords({ pending, approvals, have, of }: Progress): string {
  const names = approvals.map(({ name }) => name).join(' and ');
  return visibleText(`${String(have)} of ${String(of)}: ${names} ${approvedWords(pending)}`);
}

function approvedWords({ record }: PendingDecision): string {
  if (record.kind === 'question.answered')
    return `approved "${firstLine(answerLine(record['answer'] as Answer), 200)}"`;
  return approvals[record.kind] ?? 'approved';
}

const approvals: Readonly<Record<string, string>> = {
  'question.cancelled': 'approved cancelling it',
  'question.released': 'approved releasing it',
  'refusal.lifted': 'approved lifting the refusal',
  'hold.narrowed': 'approved holding only the named files',
  'hold.changeAccepted': 'accepted the changes of held files',
  'rfc.rejected': 'rejected it',
  'rfc.withdrawn': 'approved withdrawing it',
};

/** `2 of ada, grace, linus must decide; 1 of 2: grace approved "JWT"`; null for an item that one person decides. */
export function quorumWords(state: CurrentState, item: Question | Rfc): string | null {
  const rules = rulesFor(state, item);
  if (rules.length === 0) return null;
  const progress = progressOf(state, item.id, rules).map(progressWords);
  return [`${rulesWords(rules)} must decide`, ...progress].join('; ');
}

export const passkeyWords = 'a person must sign the decision with a passkey';

/** What the policy asks for besides one person's signature; null for nothing. */
export function policyWords(state: CurrentState, item: Question | Rfc): string | null {
  const words = [quorumWords(state, item), needsPasskey(state, item) ? passkeyWords : null];
  const known = words.filter((one) => one !== null);
  return known.length === 0 ? null : known.join('; ');
}

// Which people must decide an item, and who has signed so far: for lists, forms and tools.

export interface QuorumView extends NonNullable<ReturnType<typeof quorumView>> {}

/** Null for an item that one person decides. */
export function quorumView(state: CurrentState, item: Question | Rfc) {
  const rules = rulesFor(state, item);
  const text = quorumWords(state, item);
  if (text === null) return null;
  return {
    /** Each of these must be met. `people` are names of keys in the ring. */
    rules: rules.map(({ count, people }) => ({ count, people })),
    /** Decisions that too few have signed; they have no effect yet. */
    proposals: progressOf(state, item.id, rules).map((progress) => ({
      /** The kind of its record. */
      kind: progress.pending.record.kind,
      approved_by: progress.approvals.map(({ name }) => name),
      have: progress.have,
      of: progress.of,
      /** `1 of 2: grace approved "JWT"` */
      text: progressWords(progress),
    })),
    text,
  };
}

/** What a human signed a decision with: for lists, forms and tools. */
export type SignedWith = 'key' | 'passkey';

/** For documents and the command line, after a person's name; empty for a key of the editor. */
export function signedWithWords(signed: SignedWith | null): string {
  return signed === 'passkey' ? ', signed with a passkey, verified by PIN or fingerprint' : '';
}

export function signedWith(
  by: { readonly keyid: string; readonly passkey?: true } | null | undefined,
): SignedWith | null {
  if (!by || by.keyid === '') return null;
  return by.passkey ? 'passkey' : 'key';
}
