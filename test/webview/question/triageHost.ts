/** The host of a triage as a page meets it: the real queue and the real hold-back, with a clock that stands still. */
import type { AnswerSnapshot, QuestionMessage, Snapshot } from '../../../src/protocol/question/question.ts';
import type { TriageState } from '../../../src/protocol/question/triage.ts';
import { createHeldBack } from '../../../src/vscode/question/heldBack.ts';
import {
  back,
  decidedIn,
  goTo,
  left,
  marked,
  next,
  placeIn,
  startQueue,
} from '../../../src/vscode/question/triageQueue.ts';
import type { Form } from '../harness.ts';
import { now, snapshot } from './samples.ts';

type Keyed = Extract<AnswerSnapshot, { key: string }> & { readonly id: string };
type Answer = Extract<QuestionMessage, { type: 'answer' }>;

export function triageHost(form: Form, items: readonly Keyed[]) {
  let queue = startQueue(items);
  let read = 0;
  const decisions: Answer[] = [];
  const others: QuestionMessage[] = [];
  const held = createHeldBack<Answer>({
    now: () => Date.parse(now),
    later: () => () => undefined,
    send: ({ key, decision }) => {
      queue = marked(queue, key, 'decided');
      decisions.push(decision);
      return Promise.resolve();
    },
  });

  const view = (): AnswerSnapshot =>
    items.find(({ key }) => key === queue.at) ?? {
      type: 'triageEnd',
      decided: decidedIn(queue),
      proposals: false,
      left: left(queue).map(({ key, id }) => ({ key, id, title: id })),
      runs: [],
      stays: [],
    };

  const state = (): TriageState => ({
    ...placeIn(queue),
    decided: decidedIn(queue),
    held: held.all.map(({ act, key, until, decision: { choices, text } }) => ({
      ...{ act, key, how: 'answer', until: new Date(until).toISOString() },
      said: choices.join(', ') || text,
    })),
  });

  const show = (more: Partial<Snapshot> = {}) => form.send(snapshot(view(), { tab: true, triage: state(), ...more }));

  function act(message: QuestionMessage): Partial<Snapshot> {
    if (message.type === 'triage') queue = message.go === 'next' ? next(queue) : back(queue);
    else if (message.type === 'triageTo') queue = goTo(queue, message.key);
    else if (message.type === 'undo') {
      const back = held.takeBack(message.held);
      if (back) queue = goTo(marked(queue, back.key, 'open'), back.key);
    } else if (message.type === 'answer') {
      held.hold({ act: message.act, key: message.key, decision: message }, 30_000);
      queue = next(marked(queue, message.key, 'held'));
      return { outcome: { type: 'done', act: message.act } };
    } else others.push(message);
    return {};
  }

  return {
    ...{ decisions, others, show },
    at: () => queue.at,
    /** Does what the page has asked for since the last time; how many messages that were. */
    async respond(): Promise<number> {
      const all = await form.posted();
      const fresh = all.slice(read);
      read = all.length;
      for (const message of fresh) await show(act(message));
      return fresh.length;
    },
    /** The time of all held decisions is over. */
    sendAll: async () => {
      await held.sendAll();
      await show();
    },
  };
}
