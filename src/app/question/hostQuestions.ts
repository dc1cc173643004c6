/**
 * Notes what a host asks its user by itself, and ends the note with what the host reports. Without rows: the host waits for
 * this.
 */
import { hostPayload, openInHost, type AskedInHost, type EndedInHost } from '../../core/question/question.ts';
import { recordPayload } from '../../core/kit/fields.ts';
import { sameTextKey } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';
import type { Store } from '../../store/store.ts';
import type { AgentSession } from '../workspace/session.ts';
import { raiseOnly, withdraw } from './questions.ts';

export interface NotedQuestion {
  readonly text: string;
  readonly choices: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}

export async function noteHostQuestion(
  store: Store,
  session: AgentSession,
  asked: AskedInHost,
  question: NotedQuestion,
): Promise<void> {
  await raiseOnly(store, session, {
    text: clip(question.text, limits.questionText),
    type: 'clarification',
    urgency: 'low',
    mode: 'async',
    work: null,
    choices: choicesOf(question),
    multiple: question.multiple,
    freeText: true,
    background: `${asked.host} asked this itself (${asked.by}), and waits for the answer there. What it reports as the answer ends this note.`,
    ...recordPayload(hostPayload(asked)),
    alternatives: [],
    files: [],
    holds: [],
  });
}

/** None where they do not fit a question of ours: the text says what is asked. */
function choicesOf({ choices }: NotedQuestion) {
  const labels = new Set(choices.map(({ label }) => sameTextKey(label)));
  if (labels.size < choices.length || choices.length > limits.choices) return [];
  if (choices.some(({ label }) => label.length > limits.title)) return [];
  return choices.map((choice) => ({ ...choice, recommended: false }));
}

/** @param answers by the text of the question; null ends the latest one that `asked.by` asked */
export async function endHostQuestions(
  store: Store,
  session: AgentSession,
  asked: EndedInHost,
  answers: readonly { readonly question: string | null; readonly text: string }[],
): Promise<void> {
  for (const { question, text } of answers) {
    const open = openInHost(store.read().state, asked);
    const key = question === null ? null : sameTextKey(clip(question, limits.questionText));
    const ended = open.filter(({ raised }) => key === null || sameTextKey(raised.text) === key).at(-1);
    if (ended) await end(store, session, ended.id, `Answered in ${asked.host}, as it reports: ${text}`);
  }
}

/** For a host whose hooks report no answer: its agent has gone on, so that nothing is asked there any more. */
export async function endOfTurn(store: Store, session: AgentSession, asked: EndedInHost): Promise<void> {
  for (const { id } of openInHost(store.read().state, asked))
    await end(store, session, id, `${asked.host} continued. Its hooks do not report the answer.`);
}

/** In the name of the agent that it was noted for: meanwhile the session may have got a number. */
async function end(store: Store, session: AgentSession, id: string, reason: string): Promise<void> {
  const asker = store.read().state.questions.get(id)?.asker.id ?? session.actor.id;
  const actor = { ...session.actor, id: asker };
  await withdraw(store, { ...session, actor }, id, clip(reason, limits.otherText));
}

function clip(text: string, atMost: number): string {
  return text.length > atMost ? `${text.slice(0, atMost - 1)}…` : text;
}
