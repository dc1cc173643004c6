/** Which tools models are offered now: a folder that does not use Holdpoint pays for one. */
import { undecidedQuestions, recipientOf } from '../../core/state/state.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

/** `used`: the folder uses Holdpoint. `asked`: an agent has an open question. `requests`: a responsibility is registered. */
export type Shown = 'always' | 'used' | 'asked' | 'requests';

/** Whether anything was ever recorded here, or prepared. */
export function isUsed({ location, options }: Pick<Workspace, 'location' | 'options'>): boolean {
  return location.problem !== null || options.fs.existsSync(`${location.root}/.holdpoint`);
}

/** @param agent the caller; null for any */
export function shownIn(workspace: Workspace, agent: string | null): ReadonlySet<Shown> {
  if (!isUsed(workspace)) return new Set<Shown>(['always']);
  const { state } = workspace.standing();
  // What cannot be read may hold anything.
  if (state === null) return everything;
  const isOpen = undecidedQuestions(state).some(
    (question) => agent === null || question.asker.id === agent || recipientOf(state, question) === agent,
  );
  return new Set<Shown>([
    'always',
    'used',
    ...(isOpen ? (['asked'] as const) : []),
    ...(state.responsibilities.size > 0 ? (['requests'] as const) : []),
  ]);
}

export const everything: ReadonlySet<Shown> = new Set<Shown>(['always', 'used', 'asked', 'requests']);
