/** Decisions that take several people, in attestations: each signature is a file, and what was shown names the rules. */
import * as z from 'zod';
import { quorumRule } from '../../core/records/quorum.ts';
import type { Person, QuorumRule } from '../../core/records/quorum.ts';
import { isSamePerson, missingFor } from '../../core/state/quorum.ts';
import { rulesWords } from '../../core/state/quorumWords.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { Attestation } from './attestations.ts';

const rulesIn = z.object({ quorum: z.array(z.lazy(quorumRule)).min(1) });

/** The rules that covered the item when it was decided; they are part of what was signed. */
function rulesOf({ shown }: Attestation): readonly QuorumRule[] {
  const inside = shown?.['question'] ?? shown;
  if (typeof inside !== 'object' || inside === null || !('quorum' in inside)) return [];
  // A rule that cannot be read cannot be met.
  return rulesIn.safeParse(inside).data?.quorum ?? [{ people: [], count: 1 }];
}

/** Everybody who signed the same decision about the same thing, each person once. */
export function signersOf(attestation: Attestation, all: readonly Attestation[]): Person[] {
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

/** An RFC that was sent back needs a new decision. */
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
export function missingPeople(attestation: Attestation, all: readonly Attestation[]): string | null {
  const rules = rulesOf(attestation);
  if (rules.length === 0) return null;
  const people = signersOf(attestation, all);
  const short = rules.filter((rule) => missingFor(rule, people) > 0);
  if (short.length === 0) return null;
  const names = people.map(({ name }) => name).join(', ');
  return `needs ${rulesWords(short)}, and is signed by ${names === '' ? 'none of them' : names} so far`;
}
