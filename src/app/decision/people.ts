/** Checks before signing whether a person's decision is valid, and whether it needs more people. */
import type { UnsignedRecord } from '../../core/decision/decisions.ts';
import { withoutEnvelope } from '../../core/records/decision.ts';
import { passkeyProblem, markOf, outcomeOf, personProblem, ruledContent } from '../../core/fold/quorum.ts';
import type { Signer } from './signer.ts';
import type { State } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { parsedRecord } from './record.ts';

/**
 * What the record will do: take effect, or be kept as an approval.
 * @param signer whose name is that of the key in the ring
 * @throws AppError `denied` when the policy does not name this person, `conflict` when they have signed the same before
 */
export function requirePerson(state: State, record: UnsignedRecord, shown: string, signer: Signer): 'counts' | 'kept' {
  const problem =
    passkeyProblem(state, record, { keyid: signer.keyid, passkey: signer.isPasskey === true }) ??
    personProblem(state, record, signer);
  if (problem !== null) throw new AppError('denied', problem);
  const recordHash = hashOf(withoutEnvelope(parsedRecord(record)));
  const mark = markOf(record, { shown, recordHash }, () => hashOf(ruledContent(state, record)));
  const outcome = outcomeOf(state, record, mark, signer);
  if (outcome === 'repeated') throw new AppError('conflict', 'you have already signed this: it needs other people now');
  return outcome;
}
