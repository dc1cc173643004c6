/** The verdict of the gate on a state, with its terms, as `askGate` combines them. */
import { gateReasons, termsOn } from '../../../src/core/hold/gate.ts';
import type { GateQuery, GateVerdict } from '../../../src/core/hold/gate.ts';
import type { State } from '../../../src/core/state/state.ts';

export function gate(state: State, query: GateQuery): GateVerdict {
  const reasons = gateReasons(state, query);
  return { verdict: reasons.length === 0 ? 'allow' : 'deny', reasons, ...termsOn(state, query) };
}
