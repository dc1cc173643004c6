/** The page of a review: its acts and drafts. Renders nothing. */
import type { RfcAct, RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { createCopied } from '../shared/copied.ts';
import type { FormPage, ImageMessage } from '../shared/formPage.ts';
import { isHoldPanel } from '../shared/heldFiles.ts';
import { t } from '../shared/strings.ts';
import { decision, missingFor, missingText } from './acts.ts';
import { createCommenting } from './commenting.ts';
import type { Attempt } from './commenting.ts';
import { createCore } from './core.ts';
import type { Core, PageOptions } from './core.ts';
import { createDrafts } from './drafts.ts';
import type { Drafts } from './drafts.ts';
import { bar, changesPlace, questionPlace, replyTo } from './places.ts';
import type { AnswerDraft, Panel } from './saved.ts';

export type Page = ReturnType<typeof createPage>;

/** The signed acts. */
function createActs(core: Core, drafts: Drafts) {
  const {
    view,
    acts: { draft, answer },
  } = drafts;
  const attempt: Attempt = (place, lacking, make) => {
    const target = view();
    if (target && !target.locked) core.attempt({ place, target, lacking, make });
  };

  return {
    ...createCommenting(core, drafts, attempt),

    /** The button of the open panel: sends, or shows what is missing. */
    decide(): void {
      const [current, snapshot] = [view(), core.snapshot()];
      const { panel } = draft();
      if (!current || !snapshot || panel === 'none' || !current.may[panel]) return;
      const asked = { view: current, draft: draft(), name: core.nameFor(current.answersAs.name) };
      const lacking = missingFor(panel, asked, snapshot.limits);
      attempt(bar, lacking, ({ act }) => decision(panel, asked, act));
    },

    sendReply(thread: string): void {
      const snapshot = core.snapshot();
      if (!snapshot) return;
      const place = replyTo(thread);
      const content = draft().replies[thread] ?? '';
      const lacking = missingText(`${place}.text`, content, t('Write a reply first.'), snapshot.limits);
      attempt(place, lacking, (common) => ({ type: 'reply', ...common, thread, content: content.trim() }));
    },

    resolve(thread: string): void {
      attempt(replyTo(thread), undefined, (common) => ({ type: 'resolveThread', ...common, thread }));
    },

    sendAnswer(question: string): void {
      const [current, snapshot] = [view(), core.snapshot()];
      if (current?.may.answer !== true || !snapshot) return;
      const place = questionPlace(question);
      const { choices, text } = offeredOnly(current, question, answer(question));
      const lacking =
        choices.length > 0 && text.trim() === ''
          ? undefined
          : missingText(`${place}.text`, text, t('Enter an answer first.'), {
              ...snapshot.limits,
              text: snapshot.limits.answer,
            });
      attempt(place, lacking, (common) => ({
        ...{ type: 'answerQuestion', ...common, question },
        ...{ choices: [...choices], content: text.trim() },
      }));
    },

    /** Of one file, or all that are shown. */
    acceptChanges(path?: string): void {
      const what = path === undefined ? {} : { path };
      attempt(changesPlace, undefined, (common) => ({ type: 'acceptChanges', ...common, ...what }));
    },

    overrule(question: string): void {
      attempt(questionPlace(question), undefined, (common) => ({ type: 'overruleAnswer', ...common, question }));
    },
  };
}

/** Drops picked choices that are no longer offered. */
function offeredOnly({ sections }: RfcView, question: string, { choices, text }: AnswerDraft): AnswerDraft {
  const one = sections.flatMap(({ questions }) => questions).find(({ key }) => key === question);
  return { choices: choices.filter((label) => one?.choices.some((choice) => choice.label === label)), text };
}

/** Whether the panel was opened from the menu, which has closed since. */
function isInMenu(panel: Panel): boolean {
  return panel === 'withdraw' || isHoldPanel(panel);
}

/** One step back: closes the panel of the bar, or the box of a place. */
function stepBack(core: Core, { edit, acts: { draft, busyAt, openBox } }: Drafts, place: string): boolean {
  if (busyAt(place)) return false;
  if (place !== bar) {
    if (draft().open !== place) return false;
    openBox(place, false);
    return true;
  }
  const { panel } = draft();
  if (panel === 'none') return false;
  core.notices.focusOn(isInMenu(panel) ? 'more' : `open.${panel}`);
  core.unsettle();
  edit(bar, { panel: 'none' });
  return true;
}

export function createPage(options: PageOptions) {
  const { host, later, changed } = options;
  const core = createCore(options);
  const { notices } = core;
  const drafts = createDrafts(core, changed);
  const { view } = drafts;
  const copied = createCopied<'link'>({ later, changed, say: notices.say });
  return {
    ...drafts.acts,
    ...createActs(core, drafts),
    receive: core.receive,
    snapshot: core.snapshot,
    spoken: notices.spoken,
    takeFocus: notices.takeFocus,
    copied: () => copied.copied() !== undefined,
    /** Whether something can be decided right now. */
    ready: () => core.ready(view()?.key),
    at: (place: string): FormPage => core.formAt(place, view()?.key ?? '', () => stepBack(core, drafts, place)),

    /** Shows why something cannot be decided now. */
    explain(why: string): void {
      notices.say(why);
      notices.focusOn(view()?.revision === view()?.latest ? 'missing' : bar);
      changed();
    },

    copyLink(): void {
      host.post({ type: 'copyLink', key: view()?.key ?? '' });
      copied.show('link');
    },

    showImage(message: ImageMessage): void {
      host.post(message);
    },

    /** Sends a message that decides nothing. */
    dispatch(message: Exclude<RfcMessage, RfcAct>): void {
      host.post(message);
    },
  };
}
