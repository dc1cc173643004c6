/**
 * The page's one state: the host's latest snapshot, drafts, and decisions on their way. Renders nothing.
 * Whoever calls `decide`, `enrol` or `recover` does so from a trusted event (see shared/trusted.ts).
 */
import type { Outcome } from '../../src/protocol/kit/outcome.ts';
import type {
  AnswerEffect,
  Decision,
  QuestionMessage,
  QuestionForm,
  Snapshot,
} from '../../src/protocol/question/question.ts';
import { createFlights } from '../shared/flights.ts';
import { isHoldPanel } from '../shared/heldFiles.ts';
import { createKeeping, remember } from '../shared/keeping.ts';
import { createSettling } from '../shared/settling.ts';
import { t, tn } from '../shared/strings.ts';
import type { Host } from '../shared/vscode.ts';
import { hasSecondStep, holdPanelOf, isAfterPanel, isOffered, isOpen, isPossible, message, missing } from './acts.ts';
import type { Missing } from './acts.ts';
import { createAskActs } from './askActs.ts';
import type { Decider } from './decider.ts';
import { createKeyActs } from './keyActs.ts';
import { createOtherActs } from './otherActs.ts';
import { createRequestActs } from './requestActs.ts';
import type { RequestActsOptions } from './requestActs.ts';
import { draftText, emptyDraft, isEmpty, nothingSaved, parseSaved } from './saved.ts';
import type { Draft, Panel, Saved } from './saved.ts';

export interface PageOptions {
  readonly host: Host<QuestionMessage, Saved>;
  readonly newAct: () => string;
  /** Milliseconds, from anywhere, never back. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  /** Something to draw has changed. */
  readonly changed: () => void;
}

/** Where the keyboard should go after the next drawing. */
export type FocusWish = 'form' | 'result' | Missing['field'];

export type Page = ReturnType<typeof createPage>;

export function createPage(options: PageOptions) {
  const { host, later, changed } = options;
  const flights = createFlights<Decision>({ post: host.post, later, changed });
  const keeping = createKeeping<Saved>({ host, later, nothing: nothingSaved, parse: parseSaved });
  const { keep } = keeping;
  const { settled, unsettle } = createSettling(options);
  let snapshot: Snapshot | undefined;
  let step: 'form' | 'confirm' = 'form';
  let hint: Missing | undefined;
  let refusal: { key: string; text: string } | undefined;
  /** What the last act did, where the form stays. */
  let done: { key: string; text: string } | undefined;
  let focus: FocusWish | undefined;
  let selecting = false;
  let spoken = '';
  let copied: 'link' | 'draft' | 'key' | undefined;

  const viewKey = () => (snapshot && 'key' in snapshot.view ? snapshot.view.key : '');
  const question = () => (snapshot?.view.type === 'question' ? snapshot.view : undefined);

  function keepDraft(key: string, draft: Draft | undefined): void {
    keep({ drafts: remember(keeping.saved().drafts, key, draft) });
  }

  function draftOf(view: QuestionForm, draft = keeping.saved().drafts[view.key] ?? emptyDraft(view.shown)): Draft {
    if (isHoldPanel(draft.panel)) {
      if (draft.panel === holdPanelOf(view)) return draft;
      return draftOf(view, { ...draft, panel: 'answer' });
    }
    if (isAfterPanel(draft.panel) && !isOffered(view, draft.panel)) return { ...draft, panel: 'answer' };
    // All one can still do about an expired one is to release it.
    return view.resolution.type === 'expired' ? { ...draft, panel: 'release' } : draft;
  }

  /** The name that would sign: what was typed, else what the host proposes. */
  function nameFor(proposed: string): string {
    return keeping.saved().name === '' ? proposed : keeping.saved().name;
  }

  function quiet(): void {
    hint = undefined;
    refusal = undefined;
    done = undefined;
  }

  function edit(change: Partial<Draft>): void {
    const view = question();
    if (!view || flights.of(view.key)) return;
    const draft = { ...draftOf(view), ...change, shown: view.shown };
    keepDraft(view.key, isEmpty(draft) && draft.panel === 'answer' ? undefined : draft);
    quiet();
    changed();
  }

  function toStep(next: 'form' | 'confirm'): void {
    if (step === next) return;
    step = next;
    unsettle();
  }

  /** Can the thing shown be decided on right now? */
  function ready(): boolean {
    return snapshot !== undefined && settled() && !flights.of(viewKey());
  }

  function send(decision: Decision): void {
    if (!ready() || !flights.start(decision)) return;
    quiet();
    spoken = t('answer.sending');
    changed();
  }

  /** Says what is missing, and puts the keyboard there. */
  function complain(about: Missing): void {
    hint = about;
    focus = about.field;
    changed();
  }

  function settle(outcome: Outcome): void {
    const decision = flights.land(outcome.act);
    if (!decision) return;
    step = 'form';
    if (outcome.type === 'refused') {
      refusal = { key: decision.key, text: outcome.text };
      focus = 'form';
      return;
    }
    other.reset();
    keyActs.reset();
    keepDraft(decision.key, isHoldPanel(decision.type) ? answerDraft(decision.key) : undefined);
    done = outcome.text === undefined ? undefined : { key: decision.key, text: outcome.text };
    spoken = outcome.text ?? t('live.done');
    focus = isHoldPanel(decision.type) ? 'form' : 'result';
  }

  /** What was being written stays, and goes on from what the act has changed. */
  function answerDraft(key: string): Draft | undefined {
    const view = question();
    const draft = keeping.saved().drafts[key];
    if (!draft || view?.key !== key || isEmpty(draft)) return undefined;
    return { ...draft, panel: 'answer', shown: view.shown };
  }

  /** A draft for what is settled: gone if it is empty or the very answer, else kept to be copied. */
  function dropSpentDraft(view: QuestionForm): void {
    const { key, resolution } = view;
    if (resolution.type === 'pending') return;
    // An answer on its way is spent; an act on the one that was given is not.
    if (!isOpen(view) && !isAfterPanel(flights.of(key)?.message.type ?? '')) flights.drop(key);
    const draft = keeping.saved().drafts[key];
    if (!draft) return;
    const mine = resolution.type === 'answered' && resolution.by.you && resolution.text === draft.text.answer.trim();
    if (isAfterPanel(draft.panel) && isOffered(view, draft.panel)) return;
    if (draft.panel === holdPanelOf(view)) return;
    if (mine || draftText(draft) === '') keepDraft(key, undefined);
  }

  function receive(next: Snapshot): void {
    const before = snapshot;
    snapshot = next;
    keeping.takeBack(next.kept);
    if (subject(before) !== subject(next)) {
      unsettle();
      step = 'form';
      hint = undefined;
      other.reset();
      keyActs.redrawn(next.view);
      copied = undefined;
      if (selecting) focus = 'form';
      selecting = false;
    }
    if (next.outcome) settle(next.outcome);
    if (next.view.type === 'question') dropSpentDraft(next.view);
    if (before && waiting(next) > waiting(before)) spoken = tn('live.waiting', waiting(next));
    if (next.focus !== undefined && next.focus !== before?.focus) focus = 'form';
    changed();
  }

  /** True once the second step is shown; asks for it otherwise. */
  function confirmed(): boolean {
    if (step === 'confirm') return true;
    toStep('confirm');
    hint = undefined;
    focus = 'confirm';
    changed();
    return false;
  }

  const decider: Decider = {
    view: () => snapshot?.view,
    newAct: options.newAct,
    ready,
    send,
    complain,
    nameFor,
    confirmed,
  };
  const other = createOtherActs({
    ...decider,
    maxText: () => snapshot?.limits.reason ?? 0,
    noteOf: (key) => keeping.saved().drafts[key]?.text.release ?? '',
    moved: (wish) => {
      hint = undefined;
      focus = wish;
      unsettle();
      changed();
    },
    edited: () => {
      quiet();
      changed();
    },
  });

  function unfold(part: string, open: boolean): void {
    const key = viewKey();
    const parts = (keeping.saved().unfolded[key] ?? []).filter((one) => one !== part);
    if (open) parts.push(part);
    keep({ unfolded: remember(keeping.saved().unfolded, key, parts.length === 0 ? undefined : parts) });
    changed();
  }

  const requestOptions: RequestActsOptions = {
    ...decider,
    maxText: () => snapshot?.limits.reason ?? 0,
    draftOf: (key) => keeping.saved().drafts[key],
    keepDraft: (key, draft) => {
      if (flights.of(key)) return;
      keepDraft(key, draft);
      quiet();
      changed();
    },
    unfold: (part) => {
      unfold(part, true);
    },
  };
  const request = createRequestActs(requestOptions);
  const asking = createAskActs(requestOptions);
  const keyActs = createKeyActs({
    ...decider,
    wish: host.post,
    edited: () => {
      quiet();
      changed();
    },
  });

  return {
    receive,
    draftOf,
    edit,
    ready,
    nameFor,
    snapshot: () => snapshot,
    step: () => step,
    hint: () => hint,
    refusal: () => (refusal?.key === viewKey() ? refusal.text : undefined),
    flight: () => flights.of(viewKey()),
    done: () => (done?.key === viewKey() ? done.text : undefined),
    ...other.acts,
    ...request,
    ...asking,
    ...keyActs.acts,
    spoken: () => spoken,
    copied: () => copied,

    /** The wish is granted once. */
    takeFocus(): FocusWish | undefined {
      const wish = focus;
      focus = undefined;
      return wish;
    },

    setText(text: string): void {
      const view = question();
      if (!view) return;
      const draft = draftOf(view);
      if (isHoldPanel(draft.panel)) return;
      edit({ text: { ...draft.text, [draft.panel]: text } });
    },

    /** The note that goes to an agent all of whose questions are released, and the list it was begun on. */
    noteDraft(): Draft | undefined {
      return keeping.saved().drafts[viewKey()];
    },

    setNote(text: string): void {
      const view = snapshot?.view;
      if (view?.type !== 'releaseAll' || flights.of(view.key)) return;
      const draft = emptyDraft(view.shown);
      keepDraft(view.key, text === '' ? undefined : { ...draft, text: { ...draft.text, release: text } });
      quiet();
      changed();
    },

    setName(name: string): void {
      keep({ name });
      hint = undefined;
      changed();
    },

    /** Picks a choice, or takes it back. */
    toggle(label: string): void {
      const view = question();
      if (!view || step === 'confirm') return;
      const { choices } = draftOf(view);
      const without = choices.filter((one) => one !== label);
      // What it means begins again with what the choices say.
      const effect = undefined;
      if (without.length < choices.length) edit({ choices: without, effect });
      else edit({ choices: view.multiple ? [...without, label] : [label], effect });
    },

    setEffect(effect: AnswerEffect): void {
      if (!question() || step === 'confirm') return;
      edit({ effect });
    },

    openPanel(panel: Panel): void {
      toStep('form');
      // It takes no text, so its button may lie where the click was.
      if (isHoldPanel(panel)) unsettle();
      focus = panel === 'answer' ? 'form' : isHoldPanel(panel) ? 'confirm' : 'text';
      edit({ panel });
    },

    /** One step back: from the second step to the form, from a panel to the answer. */
    back(): boolean {
      if (isWide(snapshot) && step === 'confirm' && !flights.of(viewKey())) {
        focus = 'form';
        toStep('form');
        changed();
        return true;
      }
      const view = question();
      if (!view || flights.of(view.key)) return false;
      const panel = draftOf(view).panel;
      if (view.resolution.type !== 'pending' && !isAfterPanel(panel) && !isHoldPanel(panel)) return false;
      if (step === 'form' && panel === 'answer') return false;
      focus = 'form';
      if (step === 'confirm') {
        toStep('form');
        changed();
      } else {
        edit({ panel: 'answer' });
      }
      return true;
    },

    /** The button of the form: sends, or says what is missing, or asks for the second step. */
    decide(): void {
      const view = question();
      if (!view || !snapshot || !ready()) return;
      const draft = draftOf(view);
      if (!isPossible(view, draft.panel)) return;
      const name = nameFor(view.answersAs.name);
      const lacking = missing({ view, draft, limits: snapshot.limits, name });
      if (lacking) {
        toStep('form');
        complain(lacking);
      } else if (hasSecondStep(view, draft.panel) && step === 'form') {
        toStep('confirm');
        focus = 'confirm';
        changed();
      } else {
        send(message({ view, draft, act: options.newAct(), name, confirmed: step === 'confirm' }));
      }
    },

    /** No word from the host: the same act once more, which is the same act. */
    again(): void {
      flights.again(viewKey());
      changed();
    },

    isUnfolded(part: string): boolean {
      return (keeping.saved().unfolded[viewKey()] ?? []).includes(part);
    },

    unfold,

    discardDraft(): void {
      keepDraft(viewKey(), undefined);
      changed();
    },

    /** Says "copied" beside what was copied, for a moment. */
    copy(what: 'link' | 'draft' | 'key', text = ''): void {
      const key = viewKey();
      host.post(
        what === 'draft' ? { type: 'copyText', text } : { type: what === 'link' ? 'copyLink' : 'copyPublicKey', key },
      );
      copied = what;
      spoken = t('foot.copied');
      later(2_000, () => {
        copied = undefined;
        changed();
      });
      changed();
    },

    /** Everything that decides nothing. */
    wish(wish: Exclude<QuestionMessage, Decision>): void {
      selecting = wish.type === 'select';
      host.post(wish);
    },
  };
}

/** A form about more than one question. */
function isWide(one: Snapshot | undefined): boolean {
  const wide = ['policy', 'releaseAll', 'appoint', 'keys', 'enrol'];
  return one !== undefined && wide.includes(one.view.type);
}

/** What a snapshot is about, down to what is shown of it. */
function subject(one: Snapshot | undefined): string | undefined {
  return one && 'shown' in one.view ? `${one.view.key}\n${one.view.shown}` : one?.view.type;
}

function waiting(one: Snapshot): number {
  return one.view.type === 'question' ? (one.view.position?.of ?? 0) : 0;
}
