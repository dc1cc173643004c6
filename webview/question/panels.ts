/** Acts on a question besides its answer, one row each: the entry, the panel, its button and its message follow. Pure. */
import type { WordedAct } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { holdWords, type HoldPanel } from '../shared/parts.ts';
import { t } from '../shared/strings.ts';

interface Row {
  /** The entry that opens it: in the menu or, of an act on a decision, below that. */
  readonly open: string;
  readonly title: string;
  /** The button. */
  readonly send: string;
  /** Its text, and what is said without one. An act without a text has only its confirmation. */
  readonly text?: { readonly effect: string; readonly label: string; readonly missing: string };
  /** The confirmation of a critical one, or of any. */
  readonly confirm?: { readonly ask: string; readonly yes: string; readonly always?: true };
  /** Settles the question, leaves it open, or is about the decision that settled it. */
  readonly how: 'settling' | 'open' | 'afterwards';
  readonly isOffered: (view: QuestionForm) => boolean;
}

const reason = { label: t('Reason'), missing: t('Enter a reason first; the agent will read it.') };
const keptReason = { label: t('Reason'), missing: t('Enter a reason first; it is kept with the answer.') };

/** In the order of the menu. */
export const panels: Readonly<Record<'refuse' | WordedAct | HoldPanel, Row>> = {
  askBack: {
    ...{ open: t('Ask the agent…'), title: t('Ask the agent'), send: t('Ask the agent') },
    text: {
      effect: t('Everything stays held. The reply of {agent} comes here, and you are notified.'),
      ...{ label: t('Your question to the agent'), missing: t('Write your question first.') },
    },
    how: 'open',
    isOffered: ({ askBack, locked }) => askBack && locked === undefined,
  },
  refuse: {
    ...{ open: t('Say no…'), title: t('Say no'), send: t('Say no') },
    text: {
      ...reason,
      effect: t('{agent} must not do this until you lift it. It may finish the task in another way.'),
    },
    confirm: { ask: t('This is critical. Say no?'), yes: t('Yes, say no') },
    how: 'settling',
    // Any other question has an option that says no.
    isOffered: (view) => isOpen(view) && view.choices.length === 0,
  },
  release: {
    ...{ open: t('Dismiss without answering…'), title: t('Dismiss without answering'), send: t('Dismiss') },
    text: {
      effect: t('Ends the hold. {agent} gets your note instead of an answer.'),
      ...{ label: t('Note to the agent'), missing: t('Write a note first; it is all the agent gets.') },
    },
    confirm: { ask: t('This is critical. Dismiss it without an answer?'), yes: t('Yes, dismiss it') },
    how: 'settling',
    isOffered: isOpen,
  },
  cancel: {
    ...{ open: t('Dismiss as no longer needed…'), title: t('Dismiss as no longer needed'), send: t('Dismiss') },
    text: {
      ...reason,
      effect: t('Ends the hold. {agent} learns that the question no longer matters, and why.'),
    },
    confirm: { ask: t('This is critical. Dismiss it as no longer needed?'), yes: t('Yes, dismiss it') },
    how: 'settling',
    isOffered: (view) => isOpen(view) && view.resolution.type !== 'expired',
  },
  holdAll: { ...holdWords.holdAll, how: 'open', isOffered: (view) => canHold(view) && !view.blocks.all },
  holdNamed: { ...holdWords.holdNamed, how: 'open', isOffered: (view) => canHold(view) && !!view.blocks.all },
  lift: {
    ...{ open: t('Lift this refusal…'), title: t('Lift this refusal'), send: t('Lift the refusal') },
    text: {
      ...keptReason,
      effect: t(
        'What you refused may be done, and held work is released. Cancelled work stays cancelled until an agent starts it again.',
      ),
    },
    confirm: { ask: t('Lift this refusal?'), yes: t('Yes, lift it'), always: true },
    how: 'afterwards',
    isOffered: ({ resolution, locked, inBrowser }) =>
      (locked ?? inBrowser) === undefined &&
      resolution.type === 'answered' &&
      resolution.effect !== 'proceed' &&
      resolution.lifted === undefined,
  },
  revoke: {
    ...{ open: t('Stop reusing this answer…'), title: t('Stop reusing this answer'), send: t('Stop reusing it') },
    text: {
      ...keptReason,
      effect: t('Next time, agents ask you again. Work that already started continues.'),
    },
    how: 'afterwards',
    isOffered: ({ resolution, locked }) =>
      locked === undefined && resolution.type === 'answered' && resolution.revocable,
  },
};

export type PanelName = keyof typeof panels;
export type Panel = 'answer' | PanelName;

export const panelNames = Object.keys(panels) as PanelName[];

export function isPanel(name: string): name is PanelName {
  return Object.hasOwn(panels, name);
}

/** Whether the question can still be decided here. */
export function isOpen({ resolution, locked, inBrowser }: QuestionForm): boolean {
  if ((locked ?? inBrowser) !== undefined) return false;
  return resolution.type === 'pending' || (resolution.type === 'expired' && resolution.held);
}

/** Whether it holds anything whose files can be changed. */
function canHold(view: QuestionForm): boolean {
  return isOpen(view) && view.mode === 'sync';
}

/** Whether the displayed act is possible now. */
export function isPossible(view: QuestionForm, panel: Panel): boolean {
  return panel === 'answer' ? isOpen(view) : panels[panel].isOffered(view);
}

export function isAboutDecision(panel: string): panel is PanelName {
  return isPanel(panel) && panels[panel].how === 'afterwards';
}

export function leavesOpen(panel: string): boolean {
  return isPanel(panel) && panels[panel].how === 'open';
}

/** Whether the act needs a confirmation: settling something critical, Yes and No alike, or lifting a refusal. */
export function hasSecondStep({ secondStep }: QuestionForm, panel: Panel): boolean {
  if (panel === 'answer') return secondStep;
  const { confirm, how } = panels[panel];
  return how !== 'open' && (secondStep || confirm?.always === true);
}

/** Whether the act settles the question, so that what decides it must have been seen. */
export function settles({ resolution: { type } }: QuestionForm, panel: Panel): boolean {
  const isSettling = panel === 'answer' || panels[panel].how === 'settling';
  return isSettling && (type === 'pending' || type === 'expired');
}
