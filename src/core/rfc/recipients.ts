/** Who receives the decisions on an RFC. */
import type { Rfc } from '../state/rfc.ts';
import type { State } from '../state/state.ts';

export function recipientsOf({ work }: Pick<State, 'work'>, { asker, workflows, tasks }: Rfc): ReadonlySet<string> {
  const owners = [...workflows, ...tasks].map((id) => work.get(id)?.assignee ?? null);
  return new Set([asker.id, ...owners.filter((owner) => owner !== null)]);
}
