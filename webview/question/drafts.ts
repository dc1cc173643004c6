/** The drafts of question forms: input, and which act is displayed. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { isHoldPanel } from '../shared/heldFiles.ts';
import { remember } from '../shared/keeping.ts';
import { canAskBack, holdPanelOf, isAfterPanel, isOffered, isOpen } from './acts.ts';
import type { QuestionCore } from './core.ts';
import { draftText, emptyDraft, isEmpty } from './saved.ts';
import type { Draft, Panel, TextPanel } from './saved.ts';

export interface Filled extends Pick<Draft, 'effect'> {
  readonly panel: TextPanel;
  readonly text: string;
  readonly choices: readonly string[];
}

export function createDrafts({ core, steps, keeping }: QuestionCore, changed: () => void) {
  const { notices } = core;
  const question = () => {
    const view = core.snapshot()?.view;
    return view?.type === 'question' ? view : undefined;
  };
  const keepDraft = (key: string, draft: Draft | undefined): void => {
    core.keep({ drafts: remember(core.saved().drafts, key, draft) });
  };
  const draftOf = (view: QuestionForm): Draft => shownDraft(view, core.saved().drafts[view.key]);

  function edit(change: Partial<Draft>): void {
    const view = question();
    if (!view || core.flight(view.key)) return;
    const draft = { ...draftOf(view), ...change, shown: view.shown };
    keepDraft(view.key, isEmpty(draft) && draft.panel === 'answer' ? undefined : draft);
    notices.quiet();
    changed();
  }

  return {
    ...{ question, keepDraft, draftOf },

    acts: {
      ...{ draftOf, edit },

      setText(text: string): void {
        const view = question();
        if (!view) return;
        const draft = draftOf(view);
        if (!isHoldPanel(draft.panel)) edit({ text: { ...draft.text, [draft.panel]: text } });
      },

      /** Picks a choice, or clears it. */
      toggle(label: string): void {
        const view = question();
        if (!view || steps.step() === 'confirm') return;
        const { choices } = draftOf(view);
        const without = choices.filter((one) => one !== label);
        // The effect starts again from the choices.
        const effect = undefined;
        if (without.length < choices.length) edit({ choices: without, effect });
        else edit({ choices: view.multiple ? [...without, label] : [label], effect });
      },

      setEffect(effect: AnswerEffect): void {
        if (question() && steps.step() === 'form') edit({ effect });
      },

      /** Fills the form with what others signed, before what was typed; sending it stays a step of its own. */
      fillWith({ panel, text, choices, effect }: Filled): void {
        const view = question();
        if (!view) return;
        steps.to('form');
        notices.focusOn('form');
        const { text: all } = draftOf(view);
        edit({ panel, choices, effect, text: { ...all, [panel]: withTyped(view, text, all[panel]) } });
      },

      openPanel(panel: Panel): void {
        steps.to('form');
        // The panel has no text box, so its button may appear under the pointer.
        if (isHoldPanel(panel)) core.unsettle();
        notices.focusOn(panel === 'answer' ? 'form' : isHoldPanel(panel) ? 'confirm' : 'text');
        edit({ panel });
      },

      discardDraft(): void {
        keepDraft(keeping.viewKey(), undefined);
        changed();
      },
    },

    /** Drops the draft of a settled question if it is empty or equals the answer; otherwise it stays, to be copied. */
    dropSpent(view: QuestionForm): void {
      const { key, resolution } = view;
      if (resolution.type === 'pending') return;
      // An answer in flight is obsolete; an act on the existing answer is not.
      if (!isOpen(view) && !isAfterPanel(core.flight(key)?.message.type ?? '')) core.drop(key);
      const draft = core.saved().drafts[key];
      if (!draft) return;
      const mine = resolution.type === 'answered' && resolution.by.you && resolution.text === draft.text.answer.trim();
      if (isAfterPanel(draft.panel) && isOffered(view, draft.panel)) return;
      if (draft.panel === holdPanelOf(view)) return;
      if (mine || draftText(draft) === '') keepDraft(key, undefined);
    },

    /** Keeps the draft of an answer, based on the state after an act that decides nothing. */
    keepAnswer(key: string, panel: Panel): void {
      const view = question();
      const before = core.saved().drafts[key];
      const draft = before && { ...before, text: panel === 'askBack' ? { ...before.text, askBack: '' } : before.text };
      const kept = draft && view?.key === key && !isEmpty(draft);
      keepDraft(key, kept ? { ...draft, panel: 'answer', shown: view.shown } : undefined);
    },
  };
}

/** The text to fill in, followed by what was typed. A text that another answer had filled in is replaced. */
function withTyped({ earlier = [] }: QuestionForm, text: string, typed: string): string {
  if (typed.trim() === '' || earlier.some(({ fill }) => fill.text === typed)) return text;
  return text === '' || typed === text || typed.startsWith(`${text}\n\n`) ? typed : `${text}\n\n${typed}`;
}

/** The draft, with a panel that the question still offers. */
function shownDraft(view: QuestionForm, kept: Draft | undefined): Draft {
  const draft = kept ?? emptyDraft(view.shown);
  const gone = isHoldPanel(draft.panel)
    ? draft.panel !== holdPanelOf(view)
    : isAfterPanel(draft.panel) && !isOffered(view, draft.panel);
  if (isHoldPanel(draft.panel) && !gone) return draft;
  if (draft.panel === 'askBack' && !canAskBack(view)) return { ...draft, panel: 'answer' };
  if (isAfterPanel(draft.panel) && gone) return { ...draft, panel: 'answer' };
  // An expired question can be answered or released.
  if (view.resolution.type === 'expired' && draft.panel === 'cancel') return { ...draft, panel: 'answer' };
  return gone ? { ...draft, panel: 'answer' } : draft;
}
