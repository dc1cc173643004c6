/**
 * The gate without a store, as in CI: checks commits against attestations in the repository, with keys from outside it.
 * Every id that a commit names must be decided by a human, and only sound attestations count.
 */
import { definitionOf } from '../../core/decision/decisions.ts';
import { globHolds } from '../../core/kit/glob.ts';
import { questionType } from '../../core/kit/words.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import type { Attestation, Attested } from './attestations.ts';
import { attestedScope } from './attestedItem.ts';
import { concerning } from './checkFiles.ts';
import type { CheckFile, CheckRange } from './checkReport.ts';
import { missingBeside } from './attestedTogether.ts';
import { missingPeople, signersOf } from './attestedPeople.ts';

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
  /** The decisions that count, for the log. */
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

/** Why a decision does not count by itself, or not yet; null if it does. */
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
