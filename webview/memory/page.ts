/** The page of the briefing: its acts and drafts. Renders nothing. */
import type { BriefingAct, BriefingMessage } from '../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot, BriefingView, EventView } from '../../src/ui/briefing/model.ts';
import type { IconName } from '../shared/elements.ts';
import { createSigningPage, type Saved, type FormPage, type mark, type Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import type { PageOptions as Options } from '../shared/surface.ts';

// The types of events, in reading order, with their icons.

export const typeWords = {
  warning: t('warning'),
  decision: t('decision'),
  mutation: t('change'),
  discovery: t('discovery'),
  outcome: t('outcome'),
};

export const priorityWords = {
  critical: t('critical'),
  high: t('high'),
  normal: t('normal'),
  low: t('low'),
};

export type EventType = Extract<BriefingMessage, { type: 'post' }>['event'];

export const eventIcons = {
  warning: 'warning',
  decision: 'law',
  mutation: 'edit',
  discovery: 'lightbulb',
  outcome: 'pass',
} as const satisfies Record<EventType, IconName>;

export const types = Object.keys(eventIcons) as EventType[];

// What the page keeps over reloads: drafts, the filter and expanded parts. Everything else comes from the host.

type Post = Extract<BriefingMessage, { type: 'post' }>;
type Priority = Post['priority'];

export const priorities = ['critical', 'high', 'normal', 'low'] as const satisfies Priority[];

export interface PostDraft {
  readonly type: EventType;
  readonly priority: Priority;
  readonly scopes: string;
  readonly text: string;
}

interface ClosingDraft {
  readonly way: 'resolve' | 'supersede';
  /** Empty for a new one. */
  readonly by: string;
  /** The title of that event when it was chosen: it may have left the view since. */
  readonly byTitle: string;
  /** The reason, or the new event. */
  readonly text: string;
  /** The `shown` when the draft was started: a different one means that the event has changed. */
  readonly shown: string;
}

function known<One extends string>(all: readonly One[], text: string | undefined): One | undefined {
  return all.find((one) => one === text);
}

type PageOptions = Options<BriefingMessage, Saved>;

export type Page = ReturnType<typeof createPage>;
type Marks = ReturnType<typeof mark>;

/** The fields of the form for a new event begin with it. */
export const postPlace = 'post';

/** Where the form for a new event of a folder is, by the key of the folder's view. */
export const postIn = (key: string) => `${postPlace}:${key}`;

function viewOf(snapshot: BriefingSnapshot | undefined): BriefingView | undefined {
  return snapshot?.view.type === 'briefing' ? snapshot.view : undefined;
}

function createCore(options: PageOptions) {
  /** The token of the last form that the host has asked for. */
  let begun: string | undefined;
  const core = createSigningPage<BriefingMessage, BriefingSnapshot, BriefingAct>(options, {
    subject: (snapshot) => {
      const view = viewOf(snapshot);
      return view ? subject(view) : '';
    },
    received({ compose, reveal, view }, before) {
      if (compose && compose.token !== begun && view.type === 'briefing') {
        begun = compose.token;
        beginPost(core, view.key, compose);
      }
      if (reveal && reveal.token !== before?.reveal?.token) {
        core.unfold(reveal.id, true);
        core.notices.focusOn(reveal.id);
      }
    },
    done(act, _, place) {
      core.keepEntered(place, undefined);
      if (act.type === 'post') core.notices.finish(place, t('Posted.'));
      core.notices.focusOn('top');
    },
    refusedAt(place): string {
      const isForm = core.entered(place) !== undefined || place.startsWith(postIn(''));
      return isForm ? place : rowOf(core.snapshot(), place);
    },
  });
  return core;
}

type Core = ReturnType<typeof createCore>;

/** The name of an event's row, for moving focus to it. */
function rowOf(snapshot: BriefingSnapshot | undefined, key: string): string {
  const view = viewOf(snapshot);
  return (view && eventsOf(view).find((one) => one.key === key)?.id) ?? 'top';
}

/** Undefined without one. */
function postDraft(core: Core, key: string): PostDraft | undefined {
  const fields = core.entered(postIn(key))?.fields;
  if (!fields) return undefined;
  const { type, priority, scopes = '', text = '' } = fields;
  return { type: known(types, type) ?? 'warning', priority: known(priorities, priority) ?? 'normal', scopes, text };
}

function beginPost(core: Core, key: string, { type, scopes, text }: NonNullable<BriefingSnapshot['compose']>): void {
  const before = postDraft(core, key);
  // Keeps the existing draft and appends the new scope and text.
  const written = before?.text.trim() ?? '';
  const post: PostDraft = {
    type: before && written !== '' ? before.type : (type ?? before?.type ?? 'warning'),
    priority: before?.priority ?? 'normal',
    scopes: [...new Set([...(written === '' ? [] : lines(before?.scopes ?? '')), ...scopes])].join('\n'),
    text: [written, text].filter((one) => one !== '').join('\n\n'),
  };
  core.keepEntered(postIn(key), { fields: { ...post }, shown: '' });
  core.notices.focusOn(`${postPlace}.text`);
  core.unsettle();
}

/** The validation message of a field in the form at a place. */
function inForm(place: string, missing: Missing | undefined): Missing | undefined {
  return missing && { ...missing, field: `${place}.${missing.field}` };
}

/** Where the filter is kept, as a field. */
const layout = 'layout';

/** Display state of the page, independent of the host. None of it is signed. */
function createLayout(core: Core, changed: () => void) {
  /** Sections start open, except one. */
  const startsOpen = (section: string) => section !== 'resolved';
  const turned = (section: string) => `section.${section}`;
  return {
    filter: (): EventType | '' => known(types, core.entered(layout)?.fields['filter']) ?? '',
    setFilter(filter: EventType | ''): void {
      core.keepEntered(layout, { fields: { filter }, shown: '' });
      changed();
    },
    isFolded: (section: string): boolean => core.isUnfolded(turned(section)) === startsOpen(section),
    fold(section: string, folded: boolean): void {
      core.unfold(turned(section), folded === startsOpen(section));
    },
    ...{ isUnfolded: core.isUnfolded, unfold: core.unfold },
  };
}

/** A new event of the folder in view. One of another folder waits until that folder is in view again. */
function createPosting(core: Core, changed: () => void) {
  const view = () => viewOf(core.snapshot());
  const draft = (): PostDraft | undefined => postDraft(core, view()?.key ?? '');
  return {
    post: draft,
    openPost(): void {
      const current = view();
      if (!current || current.locked !== undefined) return;
      core.notices.quiet();
      beginPost(core, current.key, { token: '', scopes: current.focus === undefined ? [] : [current.focus], text: '' });
      changed();
    },
    editPost(change: Partial<PostDraft>): void {
      const [current, post] = [view(), draft()];
      if (!current || !post || core.flight(current.key)) return;
      core.keepEntered(postIn(current.key), { fields: { ...post, ...change }, shown: '' });
      core.notices.quiet();
      changed();
    },
    sendPost(): void {
      const [target, post, limits] = [view(), draft(), core.snapshot()?.limits];
      if (!target || target.locked !== undefined || !post || !limits) return;
      const { type: event, priority, text } = post;
      const scopes = lines(post.scopes);
      const lacking: Missing | undefined =
        text.trim() === ''
          ? { field: 'text', text: t('Write a note first.') }
          : scopes.length > limits.scopes
            ? { field: 'scopes', text: t('At most {n}.', { n: limits.scopes }) }
            : tooLong(text, 'text', limits.text);
      core.attempt({
        ...{ place: postIn(target.key), target, lacking: inForm(postPlace, lacking) },
        make: (marks) => ({ type: 'post', ...marks, event, priority, scopes, text: text.trim() }),
      });
    },
  };
}

/** Existing events: each is acted on in its own row. */
function createClosing(core: Core, changed: () => void) {
  const view = () => viewOf(core.snapshot());

  function attempt({ key, shown }: EventView, lacking: Missing | undefined, make: (marks: Marks) => BriefingAct): void {
    const current = view();
    if (!current || current.locked !== undefined) return;
    const { render, answersAs } = current;
    core.attempt({ place: key, target: { key, shown, render, answersAs }, lacking: inForm(key, lacking), make });
  }

  function closing({ key }: EventView): ClosingDraft | undefined {
    const entered = core.entered(key);
    if (!entered) return undefined;
    const { way, by = '', byTitle = '', text = '' } = entered.fields;
    return { way: way === 'supersede' ? way : 'resolve', by, byTitle, text, shown: entered.shown };
  }

  function editClosing(event: EventView, change: Partial<Omit<ClosingDraft, 'shown'>>): void {
    if (core.flight(event.key)) return;
    const { key, shown } = event;
    core.keepEntered(key, { fields: { ...core.entered(key)?.fields, ...change }, shown });
    core.notices.quiet();
    changed();
  }

  return {
    closing,
    editClosing,
    openClosing(event: EventView, way: ClosingDraft['way']): void {
      core.unsettle();
      editClosing(event, { way });
      core.notices.focusOn(`${event.key}.${way === 'resolve' ? 'text' : 'by'}`);
    },
    sendClosing(event: EventView): void {
      const draft = closing(event);
      if (!draft) return;
      const [text, resolves] = [draft.text.trim(), draft.way === 'resolve'];
      if (!resolves && draft.by !== '') {
        attempt(event, undefined, (marks) => {
          return { type: 'close', ...marks, closing: { how: 'superseded', by: draft.by } };
        });
        return;
      }
      const words = resolves ? t('Enter a reason; agents and people will read it.') : t('Write the replacement.');
      const lacking =
        text === '' ? { field: 'text', text: words } : tooLong(text, 'text', core.snapshot()?.limits.text ?? 0);
      attempt(event, lacking, (marks) => ({
        ...{ type: 'close', ...marks },
        closing: resolves ? { how: 'resolved', reason: text } : { how: 'replaced', text },
      }));
    },
    /** Decides on an agent's proposal. */
    settle(event: EventView, type: 'accept' | 'decline'): void {
      attempt(event, undefined, (marks) => ({ type, ...marks }));
    },
  };
}

function stepBack(core: Core, key: string, place: string, changed: () => void): boolean {
  if (core.flight(key)) return false;
  const posting = place === postIn(key);
  if (!core.entered(place)) return false;
  core.keepEntered(place, undefined);
  core.notices.quiet();
  core.notices.focusOn(posting ? 'top' : rowOf(core.snapshot(), key));
  changed();
  return true;
}

export function createPage(options: PageOptions) {
  const { host, changed } = options;
  const core = createCore(options);
  const { notices } = core;
  return {
    ...createLayout(core, changed),
    ...createPosting(core, changed),
    ...createClosing(core, changed),
    receive: core.receive,
    /** Whether something can be signed now. */
    ready: () => core.ready(),
    snapshot: core.snapshot,
    spoken: notices.spoken,
    takeFocus: notices.takeFocus,
    done: () => notices.doneAt(postIn(viewOf(core.snapshot())?.key ?? '')),

    /** The shared part of all forms, for the one that acts on `key`. */
    at(key: string): FormPage {
      const place = key === viewOf(core.snapshot())?.key ? postIn(key) : key;
      return core.formAt(place, key, () => stepBack(core, key, place, changed));
    },

    /** Everything that signs nothing. */
    dispatch(message: Exclude<BriefingMessage, BriefingAct>): void {
      host.post(message);
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
  return over > 0
    ? { field, text: t('{n} of {max}: shorten it by {over}.', { n: text.trim().length, max, over }) }
    : undefined;
}

/** All events in a view, in any section. */
export function eventsOf(view: BriefingView): EventView[] {
  const { proposals, critical, relevant, other, resolved } = view;
  return [...proposals, ...[critical, ...Object.values(relevant), other, resolved].flatMap(({ items }) => items)];
}

function subject(view: BriefingView): string {
  return JSON.stringify([view.key, view.waiting.items.length, eventsOf(view).map(({ key, shown }) => [key, shown])]);
}
