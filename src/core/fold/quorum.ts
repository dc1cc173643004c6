/**
 * Decisions that need several people. A decision that too few have signed is kept as an approval and has no effect. A
 * no takes effect immediately, and what the item holds stays held until enough people have signed.
 */
import { withoutEnvelope, subjectOf, type Trust } from '../records/decision.ts';
import { startChange, type Change, Inadmissible, requireNone, type Deciding, type Folding } from '../state/change.ts';
import {
  changedRules,
  countedApprovals,
  isListed,
  isMet,
  isSamePerson,
  needsPasskey,
  rulesFor,
  countsForPolicy,
} from '../state/quorum.ts';
import { decide } from '../decision/decision.ts';
import { definitionOf, type SignedRecord, type UnsignedRecord } from '../decision/decisions.ts';
import type { Approval, PendingDecision, Person, QuorumRule } from '../records/policy.ts';
import type { Widening } from '../state/heldChanges.ts';
import type { State } from '../state/state.ts';
import { save } from '../question/fold.ts';
import { saveRfc } from '../rfc/fold.ts';
import { latestRevision } from '../rfc/rfc.ts';

// Decisions that only a passkey signs, by the policy: which they are, and whether this signature does. A program that
// can use the editor's key can neither make them, nor add a passkey for them, nor loosen the policy.

interface SignedWith {
  readonly keyid: string;
  readonly passkey: boolean;
}

export function passkeyProblem(state: State, record: UnsignedRecord, signer: SignedWith): string | null {
  if (loosensNothing(state, record)) return null;
  if (!signer.passkey) return 'the policy asks for a passkey: sign it in a browser ("holdpoint serve")';
  return countsForPolicy(state, signer.keyid)
    ? null
    : 'the policy asks for a passkey, and this one was not added to this workspace: add it in the form for passkeys';
}

function loosensNothing(state: State, record: UnsignedRecord): boolean {
  const rules = state.policy.passkeys?.rules ?? [];
  if (rules.length === 0) return true;
  // Whoever adds passkeys decides what passkeys decide.
  if (record.kind === 'key.passkeyAdded') return false;
  if (record.kind === 'policy.changed') {
    const changed = record.passkeys === undefined ? [] : changedRules(rules, record.passkeys.rules);
    return changed.length === 0 && !rules.some(coversEverything);
  }
  const item =
    definitionOf(record).ruled && 'id' in record && (state.questions.get(record.id) ?? state.rfcs.get(record.id));
  return !item || !needsPasskey(state, item);
}

function coversEverything(rule: object): boolean {
  return Object.values(rule).every((condition) => condition === undefined);
}

/** The rules that a decision must meet; none for most. */
function rulesOf(state: State, record: UnsignedRecord): readonly QuorumRule[] {
  if (!definitionOf(record).ruled) return [];
  if (record.kind === 'policy.changed')
    return record.quorum === undefined ? [] : changedRules(state.policy.quorum?.rules ?? [], record.quorum.rules);
  if (!('id' in record)) return [];
  const item = state.questions.get(record.id) ?? state.rfcs.get(record.id);
  return item ? rulesFor(state, item) : [];
}

/** Identifies the rules that a decision must meet. */
export function ruledContent(state: State, record: UnsignedRecord): unknown {
  const item = 'id' in record ? state.rfcs.get(record.id) : undefined;
  return ruledBy(rulesOf(state, record), item !== undefined && needsPasskey(state, item));
}

/** Only the rules without a passkey, so that earlier hashes are kept. */
function ruledBy(rules: readonly QuorumRule[], passkey: boolean): unknown {
  return passkey ? { rules, passkey } : rules;
}

export function personProblem(state: State, record: UnsignedRecord, person: Person): string | null {
  const rules = rulesOf(state, record);
  if (rules.length === 0 || rules.some((rule) => isListed(rule, person))) return null;
  const people = [...new Set(rules.flatMap((rule) => rule.people))].join(', ');
  return `the policy lets only ${people} decide this: a decision by ${person.name} is not valid`;
}

/** What a decision would do if this person signed it now. */
export function outcomeOf(
  state: State,
  record: UnsignedRecord,
  mark: Pick<PendingDecision, 'shown' | 'recordHash'>,
  person: Person,
): 'counts' | 'kept' | 'repeated' {
  const before = standingApprovals(state, subjectOf(record), mark);
  if (before.some((one) => isSamePerson(one, person))) return 'repeated';
  return isMet(rulesOf(state, record), [...before, person]) || definitionOf(record).refuses?.(state, record) === true
    ? 'counts'
    : 'kept';
}

/**
 * Identifies the decision and the content that was shown. A decision on an RFC names the revision and its hash itself,
 * and comments between two approvals do not undo the first.
 */
export function markOf(
  record: UnsignedRecord,
  { shown, recordHash }: Pick<PendingDecision, 'shown' | 'recordHash'>,
  hashOfRules: () => string,
): Pick<PendingDecision, 'shown' | 'recordHash'> {
  return { shown: record.kind.startsWith('rfc.') ? hashOfRules() : shown, recordHash };
}

function isSameMark(a: Mark, b: Mark): boolean {
  return a.shown === b.shown && a.recordHash === b.recordHash;
}
type Mark = Pick<PendingDecision, 'shown' | 'recordHash'>;

function standingApprovals(state: State, subject: string, mark: Mark): Approval[] {
  const known = state.approvals.get(subject)?.find((one) => isSameMark(one, mark));
  return countedApprovals(state, known?.approvals ?? []);
}

/**
 * Drops approvals of changed items, as they were for content that is no longer shown, and those of keys that are no
 * longer trusted, also where no record says so: a team's ring, or an administrator's, ends them.
 */
export function dropOutdated(state: State, change: Change, { trust, line }: Pick<Folding, 'trust' | 'line'>): void {
  const isStanding = standsAt({ state, trust, line });
  for (const [subject, pending] of state.approvals) {
    const kept = pending
      .filter(({ shown, record }) => shown === shownNow(state, record, trust.hash))
      .map((one) => (one.approvals.every(isStanding) ? one : { ...one, approvals: one.approvals.filter(isStanding) }))
      .filter(({ approvals }) => approvals.length > 0);
    if (kept.length === pending.length && kept.every((one, index) => one === pending[index])) continue;
    if (kept.length === 0) change.unset(state.approvals, subject);
    else change.set(state.approvals, subject, kept);
  }
}

function standsAt({ state, trust, line }: Pick<Folding, 'state' | 'trust' | 'line'>): (one: Approval) => boolean {
  const workspace = state.workspace?.id ?? '';
  return ({ keyid }) => trust.counts(keyid, line.at, workspace);
}

/** What a decision like this record is bound to now; null if the item can no longer be decided so. */
function shownNow(state: State, record: PendingDecision['record'], hash: Trust['hash']): string | null {
  const decision = record as UnsignedRecord;
  const rfc = 'id' in decision && record.kind.startsWith('rfc.') ? state.rfcs.get(decision.id) : undefined;
  if (rfc) {
    const isLatest = record['revision'] === undefined || record['revision'] === latestRevision(rfc).number;
    return isLatest ? hash(ruledContent(state, decision)) : null;
  }
  const shown = definitionOf(decision).shown(state, decision);
  return shown && hash(shown);
}

/**
 * Applies a signed record: with effect if enough people signed it, as an approval otherwise.
 * @throws Inadmissible also when the signer is not among the people that may decide it
 */
export function applyDecision(at: Deciding, record: SignedRecord): 'counts' | 'kept' {
  const { state, change, payload } = at;
  const subject = subjectOf(record);
  const definition = definitionOf(record);
  const rules = rulesOf(state, record);
  requireNone(passkeyProblem(state, record, at));
  if (rules.length === 0) {
    decide(definition, at, record);
    if (definition.ruled) change.unset(state.approvals, subject);
    return 'counts';
  }
  const person = { name: at.name, keyid: at.keyid };
  requireNone(personProblem(state, record, person));
  const mark = markOf(record, payload, () => at.trust.hash(ruledContent(state, record)));
  const before = standingApprovals(state, subject, mark).filter(standsAt(at));
  if (before.some((one) => isSamePerson(one, person))) throw new Inadmissible(`${at.name} has already signed this`);
  const approvals = [...before, { ...person, at: payload.at }];
  const met = isMet(rules, approvals);
  const inner = startChange();
  const { widened = null } = state.questions.get(subject) ?? state.rfcs.get(subject) ?? {};
  try {
    decide(definition, { ...at, change: inner }, record);
  } catch (error) {
    inner.undo();
    throw error;
  }
  const effective = met || definition.refuses?.(state, record) === true;
  if (effective) change.join(inner);
  else inner.undo();
  if (met || record.kind === 'rfc.changesRequested') change.unset(state.approvals, subject);
  else {
    const proposal = { ...mark, record: withoutEnvelope(record), approvals };
    change.set(state.approvals, subject, effective ? [proposal] : withPending(state.approvals.get(subject), proposal));
  }
  if (effective && !met) keepHeld(at, record, widened);
  return effective ? 'counts' : 'kept';
}

/** At most so many different proposals of one item: later ones replace the oldest. */
const proposalsAtMost = 20;

function withPending(known: readonly PendingDecision[] = [], proposal: PendingDecision): PendingDecision[] {
  return [...known.filter((one) => !isSameMark(one, proposal)), proposal].slice(-proposalsAtMost);
}

/** After a no of too few people: what the item held stays held. */
function keepHeld(at: Deciding, record: SignedRecord, widened: Widening | null): void {
  if (record.kind === 'question.answered') {
    const question = at.state.questions.get(record.id);
    if (question?.mode === 'sync' && question.resolution)
      save(at, { ...question, widened, resolution: { ...question.resolution, unmet: true } });
  } else if (record.kind === 'rfc.rejected') {
    const rfc = at.state.rfcs.get(record.id);
    if (rfc?.ended) saveRfc(at, { ...rfc, widened, ended: { ...rfc.ended, unmet: true } });
  }
}
