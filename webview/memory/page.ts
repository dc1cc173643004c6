/**
 * The page's one state: the host's latest snapshot, drafts, and acts on their way. Renders nothing. Whoever calls what
 * sends an act does so from a trusted event (see shared/trusted.ts).
 */
import type {
  BriefingAct,
  BriefingMessage,
  BriefingSnapshot,
  BriefingView,
  EventView,
} from '../../src/protocol/memory/briefing.ts';
import type { Outcome } from '../../src/protocol/kit/outcome.ts';
import { createFlights } from '../shared/flights.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import { createKeeping, remember } from '../shared/keeping.ts';
import { mark, missingName } from '../shared/marks.ts';
import { createSettling } from '../shared/settling.ts';
import { t } from '../shared/strings.ts';
import type { Host } from '../shared/vscode.ts';
import { nothingSaved, parseSaved } from './saved.ts';
import type { ClosingDraft, EventType, PostDraft, Saved } from './saved.ts';

export interface PageOptions {
  readonly host: Host<BriefingMessage, Saved>;
  readonly newAct: () => string;
  /** Milliseconds, from anywhere, never back. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  /** Something to draw has changed. */
  readonly changed: () => void;
}

export type Page = ReturnType<typeof createPage>;

/** Where the form for a new event is. */
export const postPlace = 'post';

export function createPage(options: PageOptions) {
  const { host, later, changed } = options;
  const flights = createFlights<BriefingAct>({ post: host.post, later, changed });
  const keeping = createKeeping<Saved>({ host, later, nothing: nothingSaved, parse: parseSaved });
  const { settled, unsettle } = createSettling(options);
  let snapshot: BriefingSnapshot | undefined;
  let hint: (Missing & { readonly place: string }) | undefined;
  let refusal: { readonly place: string; readonly text: string } | undefined;
  let done: string | undefined;
  /** Where the keyboard goes after the next drawing. */
  let focus: string | undefined;
  let spoken = '';

  const view = (): BriefingView | undefined => (snapshot?.view.type === 'briefing' ? snapshot.view : undefined);
  const placeOf = (key: string): string => (key === view()?.key ? postPlace : key);

  function quiet(): void {
    hint = undefined;
    refusal = undefined;
    done = undefined;
  }

  function nameFor(proposed: string): string {
    const { name } = keeping.saved();
    return name === '' ? proposed : name;
  }

  /** Can something be signed right now? */
  function ready(): boolean {
    return snapshot !== undefined && settled();
  }

  function complain(place: string, about: Missing): void {
    hint = { ...about, place };
    focus = `${place}.${about.field}`;
    changed();
  }

  /** Sends what `make` makes of the marks, unless something is missing. */
  function attempt(
    target: { readonly key: string; readonly shown: string },
    lacking: Missing | undefined,
    make: (marks: ReturnType<typeof mark>) => BriefingAct,
  ): void {
    const current = view();
    const place = placeOf(target.key);
    if (!current || current.locked !== undefined || !ready() || flights.of(target.key)) return;
    const { render, answersAs } = current;
    const name = nameFor(answersAs.name);
    const missing = lacking ?? missingName(answersAs, name);
    if (missing) {
      complain(place, missing);
      return;
    }
    const { key, shown } = target;
    if (!flights.start(make(mark({ key, shown, render, answersAs }, options.newAct(), name)))) return;
    quiet();
    spoken = t('answer.sending');
    changed();
  }

  function settle(outcome: Outcome): void {
    const act = flights.land(outcome.act);
    if (!act) return;
    const place = placeOf(act.key);
    if (outcome.type === 'refused') {
      refusal = { place, text: outcome.text };
      focus = place;
      return;
    }
    if (act.type === 'post') {
      keeping.keep({ post: null });
      done = t('post.done');
    } else keeping.keep({ closings: remember(keeping.saved().closings, act.key, undefined) });
    spoken = outcome.text ?? t('live.done');
    focus = 'top';
  }

  function receive(next: BriefingSnapshot): void {
    const [before, compose, reveal] = [view(), snapshot?.compose?.token, snapshot?.reveal?.token];
    snapshot = next;
    keeping.takeBack(next.kept);
    const now = view();
    // What moves under the pointer while a form is open must not be hit by a click begun before.
    if (now && (!before || subject(before) !== subject(now))) unsettle();
    if (next.outcome) settle(next.outcome);
    if (next.compose && next.compose.token !== compose) begin(next.compose);
    if (next.reveal && next.reveal.token !== reveal) {
      unfold(next.reveal.id, true);
      focus = next.reveal.id;
    }
    changed();
  }

  function begin({ type, scopes, text }: NonNullable<BriefingSnapshot['compose']>): void {
    const before = keeping.saved().post;
    // What was already written is not lost: the new place and words are put after it.
    const written = before?.text.trim() ?? '';
    keeping.keep({
      post: {
        type: before && written !== '' ? before.type : (type ?? before?.type ?? 'warning'),
        priority: before?.priority ?? 'normal',
        scopes: [...new Set([...(written === '' ? [] : lines(before?.scopes ?? '')), ...scopes])].join('\n'),
        text: [written, text].filter((one) => one !== '').join('\n\n'),
      },
    });
    focus = `${postPlace}.text`;
    unsettle();
  }

  function unfold(part: string, open: boolean): void {
    const others = keeping.saved().unfolded.filter((one) => one !== part);
    keeping.keep({ unfolded: open ? [...others, part].slice(-300) : others });
    changed();
  }

  function closing({ key, shown }: EventView): ClosingDraft | undefined {
    const draft = keeping.saved().closings[key];
    return draft && { ...draft, shown: draft.shown === '' ? shown : draft.shown };
  }

  function editClosing(event: EventView, change: Partial<ClosingDraft> | undefined): void {
    if (flights.of(event.key)) return;
    const draft = keeping.saved().closings[event.key] ?? { way: 'resolve', reason: '', by: '', text: '', shown: '' };
    const next = change && { ...draft, ...change, shown: event.shown };
    keeping.keep({ closings: remember(keeping.saved().closings, event.key, next) });
    quiet();
    changed();
  }

  return {
    receive,
    ready,
    snapshot: () => snapshot,
    spoken: () => spoken,
    done: () => done,

    /** The wish is granted once. */
    takeFocus(): string | undefined {
      const wish = focus;
      focus = undefined;
      return wish;
    },

    /** The part of a form that all forms share, for the one at a place. */
    at(key: string): FormPage {
      const place = placeOf(key);
      return {
        step: () => 'form',
        hint: () => (hint?.place === place ? { ...hint, field: `${place}.${hint.field}` } : undefined),
        refusal: () => (refusal?.place === place ? refusal.text : undefined),
        flight: () => flights.of(key),
        again: () => {
          flights.again(key);
          changed();
        },
        back: () => {
          if (flights.of(key)) return false;
          const { post, closings } = keeping.saved();
          if (place === postPlace ? !post : !closings[key]) return false;
          if (place === postPlace) keeping.keep({ post: null });
          else keeping.keep({ closings: remember(closings, key, undefined) });
          quiet();
          focus = place === postPlace ? 'top' : place;
          changed();
          return true;
        },
        nameFor,
        setName: (name) => {
          keeping.keep({ name });
          hint = undefined;
          changed();
        },
      };
    },

    // What is seen

    filter: (): EventType | '' => keeping.saved().filter,
    setFilter(filter: EventType | ''): void {
      keeping.keep({ filter });
      changed();
    },
    isFolded: (section: string): boolean => keeping.saved().folded.includes(section),
    fold(section: string, folded: boolean): void {
      const others = keeping.saved().folded.filter((one) => one !== section);
      keeping.keep({ folded: folded ? [...others, section] : others });
      changed();
    },
    isUnfolded: (part: string): boolean => keeping.saved().unfolded.includes(part),
    unfold,

    // A new event

    post: (): PostDraft | null => keeping.saved().post,
    openPost(): void {
      const current = view();
      if (!current || current.locked !== undefined) return;
      quiet();
      begin({ token: '', scopes: current.focus === undefined ? [] : [current.focus], text: '' });
      changed();
    },
    editPost(change: Partial<PostDraft>): void {
      const { post } = keeping.saved();
      if (!post || flights.of(view()?.key ?? '')) return;
      keeping.keep({ post: { ...post, ...change } });
      quiet();
      changed();
    },
    sendPost(): void {
      const [current, { post }, limits] = [view(), keeping.saved(), snapshot?.limits];
      if (!current || !post || !limits) return;
      const { type: event, priority, text } = post;
      const scopes = lines(post.scopes);
      const lacking: Missing | undefined =
        text.trim() === ''
          ? { field: 'text', text: t('post.textMissing') }
          : scopes.length > limits.scopes
            ? { field: 'scopes', text: t('post.scopesMany', { n: limits.scopes }) }
            : tooLong(text, 'text', limits.text);
      attempt(current, lacking, (marks) => ({ type: 'post', ...marks, event, priority, scopes, text: text.trim() }));
    },

    // What is there

    closing,
    editClosing,
    openClosing(event: EventView, way: ClosingDraft['way']): void {
      unsettle();
      editClosing(event, { way });
      focus = `${event.key}.${way === 'resolve' ? 'reason' : 'by'}`;
    },
    sendClosing(event: EventView): void {
      const draft = keeping.saved().closings[event.key];
      const max = snapshot?.limits.text ?? 0;
      if (!draft) return;
      if (draft.way === 'resolve') {
        const reason = draft.reason.trim();
        const lacking = reason === '' ? { field: 'reason', text: t('event.reasonMissing') } : undefined;
        attempt(event, lacking ?? tooLong(reason, 'reason', max), (marks) => ({ type: 'resolve', ...marks, reason }));
      } else if (draft.by !== '') attempt(event, undefined, (marks) => ({ type: 'supersede', ...marks, by: draft.by }));
      else {
        const text = draft.text.trim();
        const lacking = text === '' ? { field: 'text', text: t('event.newMissing') } : undefined;
        attempt(event, lacking ?? tooLong(text, 'text', max), (marks) => ({ type: 'replace', ...marks, text }));
      }
    },
    accept(event: EventView): void {
      attempt(event, undefined, (marks) => ({ type: 'accept', ...marks }));
    },
    decline(event: EventView): void {
      attempt(event, undefined, (marks) => ({ type: 'decline', ...marks }));
    },

    /** Everything that signs nothing. */
    wish(wish: Exclude<BriefingMessage, BriefingAct>): void {
      host.post(wish);
    },
  };
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function tooLong(text: string, field: string, max: number): Missing | undefined {
  const over = text.trim().length - max;
  return over > 0 ? { field, text: t('answer.tooLong', { n: text.trim().length, max, over }) } : undefined;
}

/** All events a view shows, wherever. */
export function eventsOf(view: BriefingView): EventView[] {
  const { proposals, critical, relevant, other, resolved } = view;
  return [...proposals, ...[critical, ...Object.values(relevant), other, resolved].flatMap(({ items }) => items)];
}

/** What may have moved under the pointer. */
function subject(view: BriefingView): string {
  return JSON.stringify([view.key, view.waiting.items.length, eventsOf(view).map(({ key, shown }) => [key, shown])]);
}
