/**
 * The page's one state: the host's latest snapshot, drafts, and acts on their way. Renders nothing. Whoever calls what
 * sends an act does so from a trusted event (see shared/trusted.ts).
 */
import type { Outcome } from '../../src/protocol/kit/outcome.ts';
import type { RfcAct, RfcMessage, RfcSnapshot, RfcView } from '../../src/protocol/rfc/rfc.ts';
import { createFlights } from '../shared/flights.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import { createKeeping } from '../shared/keeping.ts';
import { mark, missingName } from '../shared/marks.ts';
import { createSettling } from '../shared/settling.ts';
import { t, tn } from '../shared/strings.ts';
import type { Host } from '../shared/vscode.ts';
import { decision, missingFor, missingText } from './acts.ts';
import { bar, commentOn, questionPlace, replyTo } from './places.ts';
import { emptyComment, emptyDraft, nothingSaved, parseSaved } from './saved.ts';
import type { CommentDraft, Draft, Panel, Saved, TextField } from './saved.ts';

export interface PageOptions {
  readonly host: Host<RfcMessage, Saved>;
  readonly newAct: () => string;
  /** Milliseconds, from anywhere, never back. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  /** Something to draw has changed. */
  readonly changed: () => void;
}

export type Page = ReturnType<typeof createPage>;

export function createPage(options: PageOptions) {
  const { host, later, changed } = options;
  const flights = createFlights<RfcAct>({ post: host.post, later, changed });
  const keeping = createKeeping<Saved>({ host, later, nothing: nothingSaved, parse: parseSaved });
  const { settled, unsettle } = createSettling(options);
  let snapshot: RfcSnapshot | undefined;
  let hint: (Missing & { readonly place: string }) | undefined;
  let refusal: { place: string; text: string } | undefined;
  /** Where the keyboard goes after the next drawing: the name of a place or a field. */
  let focus: string | undefined;
  let spoken = '';
  let copied = false;
  /** Where the act on its way was made. */
  let actingAt = bar;

  const view = (): RfcView | undefined => (snapshot?.view.type === 'rfc' ? snapshot.view : undefined);
  const flight = () => flights.of(view()?.key ?? '');

  function draft(): Draft {
    const shown = view()?.shown ?? '';
    return keeping.saved().draft ?? emptyDraft(shown);
  }

  function edit(change: Partial<Draft>): void {
    const shown = view()?.shown;
    if (shown === undefined || flight()) return;
    keeping.keep({ draft: { ...draft(), ...change, shown } });
    quiet();
    changed();
  }

  function quiet(): void {
    hint = undefined;
    refusal = undefined;
  }

  function nameFor(proposed: string): string {
    const { name } = keeping.saved();
    return name === '' ? proposed : name;
  }

  /** Can something be decided right now? */
  function ready(): boolean {
    return snapshot !== undefined && settled() && !flight();
  }

  function send(place: string, act: RfcAct): void {
    if (!ready() || !flights.start(act)) return;
    actingAt = place;
    quiet();
    spoken = t('answer.sending');
    changed();
  }

  /** Says what is missing, and puts the keyboard there. */
  function complain(place: string, about: Missing): void {
    hint = { ...about, place };
    focus = about.field;
    changed();
  }

  /** Sends what `make` makes, unless something is missing. */
  function attempt(place: string, lacking: Missing | undefined, make: (common: ReturnType<typeof mark>) => RfcAct) {
    const current = view();
    if (!current || current.locked || !ready()) return;
    const name = nameFor(current.answersAs.name);
    const missing = lacking ?? missingName(current.answersAs, name);
    if (missing) complain(place, missing);
    else send(place, make(mark(current, options.newAct(), name)));
  }

  function settle(outcome: Outcome): void {
    const act = flights.land(outcome.act);
    if (!act) return;
    if (outcome.type === 'refused') {
      refusal = { place: actingAt, text: outcome.text };
      focus = actingAt;
      return;
    }
    keeping.keep({ draft: without(draft(), act) });
    spoken = outcome.text ?? t('live.done');
    focus = actingAt === bar ? 'decided' : actingAt;
  }

  function receive(next: RfcSnapshot): void {
    const before = view();
    snapshot = next;
    keeping.takeBack(next.kept);
    const now = view();
    if (now && keeping.saved().key !== now.key) keeping.keep({ key: now.key, draft: null });
    if (!before || subject(before) !== subject(now)) unsettle();
    if (next.outcome) settle(next.outcome);
    if (now && before?.key === now.key) spoken = arrival(before, now) ?? spoken;
    if (next.focus !== undefined) focus = 'top';
    changed();
  }

  function comment(section: string): CommentDraft {
    return draft().comments[section] ?? emptyComment;
  }

  /** Opens a box in the document, or closes it: one at a time, what was typed stays. */
  function openBox(place: string, open: boolean): void {
    unsettle();
    focus = open ? `${place}.text` : place;
    edit({ open: open ? place : '' });
  }

  function at(place: string): FormPage {
    return {
      step: () => 'form',
      hint: () => (hint?.place === place ? hint : undefined),
      refusal: () => (refusal?.place === place ? refusal.text : undefined),
      flight: () => (actingAt === place ? flight() : undefined),
      again: () => {
        flights.again(view()?.key ?? '');
        changed();
      },
      back: () => {
        if (flight()) return false;
        if (place === bar) {
          const { panel } = draft();
          if (panel === 'none') return false;
          focus = `open.${panel}`;
          unsettle();
          edit({ panel: 'none' });
          return true;
        }
        if (draft().open !== place) return false;
        openBox(place, false);
        return true;
      },
      nameFor,
      setName: (name) => {
        keeping.keep({ name });
        hint = undefined;
        changed();
      },
    };
  }

  return {
    receive,
    draft,
    ready,
    at,
    comment,
    openBox,
    snapshot: () => snapshot,
    spoken: () => spoken,
    copied: () => copied,
    busy: () => flight() !== undefined,

    /** The wish is granted once. */
    takeFocus(): string | undefined {
      const wish = focus;
      focus = undefined;
      return wish;
    },

    setText(field: TextField, text: string): void {
      edit({ text: { ...draft().text, [field]: text } });
    },

    setWay(way: Draft['way']): void {
      edit({ way });
    },

    setComment(section: string, change: Partial<CommentDraft>): void {
      edit({ comments: { ...draft().comments, [section]: { ...comment(section), ...change } } });
    },

    setReply(thread: string, text: string): void {
      edit({ replies: { ...draft().replies, [thread]: text } });
    },

    openPanel(panel: Panel): void {
      unsettle();
      // Its first text field, never its button.
      focus = panel === 'approve' ? 'conditions' : panel;
      edit({ panel });
    },

    /** The button of the open panel: sends, or says what is missing. */
    decide(): void {
      const current = view();
      const { panel } = draft();
      if (!current || !snapshot || panel === 'none' || !current.may[panel]) return;
      const asked = { view: current, draft: draft(), name: nameFor(current.answersAs.name) };
      const lacking = missingFor(panel, asked, snapshot.limits);
      attempt(bar, lacking, ({ act }) => decision(panel, asked, act));
    },

    /** Says why something cannot be decided now. */
    explain(why: string): void {
      spoken = why;
      focus = view()?.revision === view()?.latest ? 'missing' : bar;
      changed();
    },

    sendComment(section: string): void {
      const current = view();
      if (current?.may.comment !== true || !snapshot) return;
      const place = commentOn(section);
      const { type, blocking, text } = comment(section);
      const lacking = missingText(`${place}.text`, text, t('rfc.commentMissing'), snapshot.limits);
      attempt(place, lacking, (common) => ({
        ...{ type: 'addFeedback', ...common, revision: current.revision, section },
        ...{ feedback: type, blocking, content: text.trim() },
      }));
    },

    sendReply(thread: string): void {
      if (!snapshot) return;
      const place = replyTo(thread);
      const content = draft().replies[thread] ?? '';
      const lacking = missingText(`${place}.text`, content, t('rfc.replyMissing'), snapshot.limits);
      attempt(place, lacking, (common) => ({ type: 'reply', ...common, thread, content: content.trim() }));
    },

    resolve(thread: string): void {
      attempt(replyTo(thread), undefined, (common) => ({ type: 'resolveThread', ...common, thread }));
    },

    overrule(question: string): void {
      attempt(questionPlace(question), undefined, (common) => ({ type: 'overruleAnswer', ...common, question }));
    },

    isUnfolded: (part: string): boolean => keeping.saved().unfolded.includes(part),

    unfold(part: string, open: boolean): void {
      const others = keeping.saved().unfolded.filter((one) => one !== part);
      keeping.keep({ unfolded: open ? [...others, part].slice(-200) : others });
      changed();
    },

    /** Says "copied" beside the link, for a moment. */
    copyLink(): void {
      host.post({ type: 'copyLink', key: view()?.key ?? '' });
      copied = true;
      spoken = t('foot.copied');
      later(2_000, () => {
        copied = false;
        changed();
      });
      changed();
    },

    /** Everything that changes nothing. */
    wish(wish: Exclude<RfcMessage, RfcAct>): void {
      host.post(wish);
    },
  };
}

/** What a snapshot is about, down to what may have moved under the pointer. */
function subject(view: RfcView | undefined): string {
  if (!view) return '';
  const { key, shown, revision, compared, sections, status } = view;
  const parts = sections.map(({ id, threads, questions }) => [
    id,
    threads.length,
    questions.map(({ standing }) => standing.type),
  ]);
  return JSON.stringify([key, shown, revision, compared, status, parts]);
}

/** What has come while one reads. */
function arrival(before: RfcView, now: RfcView): string | undefined {
  if (now.latest > before.latest) return t('rfc.live.revision', { n: now.latest });
  const [was, is] = [openThreads(before), openThreads(now)];
  return is > was ? tn('rfc.live.threads', is) : undefined;
}

function openThreads({ sections }: RfcView): number {
  return sections.reduce((sum, { threads }) => sum + threads.filter(({ resolved }) => !resolved).length, 0);
}

/** The draft after an act of it was done. */
function without(draft: Draft, act: RfcAct): Draft {
  switch (act.type) {
    case 'approve':
      return { ...draft, panel: 'none', text: { ...draft.text, conditions: '', constraints: '' } };
    case 'requestChanges':
    case 'reject':
    case 'withdraw':
      return { ...draft, panel: 'none', text: { ...draft.text, [act.type]: '' } };
    case 'holdAll':
    case 'holdNamed':
      return { ...draft, panel: 'none' };
    case 'addFeedback': {
      const { [act.section]: _, ...comments } = draft.comments;
      return { ...draft, comments, open: '' };
    }
    case 'reply': {
      const { [act.thread]: _, ...replies } = draft.replies;
      return { ...draft, replies, open: '' };
    }
    case 'resolveThread':
    case 'overruleAnswer':
      return draft;
  }
}
