/**
 * Decisions that only a passkey signs, by the policy: which they are, and whether this signature does. A program that
 * can use the editor's key can neither make them, nor add a passkey for them, nor loosen the policy.
 */
import type { UnsignedRecord } from '../records/decision.ts';
import { changedRules, countsForPolicy, needsPasskey } from '../state/quorum.ts';
import type { State } from '../state/state.ts';
import { definitionOf } from '../decision/decisions.ts';

interface SignedWith {
  readonly keyid: string;
  readonly passkey: boolean;
}

/** Why a signature is not valid for this decision; null when it is. */
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
