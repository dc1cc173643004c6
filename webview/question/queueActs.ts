/** The page's side of the queue: the countdown, announcements, and the drafts of decisions that can be undone. */
import type { Snapshot, QueueState } from '../../src/ui/answer/view.ts';
import { undoKeys } from '../shared/deciding.ts';
import { t } from '../shared/strings.ts';
import { millisecondsUntil } from '../shared/time.ts';
import { visibleText } from '../shared/visible.ts';
import type { PageOptions, QuestionCore } from './core.ts';
import type { createDrafts } from './drafts.ts';

const howWords = {
  answer: t('Answered.'),
  release: t('Dismissed without an answer.'),
  cancel: t('Dismissed as no longer needed.'),
};

type HeldDecision = QueueState['held'][number];

export function createQueueActs(
  { core }: QuestionCore,
  { keepDraft }: Pick<ReturnType<typeof createDrafts>, 'keepDraft'>,
  { later, changed }: Pick<PageOptions, 'later' | 'changed'>,
) {
  const held = () => core.snapshot()?.queue?.held ?? [];
  let ticking = false;

  /** Redraws when the next second of the countdown begins. */
  function tick(): void {
    const latest = held().at(-1);
    const rest = latest ? millisecondsUntil(latest.until) : 0;
    if (ticking || rest <= 0) return;
    ticking = true;
    later((rest % 1_000) + 20, () => {
      ticking = false;
      changed();
      tick();
    });
  }

  return {
    /** Whether the decision can still be undone, so that its draft is kept. */
    isHeld: (key: string): boolean => held().some((one) => one.key === key),

    received(next: Snapshot, before: Snapshot | undefined): void {
      const { queue } = next;
      if (!queue) return;
      const key = keyOf(next);
      const moved = key !== keyOf(before);
      if (moved) core.notices.focusOn('question');
      const then = before?.queue?.held ?? [];
      const ended = without(then, queue.held).filter((one) => one.key !== queue.failed);
      for (const one of ended) if (one.key !== key) keepDraft(one.key, undefined);
      const fresh = without(queue.held, then).at(-1);
      const words = [
        ...(ended.some((one) => one.key === key) ? [t('Undone. It was not sent.')] : []),
        ...(fresh
          ? [
              heldWords(fresh),
              t('Sending in {n} seconds. Press {key} to undo.', { n: secondsLeft(fresh), key: undoKeys }),
            ]
          : []),
        ...(moved && queue.index !== undefined
          ? [t('Item {index} of {of}.', { index: queue.index, of: queue.of })]
          : []),
      ];
      if (words.length > 0) core.notices.say(words.join(' '));
      tick();
    },
  };
}

function keyOf(snapshot: Snapshot | undefined): string | undefined {
  return snapshot && 'key' in snapshot.view ? snapshot.view.key : undefined;
}

function without(some: readonly HeldDecision[], others: readonly HeldDecision[]): readonly HeldDecision[] {
  return some.filter(({ act }) => !others.some((one) => one.act === act));
}

export function heldWords({ how, said }: HeldDecision): string {
  return said === undefined ? howWords[how] : t('Answered “{said}”.', { said: visibleText(said) });
}

/** Whole seconds; 0 during sending. */
export function secondsLeft({ until }: HeldDecision): number {
  return Math.max(0, Math.ceil(millisecondsUntil(until) / 1_000));
}
