/**
 * `holdpoint check` on attestations, where there is no store: it knows the decisions that the commit itself carries, and
 * no open question that no human has acted on.
 */
import * as z from 'zod';
import { definitionOf } from '../../core/decision/decisions.ts';
import { questionType } from '../../core/kit/words.ts';
import { quorumRule, type Person, type QuorumRule } from '../../core/records/policy.ts';
import { isSamePerson, missingFor, rulesWords } from '../../core/state/quorum.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { Attestation, Attested } from './attestations.ts';
import {
  findConcerned,
  isSettling,
  reportOn,
  type CheckOutcome,
  type CheckProblem,
  type CheckRange,
  type CheckReport,
  type Concerned,
  type Examined,
  type Scope,
} from './checkReport.ts';

export function checkAttested(range: CheckRange, { attestations, bad }: Attested): CheckReport {
  const concerned = findConcerned(range, '.');
  const standing = standingDecisions(attestations);
  const examined = [...bySubject(attestations)].map(([key, known]) =>
    examinedItem({ range, concerned, attestations }, known, standing.get(key) ?? null),
  );
  return reportOn(range, {
    source: 'attestations',
    journal: null,
    examined,
    problems: bad.map(({ name, why }): CheckProblem => ({
      code: 'unverifiable',
      id: null,
      files: [name],
      text: `${name} ${why}.`,
    })),
    notes: (items) => [
      ...[...standing.values()].flatMap((one) => {
        const why = unprovenProblem(one, attestations);
        const isConcerned = items.some(({ id }) => id === one.decision.subject);
        return why !== null && isConcerned ? [`${one.decision.subject} ${why}.`] : [];
      }),
      'Attestations contain decisions only: questions that no human has acted on cannot be seen here.',
    ],
  });
}

function keyOf({ decision: { workspace, subject } }: Attestation): string {
  return `${workspace}/${subject}`;
}

/** Those about questions and RFCs, by workspace and id. */
function bySubject(attestations: readonly Attestation[]): Map<string, [Attestation, ...Attestation[]]> {
  const groups = new Map<string, [Attestation, ...Attestation[]]>();
  for (const attestation of attestations) {
    if (!/^(?:Q|RFC)-\d+$/.test(attestation.decision.subject)) continue;
    const group = groups.get(keyOf(attestation));
    if (group) group.push(attestation);
    else groups.set(keyOf(attestation), [attestation]);
  }
  return groups;
}

interface Look {
  readonly range: CheckRange;
  readonly concerned: Concerned;
  readonly attestations: readonly Attestation[];
}

/** @param standing the decision in force; null if the known ones settled nothing */
function examinedItem(
  { range, concerned, attestations }: Look,
  known: readonly [Attestation, ...Attestation[]],
  standing: Attestation | null,
): Examined {
  const { subject: id, workspace } = known[0].decision;
  const seen = known.map(seenIn);
  const type = standing && seenIn(standing).type;
  const isShort = standing !== null && unprovenProblem(standing, attestations) !== null;
  const isNamed = range.commits.some(({ names }) => names.includes(id));
  const found = standing === null ? 'undecided' : outcomeOf(standing, isNamed);
  // A single No is enough. Anything else needs all the people that the rule requires, and every answer signed with it.
  const outcome = isShort && found !== 'refused' ? 'undecided' : found;
  const record = standing?.record;
  return {
    ...{ id, workspace, outcome },
    files: [...concerned(attestedScope(known, standing !== null))].sort(),
    title: seen.map(({ text, title }) => text ?? title).findLast((words) => words !== null) ?? null,
    for: seen.findLast((one) => one.for !== null)?.for ?? null,
    decision: standing && {
      ...{ record: standing.record, key: standing.keyid, type },
      ...{ by: standing.decision.by, at: standing.decision.at, position: standing.decision.position },
    },
    mayBeReplaced:
      outcome === 'not_approved' ||
      record?.kind === 'rfc.withdrawn' ||
      (record?.kind === 'rfc.rejected' && record.then === 'another_way'),
    approves:
      !isShort && (record?.kind === 'rfc.approved' || (record?.kind === 'question.answered' && type === 'approval')),
  };
}

/** @param isNamed by a commit, as the decision that allows it: then a cancelled question decided nothing */
function outcomeOf(attestation: Attestation, isNamed: boolean): CheckOutcome {
  const { record } = attestation;
  return definitionOf(record).meaning?.(record, seenIn(attestation).type, isNamed) ?? 'refused';
}

/** Why a decision is not valid by itself, or not yet; null if it is. */
function unprovenProblem(attestation: Attestation, all: readonly Attestation[]): string | null {
  return missingBeside(attestation, all) ?? missingPeople(attestation, all);
}

/**
 * The latest decision on each item of each workspace. Machines count their questions separately, so several may have
 * the same id; then all of them must permit it. Comments, ask-backs and revocations settle nothing, and decisions on an
 * amendment leave the approved revision in force.
 */
function standingDecisions(attestations: readonly Attestation[]): ReadonlyMap<string, Attestation> {
  const latest = new Map<string, Attestation>();
  for (const attestation of attestations) {
    if (!isSettling(attestation.record) || isOfAmendment(attestation, attestations)) continue;
    const known = latest.get(keyOf(attestation));
    if (!known || attestation.decision.position > known.decision.position) latest.set(keyOf(attestation), attestation);
  }
  return latest;
}

/** Sent back or rejected, or not approved by enough people yet, while an earlier revision was approved. */
function isOfAmendment(attestation: Attestation, all: readonly Attestation[]): boolean {
  const { kind } = attestation.record;
  if (attestation.shown?.['status'] !== 'approved') return false;
  if (kind === 'rfc.approved') return missingPeople(attestation, all) !== null;
  return kind === 'rfc.changesRequested' || kind === 'rfc.rejected';
}

// Decisions that take several people, in attestations: each signature is a file, and what was shown names the rules.

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

// The files of a question or an RFC, as the human was shown them.

const texts = z.array(z.string()).catch([]);
const seenFields = z.object({
  text: z.string().nullable().catch(null),
  title: z.string().nullable().catch(null),
  for: z.string().nullable().catch(null),
  type: questionType.nullable().catch(null),
  scopes: texts,
  holds: texts,
  files: z.array(z.object({ path: z.string() })).catch([]),
});

/** What the human was shown, as far as it tells which files it concerns. `holds` are an RFC's files. */
function seenIn({ record, shown }: Attestation): z.infer<typeof seenFields> {
  const isOfAnswer = record.kind === 'answer.revoked' || record.kind === 'refusal.lifted';
  const seen = seenFields.safeParse((isOfAnswer ? shown?.['question'] : shown) ?? {});
  return seen.data ?? seenFields.parse({});
}

/**
 * The files that one question or RFC is about.
 * @param known its attestations
 * @param settled whether a decision of it is in force: until then, a widened one is about all files
 */
function attestedScope(known: readonly Attestation[], settled: boolean): Scope {
  const seen = known.map(seenIn);
  const isEvery = !settled && known.some(({ record }) => record.kind === 'hold.widened');
  return {
    globs: new Set([...(isEvery ? ['**'] : []), ...seen.flatMap(({ scopes, holds }) => [...scopes, ...holds])]),
    paths: new Set(seen.flatMap(({ files }) => files.map((file) => file.path))),
    place: '.',
  };
}
