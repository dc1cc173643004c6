/** The items that the human can see in this window now, which notifications neither repeat nor cover. */
import type { Screen } from './status/telling.ts';
import type { Briefings } from './briefing/briefingView.ts';
import type { AnswerView } from './answer/answerView.ts';
import type { RfcPanels } from './rfc/panels.ts';
import type { WaitingTree } from './tree/tree.ts';

export interface Surfaces {
  readonly answers: AnswerView;
  readonly reviews: RfcPanels;
  readonly tree: WaitingTree;
  readonly briefings: Briefings;
}

export function screenOf({ answers, reviews, tree, briefings }: Surfaces): Screen {
  return {
    isShown: (key) => answers.isShown(key) || reviews.isShown(key),
    listed: async () => new Set([...(await tree.listed()), ...briefings.listed()]),
    isReviewing: () => reviews.isReviewing(),
    onDidChangeReviewing: reviews.onDidChangeReviewing,
  };
}
