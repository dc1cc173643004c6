/** The store for faults: held and free work, an answered question, and the editor's copy. */
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { heldWork } from '../store/heldWork.ts';
import type { State } from '../../../src/core/state/state.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, decide, enrolledHuman, type Human } from '../store/people.ts';

export async function register(
  store: Store,
  id: string,
  more: { dependsOn?: string[]; holds?: string[] } = {},
  by = agent(),
): Promise<void> {
  await registerWork(store, by, { id, workKind: 'task', title: `Title of ${id}`, ...more });
}

export async function ask(
  store: Store,
  text: string,
  work: string | null,
  more: object = {},
  by = agent(),
): Promise<string> {
  const asked = { text, type: 'clarification', urgency: 'medium', mode: 'sync', work, ...more } as const;
  return (await raiseQuestion(store, by, asked)).question.id;
}

/** `held` and its dependents are held, `free` is not, and the question on `answered` is answered. */
export async function setStage(workspace: Workspace): Promise<Human> {
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  for (const id of ['held', 'free', 'answered']) await register(store, id, { holds: [`src/${id}/**`] });
  await register(store, 'dependent', { dependsOn: ['held'] });
  await ask(store, 'May I drop the table?', 'held');
  const id = await ask(store, 'Which name?', 'answered');
  await decide(workspace, human, id);
  return human;
}

export const heldItems = ['held', 'dependent'] as const;

/** Holders and held work, as lines, none of which may disappear. */
export function heldSet(state: State): Set<string> {
  const work = [...heldWork(state)].flatMap(([id, holders]) => [...holders].map((holder) => `${id} by ${holder}`));
  return new Set([...state.holders, ...work]);
}

/** Elements of the first set that the second lacks. */
export function missingFrom(first: ReadonlySet<string>, second: ReadonlySet<string>): string[] {
  return [...first].filter((line) => !second.has(line));
}
