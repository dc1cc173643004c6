/**
 * Verifies who signed a record. A decision that does not match in every respect is an attempted forgery, without
 * effect.
 */
import { subjectOf, unsigned } from '../records/decision.ts';
import type { DecisionPayload, Trust, VerifiedDecision } from '../records/decision.ts';
import { isRecentPlace } from '../state/places.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { SignedRecord } from '../records/records.ts';
import type { Deciding, Folding } from '../state/effect.ts';

/**
 * @throws Inadmissible unless a key that counts here signed exactly this record for this workspace and position
 */
export function signed(at: Folding, record: SignedRecord): Deciding {
  const { state, line, trust } = at;
  const verified = trust.verify(record.envelope, line.at);
  if ('why' in verified) throw new Inadmissible(verified.why, 'forgery');
  const { payload, keyid, name, passkey } = verified;
  const ended = state.retiredKeys.get(keyid);
  if (ended !== undefined) throw new Inadmissible(`is signed by a key that was given up at ${ended}`, 'forgery');
  const misfit = bindingProblem(at, record, verified);
  if (misfit !== null) throw new Inadmissible(misfit, 'forgery');
  // One instant for each act, wherever it is told: the one that was signed, not that of the write.
  return { ...at, line: { ...line, time: payload.at }, payload, keyid, name, passkey };
}

/** Detects a genuine signature used for another record or place. */
function bindingProblem(
  { state, line, trust }: Folding,
  record: SignedRecord,
  { payload, passkey }: VerifiedDecision,
): string | null {
  if (payload.workspace !== state.workspace?.id) return 'its signature was given for another workspace';
  const misfit = contentProblem(trust, record, payload);
  if (misfit !== null) return misfit;
  if (state.nonces.has(payload.nonce)) return 'its signature was used before';
  const isBound = passkey && isRecentPlace(state, payload);
  if (!isBound && (payload.head !== line.prev || payload.position > line.at))
    return 'its signature was given for another state of the journal';
  return null;
}

/** Detects a record with another kind, item or content than was signed. */
function contentProblem(trust: Trust, record: SignedRecord, payload: DecisionPayload): string | null {
  if (payload.action !== record.kind) return `its signature was given for ${payload.action}`;
  if (payload.subject !== subjectOf(record)) return `its signature was given for ${payload.subject}`;
  return payload.recordHash === trust.hash(unsigned(record)) ? null : 'its content is not what was signed';
}
