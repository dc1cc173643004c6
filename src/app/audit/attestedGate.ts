/**
 * The gate without a store, as in CI: checks commits against attestations in the repository, with keys from outside it.
 * Every id that a commit names must be decided by a human, and only sound attestations are accepted.
 */
import { definitionOf } from '../../core/decision/decisions.ts';
import { globHolds } from '../../core/kit/glob.ts';
import { questionType } from '../../core/kit/words.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import type { Attestation, Attested } from './attestations.ts';
import { attestedScope } from './attestedItem.ts';
import { concerning } from './checkFiles.ts';
import type { CheckFile, CheckRange } from './checkReport.ts';
import * as z from 'zod';
import { quorumRule, type Person, type QuorumRule } from '../../core/records/quorum.ts';
import { isSamePerson, missingFor, rulesWords } from '../../core/state/quorum.ts';
import { hashOf } from '../../trust/canonical.ts';

export interface AttestedCommit {
  readonly name: string;
  /** Relative to the repository, `/` between parts. */
  readonly files: readonly string[];
  /** Ids of questions and RFCs in its message. */
  readonly names: readonly string[];
}

export interface AttestedAnswer {
  readonly allowed: boolean;
  /** Why not, in one sentence each. */
  readonly reasons: readonly string[];
  /** The valid decisions, for the log. */
  readonly decisions: readonly {
    readonly id: string;
    readonly action: string;
    readonly by: string;
    readonly at: string;
    /** What the human asked with the approval of an RFC. */
    readonly conditions: readonly string[];
    readonly constraints: readonly string[];
  }[];
}

export interface AttestedRules {
  /** Globs of files whose changes need a decision about them, named by the commit. */
  readonly required: readonly string[];
  /** The path in the workspace of a path in the repository; null for a file outside the workspace. */
  readonly inside: CheckRange['inside'];
}

export function attestedGate(
  commits: readonly AttestedCommit[],
  { attestations, bad }: Attested,
  { required, inside }: AttestedRules,
): AttestedAnswer {
  const reasons = bad.map(({ name, why }) => `${name} ${why}.`);
  const standing = standingDecisions(attestations);
  const used = new Set<Attestation>();
  for (const { name, files, names } of commits) {
    const found = standing.filter(({ decision }) => names.includes(decision.subject));
    for (const id of names) {
      const decided = found.filter(({ decision }) => decision.subject === id);
      if (decided.length === 0) reasons.push(`${name} names ${id}, which has no attested decision.`);
      for (const attestation of decided) {
        used.add(attestation);
        const problem = inTheWay(attestation) ?? unprovenProblem(attestation, attestations);
        if (problem !== null) reasons.push(`${name} names ${id}, which ${problem}.`);
      }
    }
    const guarded = files.filter((file) => required.some((glob) => globHolds(glob, file)));
    const uncovered = notCovered({ files: guarded, inside }, found, attestations);
    if (guarded[0] !== undefined && names.length === 0)
      reasons.push(
        `${name} changes ${guarded[0]}, so its message must name the decision (Q-12, RFC-3) that allows it.`,
      );
    else if (uncovered[0] !== undefined)
      reasons.push(
        `${name} changes ${uncovered.slice(0, 3).join(', ')}${uncovered.length > 3 ? ', …' : ''}, which ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not about: name a decision whose scopes contain ${uncovered.length === 1 ? 'it' : 'them'}.`,
      );
  }
  return {
    allowed: reasons.length === 0,
    reasons,
    decisions: [...used].map((attestation) => {
      const {
        decision: { subject, action, by, at },
        record,
      } = attestation;
      const others = signersOf(attestation, attestations).filter(({ keyid }) => keyid !== attestation.keyid);
      return {
        ...{
          id: subject,
          action,
          by: [...others.map(({ name }) => name), by].join(', '),
          at,
        },
        conditions: record.kind === 'rfc.approved' ? record.conditions : [],
        constraints: record.kind === 'rfc.approved' ? record.constraints : [],
      };
    }),
  };
}

/** Why a decision is not valid by itself, or not yet; null if it is. */
export function unprovenProblem(attestation: Attestation, all: readonly Attestation[]): string | null {
  return missingBeside(attestation, all) ?? missingPeople(attestation, all);
}

/**
 * The latest decision on each item of each workspace. Machines count their questions separately, so several may have
 * the same id; then all of them must permit it. Comments, ask-backs and revocations settle nothing, and decisions on an amendment
 * leave the approved revision in force.
 */
export function standingDecisions(attestations: readonly Attestation[]): Attestation[] {
  const latest = new Map<string, Attestation>();
  for (const attestation of attestations) {
    if (!isSettling(attestation.record) || isOfAmendment(attestation, attestations)) continue;
    const { workspace, subject, position } = attestation.decision;
    const known = latest.get(`${workspace}/${subject}`);
    if (!known || position > known.decision.position) latest.set(`${workspace}/${subject}`, attestation);
  }
  return [...latest.values()];
}

/** Whether a record of this kind decides its question or RFC, or lifts a refusal. */
export function isSettling(record: Pick<SignedRecord, 'kind'>): boolean {
  return definitionOf(record).meaning !== undefined;
}

/** Sent back or rejected, or not approved by enough people yet, while an earlier revision was approved. */
function isOfAmendment(attestation: Attestation, all: readonly Attestation[]): boolean {
  const { kind } = attestation.record;
  if (attestation.shown?.['status'] !== 'approved') return false;
  if (kind === 'rfc.approved') return missingPeople(attestation, all) !== null;
  return kind === 'rfc.changesRequested' || kind === 'rfc.rejected';
}

/** The guarded files that none of these decisions is about. */
function notCovered(
  { files, inside }: { readonly files: readonly string[]; readonly inside: CheckRange['inside'] },
  decisions: readonly Attestation[],
  all: readonly Attestation[],
): readonly string[] {
  if (files.length === 0) return files;
  const paths = files.map((path): CheckFile => ({ path, change: 'modified', submodule: false }));
  const concerned = concerning({ files: paths, inside }, '.');
  const covered = new Set(decisions.flatMap((one) => [...concerned(attestedScope(relatedTo(one, all), true))]));
  return files.filter((file) => !covered.has(file));
}

function relatedTo({ decision }: Attestation, all: readonly Attestation[]): Attestation[] {
  return all.filter(
    (one) => one.decision.workspace === decision.workspace && one.decision.subject === decision.subject,
  );
}

/** Why a decision does not permit the change; null when it does. */
function inTheWay({ record, shown }: Attestation): string | null {
  const type = questionType.safeParse(shown?.['type']).data ?? null;
  const meaning = definitionOf(record).meaning?.(record, type, true);
  return meaning === undefined || meaning.outcome === 'allowed' ? null : meaning.words;
}

// Decisions that need several people, in attestations: each signature is a file, and what was shown names the rules.

const rulesIn = z.object({ quorum: z.array(z.lazy(quorumRule)).min(1) });

/** The rules that covered the item when it was decided; they are part of what was signed. */
function rulesOf({ shown }: Attestation): readonly QuorumRule[] {
  const inside = shown?.['question'] ?? shown;
  if (typeof inside !== 'object' || inside === null || !('quorum' in inside)) return [];
  // A rule that cannot be read cannot be met.
  return rulesIn.safeParse(inside).data?.quorum ?? [{ people: [], count: 1 }];
}

/** Everybody who signed the same decision about the same thing, each person once. */
function signersOf(attestation: Attestation, all: readonly Attestation[]): Person[] {
  const mark = markOf(attestation);
  const from = lastSentBack(attestation, all);
  const people: Person[] = [];
  for (const { name, keyid } of all.filter((one) => one.decision.position > from && markOf(one) === mark))
    if (!people.some((one) => isSamePerson(one, { name, keyid }))) people.push({ name, keyid });
  return people;
}

/** As in the journal: an RFC names its revision itself, so comments in between do not matter. */
function markOf(attestation: Attestation): string {
  const { workspace, subject, action, recordHash, shown } = attestation.decision;
  const seen = action.startsWith('rfc.') ? hashOf(rulesOf(attestation)) : shown;
  return [workspace, subject, action, recordHash, seen].join(' ');
}

function lastSentBack({ decision }: Attestation, all: readonly Attestation[]): number {
  const sent = all.filter(
    (one) =>
      one.record.kind === 'rfc.changesRequested' &&
      one.decision.workspace === decision.workspace &&
      one.decision.subject === decision.subject &&
      one.decision.position < decision.position,
  );
  return Math.max(-1, ...sent.map((one) => one.decision.position));
}

/** What a decision still needs, as a text; null when enough people have signed it. */
function missingPeople(attestation: Attestation, all: readonly Attestation[]): string | null {
  const rules = rulesOf(attestation);
  if (rules.length === 0) return null;
  const people = signersOf(attestation, all);
  const short = rules.filter((rule) => missingFor(rule, people) > 0);
  if (short.length === 0) return null;
  const names = people.map(({ name }) => name).join(', ');
  return `needs ${rulesWords(short)}, and is signed by ${names === '' ? 'none of them' : names} so far`;
}

// Answers that a human gave together, in attestations: they are valid only together, as in the journal.

/** Why an answer is not valid without another one, with its question as the subject; null if all are there. */
function missingBeside({ record, decision }: Attestation, all: readonly Attestation[]): string | null {
  const together = record.kind === 'question.answered' ? record.together : undefined;
  if (together === undefined) return null;
  const list = hashOf(together);
  const found = new Set(
    all
      .filter(({ record: other, decision: { workspace } }) =>
        other.kind === 'question.answered' && other.together !== undefined && workspace === decision.workspace
          ? hashOf(other.together) === list
          : false,
      )
      .map((one) => `${one.decision.subject} ${one.decision.shown}`),
  );
  const missing = together.find(({ id, shown }) => !found.has(`${id} ${shown}`));
  return missing ? `was answered together with ${missing.id}, whose decision is not here` : null;
}
