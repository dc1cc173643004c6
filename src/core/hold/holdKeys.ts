/**
 * Keys by which the holders of a saved state are found without looking at all of them. A holder that meets what is asked
 * has one of the keys for it, so what is found only has to be looked at as usual; a property test compares the answers.
 */
import { folding } from '../kit/glob.ts';
import type { QuestionBrief, State, UnreadQuestions, WorkItem } from '../state/state.ts';

/** Null: any holder may meet it. */
export type Keys = readonly string[] | null;
/** Computed only where a saved state is asked. */
export type KeysIn = (unread: UnreadQuestions) => Keys;

export const anyKey: KeysIn = () => null;

/** Whatever a human widened to every file. */
const widenedKey = 'all';
const agentKey = (id: string) => `agent ${id}`;
const sessionKey = (id: string) => `session ${id}`;
/** Names the item. */
const workKey = (id: string) => `work ${id}`;
/** Names it and is critical, so that it also holds the workflow that the item has by then, if it has changed. */
const criticalKey = (id: string) => `critical ${id}`;
/** Holds the files that the item has by then, if it has changed. */
const scopesKey = (id: string) => `scopes ${id}`;
/** Holds files from this folder or file on. */
const atKey = (worktree: string | null, path: readonly string[]) => `at ${JSON.stringify([worktree, ...path])}`;
/** Holds something below this folder. */
const belowKey = (worktree: string | null, path: readonly string[]) => `below ${JSON.stringify([worktree, ...path])}`;

/** Deeper names count as their folder at this depth: keys stay few, however deep a glob is. */
const deepest = 12;

/**
 * The keys under which what it holds is found.
 * @param items as they are when it is saved
 */
export function keysOf(brief: QuestionBrief, items: State['work']): ReadonlySet<string> {
  const { asker, work, urgency, alsoWork, widened } = brief;
  const keys = new Set([agentKey(asker.id)]);
  if (asker.session !== undefined) keys.add(sessionKey(asker.session));
  for (const id of work === null ? alsoWork : [work, ...alsoWork]) keys.add(workKey(id));
  if (work !== null && urgency === 'critical') {
    keys.add(criticalKey(work));
    const workflow = items.get(work)?.workflow ?? null;
    if (workflow !== null) keys.add(workKey(workflow));
  }
  if (widened === null) addFiles(keys, brief, items);
  else keys.add(widenedKey);
  return keys;
}

function addFiles(
  keys: Set<string>,
  { asker, work, alsoWork, holds, addedHolds }: QuestionBrief,
  items: State['work'],
): void {
  const worktree = asker.worktree ?? null;
  const named = holds.length > 0 ? [] : work === null ? alsoWork : [work, ...alsoWork];
  for (const id of named) keys.add(scopesKey(id));
  const scopes = named.flatMap((id) => items.get(id)?.holds ?? []);
  for (const glob of [...holds, ...addedHolds, ...scopes]) {
    const plain = plainSegments(glob);
    keys.add(atKey(worktree, plain));
    for (let depth = 1; depth < plain.length; depth++) keys.add(belowKey(worktree, plain.slice(0, depth)));
  }
}

/** The segments before the first wildcard, in the form that ignores case. */
function plainSegments(glob: string): string[] {
  const segments = fold(glob).split('/');
  const wildcard = segments.findIndex((segment) => /[*?]/.test(segment));
  return segments.slice(0, Math.min(deepest, wildcard < 0 ? segments.length : wildcard));
}

const fold = folding(true);

export function keysOfAsker(agent: string, session: string | undefined): Keys {
  return session === undefined ? [agentKey(agent)] : [agentKey(agent), sessionKey(session)];
}

export const keysOfWidened: Keys = [widenedKey];

/** Of what holds one of these work items directly. */
export function keysOfWork(state: State, unread: UnreadQuestions, ids: ReadonlySet<string>): Keys {
  const critical = itemsSince(state, unread).filter(({ workflow }) => workflow !== null && ids.has(workflow));
  return [...[...ids].map(workKey), ...critical.map(({ id }) => criticalKey(id))];
}

/** Those that may differ from the ones that were saved. */
function itemsSince(state: State, { work }: Pick<UnreadQuestions, 'work'>): WorkItem[] {
  return work ? [...work.changed()].flatMap((id) => state.work.get(id) ?? []) : [...state.work.values()];
}

/** Of what names one of these work items, or was asked in this session. */
export function keysOfNamed(ids: Iterable<string>, session: string | undefined): readonly string[] {
  const named = [...ids].map(workKey);
  return session === undefined ? named : [...named, sessionKey(session)];
}

/** A file as seen from a worktree. */
export interface SeenFrom {
  readonly path: string;
  /** Whether a glob holds the file or, if it is a folder, something in it. */
  readonly isHeldBy: (glob: string) => boolean;
}

/**
 * Of what holds some of these files.
 * @param filesFrom as seen from a worktree; null: from the one that is asked about
 */
export function keysOfFiles(
  state: State,
  unread: Pick<UnreadQuestions, 'worktrees' | 'work'>,
  filesFrom: (worktree: string | null) => readonly SeenFrom[],
): Keys {
  const keys = [widenedKey];
  const seen: SeenFrom[] = [];
  for (const worktree of unread.worktrees)
    for (const file of filesFrom(worktree)) {
      // A whole worktree.
      if (file.path === '.') return null;
      seen.push(file);
      addAround(keys, worktree, fold(file.path).split('/'));
    }
  for (const { id, holds } of itemsSince(state, unread))
    if (holds.some((glob) => seen.some(({ isHeldBy }) => isHeldBy(glob)))) keys.push(scopesKey(id));
  return keys;
}

function addAround(keys: string[], worktree: string | null, path: readonly string[]): void {
  for (let depth = 0; depth <= Math.min(deepest, path.length); depth++)
    keys.push(atKey(worktree, path.slice(0, depth)));
  if (path.length < deepest) keys.push(belowKey(worktree, path));
}
