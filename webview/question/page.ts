/**
 * The page of the "Answer" view: the acts of a question and of the other forms it can show. Renders nothing. Acts run
 * in trusted events (see `byHuman`).
 */
import type { Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { QueueState, Snapshot } from '../../src/ui/answer/form.ts';
import { createOneForm, keyOf, type OneForm, type OneFormOptions, type Unsigned } from '../forms/page.ts';
import { undoKeys } from '../shared/deciding.ts';
import { visibleText } from '../shared/elements.ts';
import { t, tn } from '../shared/strings.ts';
import { millisecondsUntil } from '../shared/time.ts';
import {
  draftOf,
  draftText,
  enteredOf,
  inOptions,
  message,
  missingPart,
  toggleOption,
  type Draft,
  type Option,
} from './acts.ts';
import {
  hasSecondStep,
  isAboutDecision,
  isOpen,
  isPossible,
  leavesOpen,
  panels,
  settles,
  type Panel,
} from './panels.ts';
import type { Seen } from './seen.ts';

interface PageOptions extends OneFormOptions {
  /** Watches what has been on the screen. */
  readonly watch: (changed: () => void) => Seen;
}

// The drafts of question forms: input, and which act is displayed.

interface Filled extends Pick<Draft, 'effect' | 'choices'> {
  readonly panel: Panel;
  readonly text: string;
}

function createDrafts({ core, page, to, viewKey, keepEntered }: OneForm, changed: () => void) {
  const { notices } = core;
  const question = () => {
    const view = core.snapshot()?.view;
    return view?.type === 'question' ? view : undefined;
  };
  const draftIn = (view: QuestionForm): Draft => draftOf(view, core.saved().forms[view.key]);

  function edit(change: Partial<Draft>): void {
    const view = question();
    if (!view || core.flight(view.key)) return;
    keepEntered(view.key, enteredOf({ ...draftIn(view), ...change, shown: view.shown }));
    notices.quiet();
    changed();
  }

  return {
    ...{ question, draftOf: draftIn },

    acts: {
      ...{ draftOf: draftIn, edit },

      setText(text: string): void {
        const view = question();
        const draft = view && draftIn(view);
        if (draft) edit({ text: { ...draft.text, [draft.panel]: text } });
      },

      /** Picks an option, or clears it. */
      toggle(option: Option): void {
        const view = question();
        if (view && page.step() === 'form') edit(toggleOption(view, option, draftIn(view)));
      },

      /** Fills the form with what others signed, before what was typed; sending it stays a step of its own. */
      fillWith({ panel: signed, text, choices, effect }: Filled): void {
        const view = question();
        if (!view) return;
        to('form');
        notices.focusOn('form');
        const all = draftIn(view).text;
        const refuses = effect !== undefined && effect !== 'proceed';
        const panel = signed === 'answer' && view.choices.length === 0 && refuses ? 'refuse' : signed;
        edit({
          panel,
          ...inOptions(view, { choices, effect }),
          text: { ...all, [panel]: withTyped(text, all[panel] ?? '') },
        });
      },

      openPanel(panel: Panel): void {
        to('form');
        const hasText = panel === 'answer' || panels[panel].text !== undefined;
        // Without a text box, its button may appear under the pointer.
        if (!hasText) core.unsettle();
        notices.focusOn(panel === 'answer' ? 'form' : hasText ? 'text' : 'confirm');
        edit({ panel });
      },

      discardDraft(): void {
        keepEntered(viewKey(), undefined);
        changed();
      },
    },

    /** Drops the draft of a settled question if it is empty or equals the answer; otherwise it stays, to be copied. */
    dropSpent(view: QuestionForm): void {
      const { key, resolution } = view;
      if (resolution.type === 'pending') return;
      // An answer in flight is obsolete; an act on the existing answer is not.
      if (!isOpen(view) && !isAboutDecision(core.flight(key)?.message.type ?? '')) core.drop(key);
      const kept = core.saved().forms[key];
      const draft = draftIn(view);
      if (!kept || (draft.panel !== 'answer' && panels[draft.panel].how !== 'settling')) return;
      const answer = (draft.text['answer'] ?? '').trim();
      const mine = resolution.type === 'answered' && resolution.by.you && resolution.text === answer;
      if (mine || draftText(draft) === '') keepEntered(key, undefined);
    },

    /** Keeps the draft of an answer, based on the state after an act that decides nothing. */
    keepAnswer({ key, type }: Decision): void {
      const view = question();
      if (view?.key !== key) return keepEntered(key, undefined);
      const draft = draftIn(view);
      const { [type]: _, ...text } = draft.text;
      keepEntered(key, enteredOf({ ...draft, text, panel: 'answer', shown: view.shown }));
    },
  };
}

function withTyped(text: string, typed: string): string {
  if (typed.trim() === '') return text;
  return text === '' || typed === text || typed.startsWith(`${text}\n\n`) ? typed : `${text}\n\n${typed}`;
}

// Decisions that can be undone: the countdown, announcements, and their drafts. With them, the place in the queue.

const howWords = {
  answer: t('Answered.'),
  release: t('Dismissed without an answer.'),
  cancel: t('Dismissed as no longer needed.'),
};

type HeldDecision = QueueState['held'][number];

function createQueueActs({ core, keepEntered }: OneForm, { later, changed }: Pick<PageOptions, 'later' | 'changed'>) {
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
    held,
    /** Whether the decision can still be undone, so that its draft is kept. */
    isHeld: (key: string): boolean => held().some((one) => one.key === key),

    received(next: Snapshot, before: Snapshot | undefined): void {
      const { run, held = [], failed } = next.queue ?? {};
      const key = keyOf(next);
      const moved = run !== undefined && key !== keyOf(before);
      if (moved) core.notices.focusOn('question');
      const then = before?.queue?.held ?? [];
      const ended = withoutDecisions(then, held).filter((one) => one.key !== failed?.key);
      const isUndone = (one: HeldDecision) => one.key === key && isWaiting(next);
      for (const one of ended) if (!isUndone(one)) keepEntered(one.key, undefined);
      const fresh = withoutDecisions(held, then).at(-1);
      const words = [
        ...(ended.some(isUndone) ? [t('Undone. It was not sent.')] : []),
        ...(fresh
          ? [
              heldWords(fresh),
              t('Sending in {n} seconds. Press {key} to undo.', { n: secondsLeft(fresh), key: undoKeys }),
            ]
          : []),
        ...(moved && run.index !== undefined ? [t('Item {index} of {of}.', { index: run.index, of: run.of })] : []),
      ];
      if (words.length > 0) core.notices.say(words.join(' '));
      tick();
    },
  };
}

function isWaiting({ view }: Snapshot): boolean {
  return view.type !== 'question' || view.resolution.type === 'pending';
}

function withoutDecisions(some: readonly HeldDecision[], others: readonly HeldDecision[]): readonly HeldDecision[] {
  return some.filter(({ act }) => !others.some((one) => one.act === act));
}

export function heldWords({ how, said }: HeldDecision): string {
  return said === undefined ? howWords[how] : t('Answered “{said}”.', { said: visibleText(said) });
}

/** Whole seconds; 0 during sending. */
export function secondsLeft({ until }: HeldDecision): number {
  return Math.max(0, Math.ceil(millisecondsUntil(until) / 1_000));
}

export type Page = ReturnType<typeof createPage>;

export function createPage(options: PageOptions) {
  const { host, changed } = options;
  const form = createOneForm(options, {
    moved() {
      if (selecting) notices.focusOn('form');
      selecting = false;
    },
    done(act) {
      const { type, key } = act;
      if (type === 'acceptChanges') return 'form';
      if (leavesOpen(type)) drafts.keepAnswer(act);
      else if (!queue.isHeld(key)) form.keepEntered(key, undefined);
      return leavesOpen(type) ? 'form' : 'result';
    },
    received(next, before) {
      if (next.view.type === 'question') drafts.dropSpent(next.view);
      queue.received(next, before);
      if (before && !next.queue?.run && waitingCount(next) > waitingCount(before))
        notices.say(tn(waitingCount(next), '{n} item is waiting for you.', '{n} items are waiting for you.'));
    },
  });
  const { core, page, viewKey } = form;
  const { notices } = core;
  const drafts = createDrafts(form, changed);
  const reading = createReading(form, drafts, options);
  const queue = createQueueActs(form, options);
  /** The reader has selected another item: its form gets focus when it arrives. */
  let selecting = false;
  return {
    ...page,
    ...drafts.acts,
    receive: core.receive,
    snapshot: core.snapshot,
    run: () => core.snapshot()?.queue?.run,
    /** Why a decision on the displayed item was not recorded, after the time to undo it. */
    notRecorded() {
      const failed = core.snapshot()?.queue?.failed;
      return failed?.key === viewKey() ? failed.why : undefined;
    },
    held: queue.held,
    /** The decision on the displayed item, while it can be undone. */
    heldHere: () => queue.held().find(({ key }) => key === viewKey()),
    viewKey,
    spoken: notices.spoken,
    takeFocus: notices.takeFocus,
    back: () => page.back() || closePanel(form, drafts),
    ...{ mustRead: reading.mustRead, mustOpen: reading.mustOpen, drawn: reading.drawn },
    decide: reading.before(() => {
      decide(form, drafts);
    }),
    onceRead: reading.before,

    acceptChanges(path?: string): void {
      const view = drafts.question();
      if (!view) return;
      const what = path === undefined ? {} : { path };
      page.attempt({
        ...{ target: view, lacking: undefined },
        make: (marks) => ({ type: 'acceptChanges', ...marks, ...what }),
      });
    },

    dispatch(one: Unsigned): void {
      selecting = one.type === 'select';
      host.post(one);
    },
  };
}

/** What the button does until every deciding part has been on the screen. */
function createReading(
  { core, page, viewKey }: OneForm,
  { draftOf }: Drafts,
  { host, changed, watch }: Pick<PageOptions, 'host' | 'changed' | 'watch'>,
) {
  let opened: string | undefined;
  const seen = watch(() => {
    // The button now does something else.
    core.unsettle();
    changed();
  });
  function mustRead(): boolean {
    const { view, besideTab = false } = core.snapshot() ?? {};
    if (!besideTab && seen.isComplete()) return false;
    if (view?.type === 'together') return view.locked === undefined && view.inBrowser === undefined;
    return view?.type === 'question' && settles(view, draftOf(view).panel);
  }
  const mustOpen = () => !page.inTab() && mustRead();
  const openTab = () => {
    host.post({ type: 'openTab', key: viewKey() });
  };
  return {
    ...{ mustRead, mustOpen },
    drawn(): void {
      const { view, focus } = core.snapshot() ?? {};
      const isWatched = view?.type === 'question' || view?.type === 'together';
      seen.drawn(isWatched ? [view.key, view.shown].join('\n') : '');
      if (focus === undefined || focus === opened) return;
      opened = focus;
      // Somebody opened it on purpose: in the tab, if the view has no room. VS Code gives a view its size before its page.
      if (mustOpen()) openTab();
    },
    /** Reads on instead of the act: a tab has all of it, further down; the view opens one. */
    before: (act: () => void) => (): void => {
      if (!mustRead()) act();
      else if (page.inTab()) seen.readOn();
      else openTab();
    },
  };
}

type Drafts = ReturnType<typeof createDrafts>;

/** The form's button sends, asks for missing fields, or asks for confirmation. */
function decide({ core, page }: OneForm, { question, draftOf }: Drafts): void {
  const [view, snapshot] = [question(), core.snapshot()];
  if (!view || !snapshot) return;
  const draft = draftOf(view);
  if (!isPossible(view, draft.panel)) return;
  page.attempt({
    ...{ target: view, twice: hasSecondStep(view, draft.panel) },
    lacking: missingPart({ view, draft, limits: snapshot.limits }),
    make: ({ act }) => message({ view, draft, act, confirmed: page.step() === 'confirm' }),
  });
}

function closePanel({ core }: OneForm, { question, draftOf, acts }: Drafts): boolean {
  const view = question();
  if (!view || core.flight(view.key)) return false;
  const { panel } = draftOf(view);
  if (panel === 'answer' || (view.resolution.type !== 'pending' && panels[panel].how === 'settling')) return false;
  core.notices.focusOn('form');
  acts.edit({ panel: 'answer' });
  return true;
}

function waitingCount({ view }: Snapshot): number {
  return view.type === 'question' ? view.waiting : 0;
}
