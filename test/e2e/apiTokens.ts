/** What the tests with real agents play: API tokens are held by a question, until a human says "Sessions". */
import { answerAsHuman, questionShown, showAnswerView } from '../support/answerForm.ts';
import type { EditorWindow } from '../support/window.ts';

/** One call of a tool, as a scripted model makes it. */
export interface Step {
  readonly name: string;
  readonly input: unknown;
}

export const work = { id: 't-1', kind: 'task', title: 'API tokens', status: 'in_progress', holds: ['src/auth.js'] };

export const question = {
  text: 'Should API tokens be JWTs or server-side sessions?',
  type: 'decision',
  mode: 'sync',
  work_id: work.id,
  choices: [{ label: 'JWT' }, { label: 'Sessions' }],
};

/** What an agent reads when it edits all the same, and when the human has answered. */
export const denied = /Denied: .*held by Q-1 "Should API tokens be JWTs or server-side sessions\?"/;
export const answered = /Q-1 answered by .*"Sessions", with "Revoking has to be instant\."/;

export async function answer(window: EditorWindow): Promise<void> {
  await showAnswerView(window);
  await answerAsHuman(await questionShown(window), { choice: 'Sessions', text: 'Revoking has to be instant.' });
}
