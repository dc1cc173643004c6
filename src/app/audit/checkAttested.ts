/**
 * `holdpoint check` on attestations, where there is no store: it knows the decisions that the commit itself carries, and
 * no open question that no human has acted on.
 */
import { definitionOf } from '../../core/decision/decisions.ts';
import type { Attestation, Attested } from './attestations.ts';
import { attestedScope, seenIn, standingDecisions, unprovenProblem } from './attestedDecisions.ts';
import { findConcerned, type Concerned } from './checkFiles.ts';
import {
  decisionOf,
  reportOn,
  type CheckOutcome,
  type CheckProblem,
  type CheckRange,
  type CheckReport,
  type FoundItem,
} from './checkReport.ts';
import { unknownItem } from './checkStore.ts';

export function checkAttested(range: CheckRange, { attestations, bad }: Attested): CheckReport {
  const concerned = findConcerned(range, '.');
  const standing = new Map(standingDecisions(attestations).map((one) => [keyOf(one), one]));
  const items = [...bySubject(attestations)].flatMap(
    ([key, known]) => itemOf({ range, concerned, attestations }, known, standing.get(key) ?? null) ?? [],
  );
  const known = new Set(items.map(({ item }) => item.id));
  const names = new Set(range.commits.flatMap((commit) => commit.names));
  return reportOn(range, {
    source: 'attestations',
    journal: null,
    found: [...items, ...[...names].filter((id) => !known.has(id)).map((id) => unknownItem(range, id))],
    problems: bad.map(({ name, why }): CheckProblem => ({
      code: 'unverifiable',
      id: null,
      files: [name],
      text: `${name} ${why}.`,
    })),
    notes: [
      ...[...standing.values()].flatMap((one) => {
        const why = unprovenProblem(one, attestations);
        return why !== null && known.has(one.decision.subject) ? [`${one.decision.subject} ${why}.`] : [];
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

/** @param standing the decision in force; null if what is known of it settled nothing */
function itemOf(
  { range, concerned, attestations }: Look,
  known: readonly [Attestation, ...Attestation[]],
  standing: Attestation | null,
): FoundItem | null {
  const { subject: id, workspace } = known[0].decision;
  const seen = known.map(seenIn);
  const scope = attestedScope(known, standing !== null);
  const files = [...concerned(scope)].sort();
  const commits = range.commits.filter(({ names }) => names.includes(id)).map(({ sha }) => sha);
  if (files.length === 0 && commits.length === 0) return null;
  const type = standing && seenIn(standing).type;
  const isShort = standing !== null && unprovenProblem(standing, attestations) !== null;
  const found = standing === null ? 'undecided' : outcomeOf(standing, commits.length > 0);
  // A no counts at once; everything else takes as many people as the rule asks for, and all that it was signed with.
  const outcome = isShort && found !== 'refused' ? 'undecided' : found;
  const record = standing?.record;
  return {
    item: {
      ...{ id, workspace, kind: id.startsWith('RFC-') ? 'rfc' : 'question', files, commits, outcome },
      title: seen.map(({ text, title }) => text ?? title ?? null).findLast((words) => words !== null) ?? null,
      for: seen.findLast((one) => one.for !== null)?.for ?? null,
      decision:
        standing &&
        decisionOf(standing.record, {
          by: standing.decision.by,
          at: standing.decision.at,
          key: standing.keyid,
          type,
        }),
    },
    position: standing?.decision.position ?? null,
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
