/**
 * What `holdpoint check` says about a change: the questions and RFCs that concern its files, who decided what, and
 * everything that keeps it from being clear. The same for a store and for attestations.
 */
import { globHolds, holding, seenFrom } from '../../core/kit/paths.ts';
import { firstLine, answerLine } from '../../core/kit/text.ts';
import { questionType, type AnswerEffect } from '../../core/kit/words.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import { definitionOf } from '../../core/decision/decisions.ts';
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

export interface CheckDecision extends ReturnType<typeof decisionOf> {}

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

export interface CheckReport extends ReturnType<typeof reportOn> {}

/** What a store or attestations say about a question or an RFC. */
export interface Examined extends Pick<CheckItem, 'id' | 'workspace' | 'title' | 'for' | 'files' | 'outcome'> {
  /** The decision in force, with the question's type as far as it is known. */
  readonly decision: {
    readonly record: SignedRecord;
    readonly by: string;
    readonly at: string;
    readonly key: string;
    readonly type: unknown;
    readonly position: number;
  } | null;
  /** Whether a later approval for the same files makes up for it. Never for a refusal, which only a human lifts. */
  readonly mayBeReplaced: boolean;
  readonly approves: boolean;
}

/** An item with what is needed to compare it with others. */
interface FoundItem {
  readonly item: Omit<CheckItem, 'clear' | 'replaced_by'>;
  readonly examined: Examined;
}

/** Nothing for an item that concerns neither a changed file nor a commit. */
function foundItem({ commits: all }: CheckRange, examined: Examined): FoundItem[] {
  const { mayBeReplaced: _, approves: __, decision, ...item } = examined;
  const commits = all.filter(({ names }) => names.includes(item.id)).map(({ sha }) => sha);
  if (item.files.length === 0 && commits.length === 0) return [];
  const kind = item.id.startsWith('RFC-') ? 'rfc' : 'question';
  return [{ item: { ...item, kind, commits, decision: decision && decisionOf(decision) }, examined }];
}

/** Ids in messages of commits without anything behind them. */
function unknownItems({ commits }: CheckRange, known: readonly Examined[]): Examined[] {
  const names = new Set(commits.flatMap((commit) => commit.names));
  for (const { id } of known) names.delete(id);
  const nothing = { workspace: null, title: null, for: null, files: [], decision: null } as const;
  return [...names].map((id) => ({ id, ...nothing, outcome: 'unknown', mayBeReplaced: false, approves: false }));
}

interface Findings {
  readonly source: 'store' | 'attestations';
  /** The end of the journal that was read; null for attestations. */
  readonly journal: { readonly position: number; readonly head: string } | null;
  readonly examined: readonly Examined[];
  /** Problems that belong to no item. */
  readonly problems: readonly CheckProblem[];
  /** @param items those that concern the change */
  readonly notes: (items: readonly CheckItem[]) => readonly string[];
}

/** Whether a record of this kind decides its question or RFC, or lifts a refusal. */
export function isSettling(record: Pick<SignedRecord, 'kind'>): boolean {
  return definitionOf(record).meaning !== undefined;
}

export function reportOn(range: CheckRange, findings: Findings) {
  const { base, head, merge_bases, files } = range;
  const { source, journal, examined } = findings;
  const all = [...examined, ...unknownItems(range, examined)];
  const items = withReplacements(all.flatMap((one) => foundItem(range, one)));
  const problems = [...findings.problems, ...items.flatMap(problemOf), ...unnamed(range, items)];
  const isUnknown = problems.some(({ code }) => code === 'unknown_state');
  const outside = files.filter(({ path }) => range.inside(path) === null).length;
  return {
    result: problems.length === 0 ? ('proceed' as const) : ('denied' as const),
    state: isUnknown ? ('UNKNOWN' as const) : problems.length === 0 ? ('CLEAR' as const) : ('BLOCKED' as const),
    ...{ source, base },
    /** The commit that this report is about, and no other. */
    head,
    ...{ merge_bases, journal, files, items, problems },
    notes: [
      ...findings.notes(items),
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
function replacementOf({ item, examined }: FoundItem, all: readonly FoundItem[]): string | null {
  const { mayBeReplaced, decision } = examined;
  if (!mayBeReplaced || !decision || item.commits.length > 0) return null;
  const later = all.find(
    (other) =>
      other.examined.approves &&
      other.item.outcome === 'allowed' &&
      other.item.workspace === item.workspace &&
      (other.examined.decision?.position ?? 0) > decision.position &&
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

/** A decision without a valid signature is a problem, and never listed. */
function decisionOf({ record, by, at, key, type }: NonNullable<Examined['decision']>) {
  const isApproval = record.kind === 'rfc.approved';
  return {
    /** Kind of the signed record. */
    action: record.kind as string,
    effect: effectIn(record, type),
    said: saidIn(record),
    ...{ by, at, signature: 'valid' as const },
    /** Id of the key that signed. */
    key,
    /** Of an RFC: the revision it was about, and for an approval the hash of its text. */
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

// Which changed files a question or RFC concerns. There may be thousands of each, so files are found by their folders.
// Ignores case, because any clone may have a file system that does.

export interface Scope {
  readonly globs: ReadonlySet<string>;
  /** Files that it is about, without holding them. */
  readonly paths: ReadonlySet<string>;
  /** The worktree in which it was raised, relative to the store's root. */
  readonly place: string;
}

export type Concerned = (scope: Scope) => ReadonlySet<string>;

/** @param here the worktree of the change, relative to the store's root */
export function findConcerned(range: Pick<CheckRange, 'files' | 'inside'>, here: string): Concerned {
  const known = new Map<string, Index>();
  return ({ globs, paths, place }) => {
    const index = known.get(place) ?? indexOf(range, place, here);
    known.set(place, index);
    const found = new Set<string>();
    for (const glob of globs)
      for (const { file, holds } of candidatesFor(index, glob)) if (!found.has(file) && holds(glob)) found.add(file);
    for (const path of paths) for (const { file } of candidatesFor(index, path, path)) found.add(file);
    return found;
  };
}

interface Seen {
  readonly file: string;
  readonly holds: (glob: string) => boolean;
}

interface Index {
  /** Files by each folder around them, and by their own path. `''` has all. */
  readonly within: ReadonlyMap<string, readonly Seen[]>;
  readonly exact: ReadonlyMap<string, readonly Seen[]>;
}

function indexOf({ files, inside }: Pick<CheckRange, 'files' | 'inside'>, place: string, here: string): Index {
  const within = new Map<string, Seen[]>();
  const exact = new Map<string, Seen[]>();
  for (const { path: file } of files)
    for (const reading of readings(inside(file), place, here)) {
      const seen = { file, holds: holding(reading, true) };
      const path = foldCase(reading);
      add(exact, path, seen);
      add(within, '', seen);
      for (const folder of prefixesOf(path)) add(within, folder, seen);
    }
  return { within, exact };
}

/**
 * A branch written in one worktree is checked in another, so a path is found by its place in the repository as well as
 * by its place on the disk.
 */
function readings(path: string | null, place: string, here: string): string[] {
  if (path === null) return [];
  const elsewhere = place === here ? null : seenFrom(place, here, path);
  return elsewhere === null || elsewhere === path ? [path] : [path, elsewhere];
}

/** The files below the part of a glob without wildcards, and those above the glob, such as a submodule. */
function* candidatesFor({ within, exact }: Index, glob: string, plain = plainPart(glob)): Generator<Seen> {
  yield* within.get(foldCase(plain)) ?? [];
  for (const path of ['.', ...prefixesOf(foldCase(glob))]) yield* exact.get(path) ?? [];
}

/** The folders before the first wildcard; a glob without one also holds what is below it. */
function plainPart(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  return wildcard < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)));
}

/** `a`, `a/b`, `a/b/c` for `a/b/c`. */
function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
