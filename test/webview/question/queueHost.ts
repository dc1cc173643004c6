/** The host of a tab on the queue, as a page meets it: the real queue, with a clock that stands still. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome } from '../../../src/ui/kit/view.ts';
import type { AnswerSnapshot, Snapshot } from '../../../src/ui/answer/form.ts';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import type { Decidable } from '../../../src/ui/answer/decisions.ts';
import { createQueue } from '../../../src/ui/answer/queue.ts';
import type { Form } from '../harness.ts';
import { now, snapshot } from './samples.ts';

type Item = Decidable & { readonly id: string };
type Answer = Extract<QuestionMessage, { type: 'answer' }>;

/** @param single only the first item is shown, as in the view */
export function queueHost(form: Form, items: readonly Item[], single = false) {
  let read = 0;
  let at: string | null = null;
  const decisions: Answer[] = [];
  const others: QuestionMessage[] = [];
  const failing = new Set<string>();
  const timers = new Set<() => void>();
  const queue = createQueue({
    selection: { key: () => at, select: (key) => (at = key) },
    now: () => Date.parse(now),
    later(_, run) {
      timers.add(run);
      return () => timers.delete(run);
    },
    undoSeconds: () => 30,
    changed: () => undefined,
  });
  if (!single) queue.begin();

  const decide = (message: QuestionMessage & { act: string }): Promise<Outcome> => {
    const { act, type } = message;
    if (type !== 'answer') return Promise.resolve({ type: 'done', act });
    if (failing.has(message.key)) return Promise.resolve({ type: 'refused', act, reason: 'changed', text: 'Changed.' });
    decisions.push(message);
    return Promise.resolve({ type: 'done', act });
  };

  function view(): AnswerSnapshot {
    const left = queue.arrange(items.filter(({ key }) => !decisions.some((one) => one.key === key)));
    if (!queue.isThrough()) at ??= left[0]?.key ?? null;
    return (
      items.find(({ key }) => key === at) ?? {
        ...{ type: 'nothing', rfcs: [], proposals: [], agents: [] },
        left: left.map(({ key, id }) => ({ key, id, title: id })),
      }
    );
  }

  async function show(more: Partial<Snapshot> = {}): Promise<void> {
    const shown = view();
    const state = queue.state();
    await form.send(snapshot(shown, { tab: !single, ...(state ? { queue: state } : {}), ...more }));
  }

  async function act(message: QuestionMessage): Promise<Partial<Snapshot>> {
    const shown = items.find(({ key }) => key === at);
    if (message.type === 'go') queue.go(message.to);
    else if (message.type === 'select') at = message.key;
    else if (message.type === 'undo') queue.undo(message.held);
    else if ('act' in message && shown) {
      const check = () => Promise.resolve({ type: 'done', act: message.act } as const);
      return { outcome: await queue.sign(message, shown, { check, decide: () => decide(message) }) };
    } else others.push(message);
    return {};
  }

  return {
    ...{ decisions, others, failing, show },
    at: () => at,
    /** Does what the page has asked for since the last time; how many messages that were. */
    async respond(): Promise<number> {
      const all = await form.posted();
      const fresh = all.slice(read);
      read = all.length;
      for (const message of fresh) await show(await act(message));
      return fresh.length;
    },
    /** The time of all held decisions is over. */
    async sendAll(): Promise<void> {
      for (const run of timers) run();
      await nextTurn();
      await show();
    },
  };
}
