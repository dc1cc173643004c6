/** What a decision still needs, in words: for agents, the gate and the audit. */
import { answerLine } from '../kit/answerLine.ts';
import { firstLine } from '../kit/text.ts';
import { visibleText } from '../kit/visible.ts';
import type { Approval, PendingDecision, QuorumRule } from '../records/quorum.ts';
import type { Answer } from '../records/records.ts';
import { countedApprovals, isListed, missingFor, needsPasskey, rulesFor } from './quorum.ts';
import type { Rfc } from './rfc.ts';
import type { Question, CurrentState } from './state.ts';

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
export function progressWords({ pending, approvals, have, of }: Progress): string {
  const names = approvals.map(({ name }) => name).join(' and ');
  return visibleText(`${String(have)} of ${String(of)}: ${names} ${approvedWords(pending)}`);
}

function approvedWords({ record }: PendingDecision): string {
  switch (record.kind) {
    case 'question.answered':
      return `approved "${firstLine(answerLine(record['answer'] as Answer), 200)}"`;
    case 'question.cancelled':
      return 'approved cancelling it';
    case 'question.released':
      return 'approved releasing it';
    case 'refusal.lifted':
      return 'approved lifting the refusal';
    case 'hold.narrowed':
      return 'approved holding only the named files';
    case 'hold.changeAccepted':
      return 'accepted the changes of held files';
    case 'rfc.rejected':
      return 'rejected it';
    case 'rfc.withdrawn':
      return 'approved withdrawing it';
    default:
      return 'approved';
  }
}

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
