/**
 * What `holdpoint check` says about a change: the questions and RFCs that concern its files, who decided what, and
 * everything that keeps it from being clear. The same for a store and for attestations.
 */
import { globHolds } from '../../core/kit/paths.ts';
import { firstLine, answerLine } from '../../core/kit/text.ts';
import { questionType, type AnswerEffect } from '../../core/kit/words.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import { impliedEffect } from '../../core/state/answerEffect.ts';

export interface CheckFile {
  /** Relative to the repository, `/` between parts. A renamed file is listed under both names. */
  readonly path: string;
  /** `reverted`: commits changed it, but it is the same at both ends. */
  readonly change: 'added' | 'modified' | 'deleted' | 'retyped' | 'reverted';
  /** Only its recorded commit is compared, not its files. */
  readonly submodule: boolean;
}

export interface RangeCommit {
  readonly sha: string;
  readonly files: readonly string[];
  /** Ids of questions and RFCs in its message. */
  readonly names: readonly string[];
}

/** A change, as git describes it. */
export interface CheckRange {
  /** Whole hashes of commits. */
  readonly base: string;
  readonly head: string;
  readonly merge_bases: readonly string[];
  /** All files of `commits` too. */
  readonly files: readonly CheckFile[];
  readonly commits: readonly RangeCommit[];
  /** A path of the repository relative to the workspace; null outside it. */
  readonly inside: (path: string) => string | null;
  /** Globs of files in the repository: a commit that changes one must name a decision about it. */
  readonly required: readonly string[];
}

export interface CheckDecision {
  /** Kind of the signed record. */
  readonly action: string;
  readonly effect: AnswerEffect | null;
  readonly said: string | null;
  readonly by: string;
  readonly at: string;
  /** Decisions without a valid signature are problems, never listed as decisions. */
  readonly signature: 'valid';
  /** Id of the key that signed. */
  readonly key: string;
  /** Of an RFC: the revision it was about, and for an approval the hash of its text. */
  readonly revision: number | null;
  readonly revision_hash: string | null;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

/**
 * `not_approved`: a human closed an approval without an answer. `withdrawn`: its agent took back a question that held
 * nothing. `unverifiable`: what claims to be a decision has no valid signature. `unknown`: a commit names it, but it
 * does not exist here.
 */
export type CheckOutcome =
  'allowed' | 'undecided' | 'refused' | 'not_approved' | 'withdrawn' | 'unverifiable' | 'unknown';

export interface CheckItem {
  readonly id: string;
  /** Id of its workspace: machines number their questions separately. Null if it is not known. */
  readonly workspace: string | null;
  readonly kind: 'question' | 'rfc';
  readonly title: string | null;
  /** The person or responsibility it is for; null if it is for everybody. */
  readonly for: string | null;
  /** Changed files that it concerns. */
  readonly files: readonly string[];
  /** Commits that name it. */
  readonly commits: readonly string[];
  readonly outcome: CheckOutcome;
  /** Whether it leaves the change clear. */
  readonly clear: boolean;
  /** A later approval for the same files, which is why an earlier one that was not given is not a problem. */
  readonly replaced_by: string | null;
  readonly decision: CheckDecision | null;
}

export interface CheckProblem {
  readonly code: Exclude<CheckOutcome, 'allowed' | 'withdrawn'> | 'unknown_state';
  readonly id: string | null;
  readonly files: readonly string[];
  readonly text: string;
}

export interface CheckReport {
  readonly result: 'proceed' | 'denied';
  readonly state: 'CLEAR' | 'BLOCKED' | 'UNKNOWN';
  readonly source: 'store' | 'attestations';
  readonly base: string;
  /** The commit that this report is about, and no other. */
  readonly head: string;
  readonly merge_bases: readonly string[];
  /** The end of the journal that was read; null for attestations. */
  readonly journal: { readonly position: number; readonly head: string } | null;
  readonly files: readonly CheckFile[];
  readonly items: readonly CheckItem[];
  readonly problems: readonly CheckProblem[];
  readonly notes: readonly string[];
}

/** An item with what is needed to compare it with others. */
export interface FoundItem {
  readonly item: Omit<CheckItem, 'clear' | 'replaced_by'>;
  /** Position of its decision in the journal of its workspace; null if undecided. */
  readonly position: number | null;
  /** Whether a later approval for the same files makes up for it. Never for a refusal, which only a human lifts. */
  readonly mayBeReplaced: boolean;
  /** Whether it approves something. */
  readonly approves: boolean;
}

export interface Findings extends Pick<CheckReport, 'source' | 'journal'> {
  readonly found: readonly FoundItem[];
  /** Problems that belong to no item. */
  readonly problems: readonly CheckProblem[];
  readonly notes: readonly string[];
}

export function reportOn(range: CheckRange, findings: Findings): CheckReport {
  const { base, head, merge_bases, files } = range;
  const { source, journal } = findings;
  const items = withReplacements(findings.found);
  const problems = [...findings.problems, ...items.flatMap(problemOf), ...unnamed(range, items)];
  const isUnknown = problems.some(({ code }) => code === 'unknown_state');
  const outside = files.filter(({ path }) => range.inside(path) === null).length;
  return {
    result: problems.length === 0 ? 'proceed' : 'denied',
    state: isUnknown ? 'UNKNOWN' : problems.length === 0 ? 'CLEAR' : 'BLOCKED',
    ...{ source, base, head, merge_bases, journal, files, items, problems },
    notes: [
      ...findings.notes,
      ...(outside === 0
        ? []
        : [`Changed files outside the workspace, which nothing here can concern: ${String(outside)}.`]),
    ],
  };
}

function unnamed({ commits, required }: CheckRange, items: readonly CheckItem[]): CheckProblem[] {
  return commits.flatMap(({ sha, files, names }): CheckProblem[] => {
    const allowing = items.filter(({ id, outcome }) => outcome === 'allowed' && names.includes(id));
    const covered = new Set(allowing.flatMap((item) => item.files));
    const missing = files.filter((file) => required.some((glob) => globHolds(glob, file)) && !covered.has(file));
    const text = `The message of ${sha.slice(0, 12)} must name a decision (Q-12, RFC-3) that is about these files.`;
    return missing.length === 0 ? [] : [{ code: 'undecided', id: null, files: missing, text }];
  });
}

function withReplacements(found: readonly FoundItem[]): CheckItem[] {
  return found.map((one) => {
    const { outcome } = one.item;
    const by = outcome !== 'allowed' && outcome !== 'withdrawn' ? replacementOf(one, found) : null;
    return { ...one.item, clear: outcome === 'allowed' || outcome === 'withdrawn' || by !== null, replaced_by: by };
  });
}

/** Only for files: a commit that names an item means that item. */
function replacementOf({ item, position, mayBeReplaced }: FoundItem, all: readonly FoundItem[]): string | null {
  if (!mayBeReplaced || position === null || item.commits.length > 0) return null;
  const later = all.find(
    (other) =>
      other.approves &&
      other.item.outcome === 'allowed' &&
      other.item.workspace === item.workspace &&
      (other.position ?? 0) > position &&
      item.files.every((file) => other.item.files.includes(file)),
  );
  return later?.item.id ?? null;
}

function problemOf(item: CheckItem): CheckProblem[] {
  const { id, files, outcome, clear } = item;
  if (clear || outcome === 'allowed' || outcome === 'withdrawn') return [];
  return [{ code: outcome, id, files, text: problemText(item, outcome) }];
}

function problemText({ id, kind, title, for: whom, decision, commits }: CheckItem, code: CheckProblem['code']): string {
  const name = title === null ? id : `${id} "${firstLine(title, 120)}"`;
  const by = decision?.by ?? 'a human';
  const asked = whom === null ? '' : ` (for ${whom})`;
  switch (code) {
    case 'undecided':
      return kind === 'rfc'
        ? `${name}${asked} has no approval yet.`
        : `${name}${asked} has no answer from a human yet.`;
    case 'refused':
      return `${name} was refused by ${by}.`;
    case 'not_approved':
      return `${name} was closed by ${by} without an approval.`;
    case 'unverifiable':
      return `${name} has a decision without a valid signature.`;
    default:
      return `${id} is named by ${commits.length === 1 ? 'a commit' : 'commits'}, but there is no decision on it here.`;
  }
}

/** A decision for the report. @param type the question's type, as far as it is known */
export function decisionOf(
  record: SignedRecord,
  { by, at, key, type }: { readonly by: string; readonly at: string; readonly key: string; readonly type: unknown },
): CheckDecision {
  const isApproval = record.kind === 'rfc.approved';
  return {
    action: record.kind,
    effect: effectIn(record, type),
    said: saidIn(record),
    ...{ by, at, key, signature: 'valid' as const },
    revision: 'revision' in record ? record.revision : null,
    revision_hash: isApproval ? record.hash : null,
    conditions: isApproval ? record.conditions : [],
    constraints: isApproval ? record.constraints : [],
  };
}

function effectIn(record: SignedRecord, type: unknown): AnswerEffect | null {
  if (record.kind !== 'question.answered') return null;
  const known = questionType.safeParse(type);
  return record.answer.effect ?? (known.success ? impliedEffect({ type: known.data }, record.answer) : null);
}

function saidIn(record: SignedRecord): string | null {
  if (record.kind === 'question.answered') return firstLine(answerLine(record.answer), 200);
  if ('reason' in record && typeof record.reason === 'string') return firstLine(record.reason, 200);
  return 'note' in record && typeof record.note === 'string' ? firstLine(record.note, 200) : null;
}
