/** Answers that precedents gave, in attestations: what the other files in the folder say about them. */
import { plural } from '../../core/kit/plural.ts';
import { keptByPolicy } from '../../core/precedent/matching.ts';
import { needsPasskey } from '../../core/state/quorum.ts';
import type { Policy } from '../../core/state/state.ts';
import type { Attestation } from './attestations.ts';

/**
 * Without the uses whose place a human's own decision took: one on the question, or one that took the use back. They are
 * history, and their files count for nothing.
 * @param settles whether a signed record of this kind decides its question
 */
export function withoutReplaced(all: readonly Attestation[], settles: (kind: string) => boolean): Attestation[] {
  const decided = new Set(
    all
      .filter(({ use, record }) => !use && (record.kind === 'precedent.takenBack' || settles(record.kind)))
      .map(questionOf),
  );
  return all.filter((one) => !one.use || !decided.has(questionOf(one)));
}

function questionOf({ decision: { workspace, subject } }: Attestation): string {
  return `${workspace}/${subject}`;
}

/** Why a use does not count, with the question as its subject; null if it counts, and for decisions of a human. */
export function usedProblem(attestation: Attestation, all: readonly Attestation[]): string | null {
  const { use, decision, keyid } = attestation;
  if (!use) return null;
  const { precedent } = use;
  const here = all.filter((one) => one.decision.workspace === decision.workspace);
  const before = here.filter((one) => !one.use && one.decision.position < decision.position);
  if (before.some(({ record }) => record.kind === 'precedent.ended' && record.id === precedent.id))
    return `${precedent.id} answered after a human had ended it`;
  if (before.some(({ record }) => givesUp(record, keyid)))
    return `${precedent.id} answered after its key had been given up`;
  if (before.some(({ decision: { subject } }) => subject === decision.subject))
    return `${precedent.id} answered after a human had dealt with it`;
  if (here.some((one) => one !== attestation && one.use && one.decision.subject === decision.subject))
    return 'precedents answered more than once';
  const uses = here
    .filter((one) => one.use && one.decision.recordHash === decision.recordHash)
    .sort((a, b) => a.decision.position - b.decision.position);
  if (uses.indexOf(attestation) >= precedent.uses)
    return `${precedent.id} answered more often than the ${plural(precedent.uses, 'time')} that it was signed for`;
  const state = { ...use.state, policy: { ...use.state.policy, ...latestRules(here) } };
  const kept = keptByPolicy(state, use.question);
  if (kept !== null) return `${precedent.id} answered, although ${kept}`;
  return needsPasskey(state, use.question) && !use.passkey
    ? `${precedent.id} answered without a passkey, which the policy asks for`
    : null;
}

function givesUp(record: Attestation['record'], keyid: string): boolean {
  if (record.kind === 'key.retired') return record.keyid === keyid;
  if (record.kind === 'key.rotated') return record.from === keyid;
  return record.kind === 'key.lost' && record.lost.some((one) => one.keyid === keyid);
}

/** The rules of the latest policies that have some: a policy without rules keeps those before it. */
function latestRules(here: readonly Attestation[]): Pick<Policy, 'quorum' | 'passkeys' | 'precedents'> {
  const policies = here
    .flatMap(({ record, decision }) => (record.kind === 'policy.changed' ? { record, at: decision.position } : []))
    .sort((a, b) => b.at - a.at)
    .map(({ record }) => record);
  return {
    quorum: policies.find(({ quorum }) => quorum !== undefined)?.quorum,
    passkeys: policies.find(({ passkeys }) => passkeys !== undefined)?.passkeys,
    precedents: policies.find(({ precedents }) => precedents !== undefined)?.precedents,
  };
}
