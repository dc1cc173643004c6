/** The page of a review: its acts and drafts. Renders nothing. */
import type { Values } from '../../src/ui/kit/view.ts';
import type { RfcAct, RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../src/ui/rfc/model.ts';
import { placeImage } from '../shared/markdown.ts';
import { isHoldPanel } from '../shared/parts.ts';
import {
  createCopied,
  createSigningPage,
  type Saved,
  type FormPage,
  type ImageMessage,
  type mark,
  type Missing,
} from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import type { PageOptions as Options } from '../shared/surface.ts';
import {
  decision,
  missingFor,
  missingText,
  bar,
  changesPlace,
  commentOn,
  boxOf,
  draftOf,
  fieldsOf,
  fieldsOfBox,
  questionPlace,
  replyTo,
  type Box,
  type Draft,
  type Panel,
  type TextField,
} from './draft.ts';

// The base state of a review page: the host's snapshots, acts in flight, and the draft after each act.

type PageOptions = Options<RfcMessage, Saved>;

function viewOf(snapshot: RfcSnapshot | undefined): RfcView | undefined {
  return snapshot?.view.type === 'rfc' ? snapshot.view : undefined;
}

function createCore(options: PageOptions) {
  /** Since the act in flight was sent, something was entered at another place, which keeps the focus. */
  let elsewhere = false;
  const focusAfter = (place: string): string | undefined => {
    const target = elsewhere ? undefined : place;
    elsewhere = false;
    return target;
  };
  const core = createSigningPage<RfcMessage, RfcSnapshot, RfcAct>(options, {
    subject: (snapshot) => subject(viewOf(snapshot)),
    received(next, before) {
      const [was, now] = [viewOf(before), viewOf(next)];
      if (now && core.saved().key !== now.key) core.keep({ key: now.key, forms: {} });
      const news = now && was?.key === now.key ? arrival(was, now) : undefined;
      if (news !== undefined) core.notices.say(news);
      if (next.focus !== undefined) core.notices.focusOn('top');
      if (next.image) placeImage(next.image);
    },
    done(act, _, place) {
      forget(core, act, place);
      core.notices.focusOn(focusAfter(place === bar ? 'decided' : place));
    },
    refusedAt: focusAfter,
  });
  return {
    ...core,
    /** Something was entered at a place whose act is not in flight. */
    enteredAt(key: string): void {
      elsewhere = core.flight(key) !== undefined;
    },
  };
}

type Core = ReturnType<typeof createCore>;

/** Identifies the content of a snapshot, including anything that may have moved under the pointer. */
function subject(view: RfcView | undefined): string {
  if (!view) return '';
  const { key, shown, revision, compared, sections, status } = view;
  const parts = sections.map(({ id, threads, questions }) => [id, threads.length, questions.map(({ state }) => state)]);
  return JSON.stringify([key, shown, revision, compared, status, parts]);
}

/** Announces changes that arrive while the human reads. */
function arrival(before: RfcView, now: RfcView): string | undefined {
  if (now.latest > before.latest) return t('Revision {n} is ready.', { n: now.latest });
  const [was, is] = [openThreads(before), openThreads(now)];
  return is > was ? tn(is, '{n} open thread.', '{n} open threads.') : undefined;
}

function openThreads({ sections }: RfcView): number {
  return sections.reduce((sum, { threads }) => sum + threads.filter(({ resolved }) => !resolved).length, 0);
}

/** Forgets the parts of the draft that a finished act has used. What was entered since stays. */
function forget({ entered, keepEntered }: Pick<Core, 'entered' | 'keepEntered'>, act: RfcAct, place: string): void {
  const before = entered(bar);
  const inBar = (change: Values) => {
    if (before) keepEntered(bar, { ...before, fields: { ...before.fields, ...change } });
  };
  switch (act.type) {
    case 'approve':
    case 'requestChanges':
    case 'reject':
    case 'withdraw':
      inBar({ panel: 'none', [act.type === 'approve' ? 'conditions' : act.type]: '' });
      return;
    case 'holdAll':
    case 'holdNamed':
      inBar({ panel: 'none' });
      return;
    case 'comment':
    case 'reply':
    case 'answerQuestion':
      keepEntered(place, undefined);
      if (before?.fields['open'] === place) inBar({ open: '' });
      return;
    case 'acceptChanges':
    case 'resolveThread':
    case 'overruleAnswer':
  }
}

// The draft of a review, and which of its parts are open.

interface Filled extends Pick<Draft, 'way'> {
  readonly panel: 'approve' | 'reject' | 'withdraw';
  readonly text: string;
  readonly conditions: readonly string[];
}

function createDrafts(core: Core, changed: () => void) {
  const view = () => viewOf(core.snapshot());
  const busy = () => core.flight(view()?.key ?? '') !== undefined;
  const draft = (): Draft => draftOf(core.entered(bar), view()?.shown ?? '');

  /** Whether the act in flight is that of this place, so that its input is being sent. */
  const busyAt = (place: string) => core.formAt(place, core.key(), () => false).flight() !== undefined;

  /** Keeps what was entered at a place, also while an act of another place is in flight. */
  function keepAt(place: string, drafts: readonly (readonly [place: string, fields: Values])[]): void {
    const current = view();
    if (!current || busyAt(place)) return;
    for (const [one, fields] of drafts) core.keepEntered(one, { fields, shown: current.shown });
    core.enteredAt(current.key);
    core.notices.quiet();
    changed();
  }

  const inBar = (change: Partial<Draft>) => [bar, fieldsOf({ ...draft(), ...change })] as const;
  const box = (place: string): Box => boxOf(core.entered(place)?.fields);
  const inBox = (place: string, change: Partial<Box>) => [place, fieldsOfBox({ ...box(place), ...change })] as const;
  const edit = (change: Partial<Draft>, place = bar) => {
    keepAt(place, [inBar(change)]);
  };

  return {
    view,
    edit,
    acts: {
      draft,
      box,
      busy,
      busyAt,

      /** Opens or closes a box in the document: one at a time, and typed text is kept. One that is being sent stays. */
      openBox(place: string, open: boolean): void {
        if (busyAt(draft().open)) return;
        core.unsettle();
        core.notices.focusOn(open ? `${place}.text` : place);
        edit({ open: open ? place : '' }, place);
      },

      setText(field: TextField, text: string): void {
        edit({ text: { ...draft().text, [field]: text } });
      },

      setWay(way: Draft['way']): void {
        edit({ way });
      },

      setBox(place: string, change: Partial<Box>): void {
        keepAt(place, [inBox(place, change), inBar({})]);
      },

      mayComment: (): boolean => view()?.may.comment === true && view()?.locked === undefined && !busy(),

      /** Opens the comment box for words of a section, or for all of it if `quote` is empty. */
      commentAbout(section: string, quote: string): void {
        const place = commentOn(section);
        core.unsettle();
        core.notices.focusOn(`${place}.text`);
        keepAt(place, [inBox(place, { quote }), inBar({ open: place })]);
      },

      /** Fills a panel with what the others signed; sending it stays a step of its own. */
      fillWith({ panel, text, conditions, way }: Filled): void {
        core.unsettle();
        core.notices.focusOn(panel === 'approve' ? 'conditions' : panel);
        const words = panel === 'approve' ? { conditions: conditions.join('\n') } : { [panel]: text };
        edit({ panel, way, text: { ...draft().text, ...words } });
      },

      openPanel(panel: Panel): void {
        core.unsettle();
        // Focuses the first text field, never the button.
        core.notices.focusOn(panel === 'approve' ? 'conditions' : panel);
        edit({ panel });
      },

      ...{ isUnfolded: core.isUnfolded, unfold: core.unfold },
    },
  };
}

type Drafts = ReturnType<typeof createDrafts>;

export type Page = ReturnType<typeof createPage>;

function createActs(core: Core, { view, acts: { draft, box } }: Drafts) {
  const attempt = (
    place: string,
    lacking: Missing | undefined,
    make: (marks: ReturnType<typeof mark>) => RfcAct,
  ): void => {
    const target = view();
    if (target && !target.locked) core.attempt({ place, target, lacking, make });
  };

  return {
    /** The button of the open panel sends, or asks for missing fields. */
    decide(): void {
      const [current, snapshot] = [view(), core.snapshot()];
      const { panel } = draft();
      if (!current || !snapshot || panel === 'none' || !current.may[panel]) return;
      const asked = { view: current, draft: draft() };
      const lacking = missingFor(panel, asked, snapshot.limits);
      attempt(bar, lacking, ({ act }) => decision(panel, asked, act));
    },

    sendComment(section: string): void {
      const [current, snapshot] = [view(), core.snapshot()];
      if (current?.may.comment !== true || !snapshot) return;
      const place = commentOn(section);
      const { text, blocking, quote } = box(place);
      const lacking = missingText(`${place}.text`, text, t('Write a comment first.'), snapshot.limits);
      attempt(place, lacking, (common) => ({
        ...{ type: 'comment', ...common, revision: current.revision, section, content: text.trim(), blocking },
        ...(quote === '' ? {} : { quote }),
      }));
    },

    sendReply(thread: number): void {
      const snapshot = core.snapshot();
      if (!snapshot) return;
      const place = replyTo(thread);
      const content = box(place).text;
      const lacking = missingText(`${place}.text`, content, t('Write a reply first.'), snapshot.limits);
      attempt(place, lacking, (common) => ({ type: 'reply', ...common, thread, content: content.trim() }));
    },

    resolve(thread: number): void {
      attempt(replyTo(thread), undefined, (common) => ({ type: 'resolveThread', ...common, thread }));
    },

    /** `needless`: it needs no answer, for the reason in the text. That is an answer too, and signed as one. */
    sendAnswer(question: number, needless = false): void {
      const [current, snapshot] = [view(), core.snapshot()];
      if (current?.may.answer !== true || !snapshot) return;
      const place = questionPlace(question);
      const { choices, text } = offeredOnly(current, question, box(place));
      const content = needless ? t('Needs no answer: {reason}', { reason: text.trim() }) : text.trim();
      const words = needless ? t('Say why it needs no answer.') : t('Enter an answer first.');
      const limits = { ...snapshot.limits, text: snapshot.limits.answer };
      const lacking =
        !needless && choices.length > 0 && text.trim() === ''
          ? undefined
          : missingText(`${place}.text`, text.trim() === '' ? '' : content, words, limits);
      attempt(place, lacking, (common) => ({
        ...{ type: 'answerQuestion', ...common, question, choices: needless ? [] : [...choices], content },
      }));
    },

    /** Of one file, or all that are shown. */
    acceptChanges(path?: string): void {
      const what = path === undefined ? {} : { path };
      attempt(changesPlace, undefined, (common) => ({ type: 'acceptChanges', ...common, ...what }));
    },

    overrule(question: number): void {
      attempt(questionPlace(question), undefined, (common) => ({ type: 'overruleAnswer', ...common, question }));
    },
  };
}

/** Drops picked choices that are no longer offered. */
function offeredOnly({ sections }: RfcView, question: number, { choices, text }: Box): Pick<Box, 'choices' | 'text'> {
  const one = sections.flatMap(({ questions }) => questions).find(({ number }) => number === question);
  return { choices: choices.filter((label) => one?.choices.some((choice) => choice.label === label)), text };
}

/** Whether the panel was opened from the menu, which has closed since. */
function isInMenu(panel: Panel): boolean {
  return panel === 'withdraw' || isHoldPanel(panel);
}

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
  edit({ panel: 'none' });
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
