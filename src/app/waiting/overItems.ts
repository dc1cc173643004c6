/** Which items no reminder can be due for any more, as far as this machine knows. */
import type { State } from '../../core/state/state.ts';
import type { KnownStanding } from './knownStandings.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** A folder that was away for so long is not expected back. */
const awayMs = 90 * dayMs;

/** @param now ISO 8601, as `at`, when the item was last reminded of */
export function overIn(
  known: readonly KnownStanding[],
  now: string,
): (workspace: string, id: string, at: string) => boolean {
  const states = new Map(known.map(({ workspace, state }) => [workspace, state]));
  return (workspace, id, at) => {
    const age = Date.parse(now) - Date.parse(at);
    const state = states.get(workspace);
    // An item that ended a moment ago may still be shown, or be in what another program has read.
    return state ? age > dayMs && !isWaiting(state, id) : age > awayMs;
  };
}

function isWaiting(state: State, id: string): boolean {
  if (state.requests.has(id) || state.heldFiles.has(id)) return true;
  return state.questions.get(id)?.resolution === null || state.rfcs.get(id)?.ended === null;
}
