/** The base state of a review page: the host's snapshots, acts in flight, and the draft after each act. */
import type { RfcAct, RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../src/ui/rfc/model.ts';
import { placeImage } from '../shared/images.ts';
import { createSigningPage } from '../shared/signingPage.ts';
import type { PageOptions as Options } from '../shared/signingPage.ts';
import { t, tn } from '../shared/strings.ts';
import { bar } from './places.ts';
import { nothingSaved, parseSaved } from './saved.ts';
import type { Draft, Saved } from './saved.ts';

export type PageOptions = Options<RfcMessage, Saved>;

export function viewOf(snapshot: RfcSnapshot | undefined): RfcView | undefined {
  return snapshot?.view.type === 'rfc' ? snapshot.view : undefined;
}

export function createCore(options: PageOptions) {
  /** Since the act in flight was sent, something was entered at another place, which keeps the focus. */
  let elsewhere = false;
  const focusAfter = (place: string): string | undefined => {
    const target = elsewhere ? undefined : place;
    elsewhere = false;
    return target;
  };
  const core = createSigningPage<RfcMessage, RfcSnapshot, RfcAct, Saved>(options, {
    nothing: nothingSaved,
    parse: parseSaved,
    subject: (snapshot) => subject(viewOf(snapshot)),
    received(next, before) {
      const [was, now] = [viewOf(before), viewOf(next)];
      if (now && core.saved().key !== now.key) core.keep({ key: now.key, draft: null });
      const news = now && was?.key === now.key ? arrival(was, now) : undefined;
      if (news !== undefined) core.notices.say(news);
      if (next.focus !== undefined) core.notices.focusOn('top');
      if (next.image) placeImage(next.image);
    },
    done(act, _, place) {
      const { draft } = core.saved();
      if (draft) core.keep({ draft: without(draft, act, place) });
      core.notices.focusOn(focusAfter(place === bar ? 'decided' : place));
    },
    refusedAt: focusAfter,
  });
  return {
    ...core,
    /** Something was entered at a place whose act is not in flight. */
    entered(key: string): void {
      elsewhere = core.flight(key) !== undefined;
    },
  };
}

export type Core = ReturnType<typeof createCore>;

/** Identifies the content of a snapshot, including anything that may have moved under the pointer. */
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

/** Announces changes that arrive while the human reads. */
function arrival(before: RfcView, now: RfcView): string | undefined {
  if (now.latest > before.latest) return t('Revision {n} is ready.', { n: now.latest });
  const [was, is] = [openThreads(before), openThreads(now)];
  return is > was ? tn(is, '{n} open thread.', '{n} open threads.') : undefined;
}

function openThreads({ sections }: RfcView): number {
  return sections.reduce((sum, { threads }) => sum + threads.filter(({ resolved }) => !resolved).length, 0);
}

/** The draft without the parts that a finished act has used. What was entered meanwhile stays. */
function without(draft: Draft, act: RfcAct, place: string): Draft {
  // Comments that were added since are the last ones.
  const pending = 'comments' in act ? draft.pending.slice(act.comments?.length ?? 0) : draft.pending;
  const open = draft.open === place ? '' : draft.open;
  switch (act.type) {
    case 'approve':
      return {
        ...draft,
        panel: 'none',
        pending,
        waived: [],
        text: { ...draft.text, conditions: '', constraints: '' },
      };
    case 'requestChanges':
    case 'reject':
      return { ...draft, panel: 'none', pending, text: { ...draft.text, [act.type]: '' } };
    case 'withdraw':
      return { ...draft, panel: 'none', text: { ...draft.text, [act.type]: '' } };
    case 'holdAll':
    case 'holdNamed':
      return { ...draft, panel: 'none' };
    case 'addFeedback': {
      // Either the whole review or the comment in the open box.
      if (place === bar) return { ...draft, pending };
      const { [act.comments[0]?.section ?? '']: _, ...comments } = draft.comments;
      return { ...draft, comments, open };
    }
    case 'reply': {
      const { [act.thread]: _, ...replies } = draft.replies;
      return { ...draft, replies, open };
    }
    case 'answerQuestion': {
      const { [act.question]: _, ...answers } = draft.answers;
      return { ...draft, answers };
    }
    case 'acceptChanges':
    case 'resolveThread':
    case 'overruleAnswer':
      return draft;
  }
}
