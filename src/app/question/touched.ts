/**
 * What may have been changed since an agent asked. Only what is known is said: files that the agent itself named, in
 * its records or commits, and files of its work that anyone may have changed.
 */
import { namedScopes } from '../../core/hold/holds.ts';
import { globHolds } from '../../core/kit/paths.ts';
import type { State } from '../../core/state/state.ts';
import { eventsIn } from '../../store/rows/events.ts';
import type { View } from '../../store/store.ts';

/** What version control says about the time since then. */
export interface Changes {
  readonly commits: readonly {
    readonly author: string;
    readonly email: string;
    readonly message: string;
    readonly files: readonly string[];
  }[];
  /** All files changed since then, by anyone, committed or not; null where that cannot be read. */
  readonly files: readonly string[] | null;
}

export interface Touched {
  /** Named by the agent's own records of changes, or changed by commits that name it. */
  readonly byAgent: readonly string[];
  /** Of the work that the question is about, changed by anyone; null where that cannot be told. */
  readonly inWork: readonly string[] | null;
}

export function touchedSince(view: View, id: string, changes: Changes): Touched {
  const question = view.state.questions.get(id);
  if (!question) return { byAgent: [], inWork: null };
  const agent = question.asker.id;
  const committed = changes.commits.filter((commit) => names(commit, agent)).flatMap(({ files }) => files);
  const recorded = recordedChanges(view, agent, question.raisedAt);
  return { byAgent: [...new Set([...recorded, ...committed])], inWork: inWork(view.state, id, changes.files) };
}

function inWork(state: State, id: string, files: Changes['files']): readonly string[] | null {
  const question = state.questions.get(id);
  const globs = question ? namedScopes(state, question) : [];
  if (files === null || globs.length === 0) return null;
  return files.filter((file) => globs.some((glob) => globHolds(glob, file)));
}

/** Paths of the changes that the agent has recorded since then. */
function recordedChanges({ rows }: View, agent: string, since: string): string[] {
  return [...eventsIn(rows).events.values()]
    .filter(
      ({ author, author_kind, type, imported, posted_at }) =>
        author === agent && author_kind === 'agent' && type === 'mutation' && !imported && posted_at >= since,
    )
    .reverse()
    .flatMap(({ scopes }) => scopes);
}

/** As its author, or in a trailer such as `Agent: copilot-001` or `Co-authored-by: copilot-001 <…>`. */
function names({ author, email, message }: Changes['commits'][number], agent: string): boolean {
  if (author === agent || email.split('@')[0] === agent) return true;
  const last =
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  return last.split('\n').some((line) => {
    const [, who] = /^(?:agent|co-authored-by|signed-off-by):\s*([^<]*?)\s*(?:<[^>]*>)?\s*$/i.exec(line) ?? [];
    return who === agent;
  });
}
