/** The page of a review: what its acts are, and its drafts. Renders nothing. */
import type { RfcAct, RfcMessage, RfcSnapshot, RfcView } from '../../src/protocol/rfc/rfc.ts';
import { createCopied } from '../shared/copied.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import type { mark } from '../shared/marks.ts';
import { createSigningPage } from '../shared/signingPage.ts';
import type { PageOptions as Options } from '../shared/signingPage.ts';
import { t, tn } from '../shared/strings.ts';
import { decision, missingFor, missingText } from './acts.ts';
import { bar, commentOn, questionPlace, replyTo } from './places.ts';
import { emptyComment, emptyDraft, nothingSaved, parseSaved } from './saved.ts';
import type { CommentDraft, Draft, Panel, Saved, TextField } from './saved.ts';

export type PageOptions = Options<RfcMessage, Saved>;

export type Page = ReturnType<typeof createPage>;
type Marks = ReturnType<typeof mark>;

function viewOf(snapshot: RfcSnapshot | undefined): RfcView | undefined {
  return snapshot?.view.type === 'rfc' ? snapshot.view : undefined;
}

function createCore(options: PageOptions) {
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
    },
    done(act, _, place) {
      const { draft } = core.saved();
      if (draft) core.keep({ draft: without(draft, act) });
      core.notices.focusOn(place === bar ? 'decided' : place);
    },
  });
  return core;
}

type Core = ReturnType<typeof createCore>;

/** What has been written, and which parts are open. */
function createDrafts(core: Core, changed: () => void) {
  const view = () => viewOf(core.snapshot());
  const busy = () => core.flight(view()?.key ?? '') !== undefined;
  const draft = (): Draft => core.saved().draft ?? emptyDraft(view()?.shown ?? '');

  function edit(change: Partial<Draft>): void {
    const shown = view()?.shown;
    if (shown === undefined || busy()) return;
    core.keep({ draft: { ...draft(), ...change, shown } });
    core.notices.quiet();
    changed();
  }

  const comment = (section: string): CommentDraft => draft().comments[section] ?? emptyComment;

  return {
    view,
    edit,
    acts: {
      draft,
      comment,
      busy,

      /** Opens a box in the document, or closes it: one at a time, what was typed stays. */
      openBox(place: string, open: boolean): void {
        core.unsettle();
        core.notices.focusOn(open ? `${place}.text` : place);
        edit({ open: open ? place : '' });
      },

      setText(field: TextField, text: string): void {
        edit({ text: { ...draft().text, [field]: text } });
      },

      setWay(way: Draft['way']): void {
        edit({ way });
      },

      setWaived(question: string, waived: boolean): void {
        const others = draft().waived.filter((one) => one !== question);
        edit({ waived: waived ? [...others, question] : others });
      },

      setComment(section: string, change: Partial<CommentDraft>): void {
        edit({ comments: { ...draft().comments, [section]: { ...comment(section), ...change } } });
      },

      setReply(thread: string, text: string): void {
        edit({ replies: { ...draft().replies, [thread]: text } });
      },

      openPanel(panel: Panel): void {
        core.unsettle();
        // Its first text field, never its button.
        core.notices.focusOn(panel === 'approve' ? 'conditions' : panel);
        edit({ panel });
      },

      isUnfolded: (part: string): boolean => core.saved().unfolded.includes(part),

      unfold(part: string, open: boolean): void {
        const others = core.saved().unfolded.filter((one) => one !== part);
        core.keep({ unfolded: open ? [...others, part].slice(-200) : others });
        changed();
      },
    },
  };
}

type Drafts = ReturnType<typeof createDrafts>;

/** What is signed. */
function createActs(core: Core, { view, acts: { draft, comment } }: Drafts) {
  function attempt(place: string, lacking: Missing | undefined, make: (marks: Marks) => RfcAct): void {
    const target = view();
    if (target && !target.locked) core.attempt({ place, target, lacking, make });
  }

  return {
    /** The button of the open panel: sends, or says what is missing. */
    decide(): void {
      const [current, snapshot] = [view(), core.snapshot()];
      const { panel } = draft();
      if (!current || !snapshot || panel === 'none' || !current.may[panel]) return;
      const asked = { view: current, draft: draft(), name: core.nameFor(current.answersAs.name) };
      const lacking = missingFor(panel, asked, snapshot.limits);
      attempt(bar, lacking, ({ act }) => decision(panel, asked, act));
    },

    sendComment(section: string): void {
      const [current, snapshot] = [view(), core.snapshot()];
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
      const snapshot = core.snapshot();
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
  };
}

/** One step back: closes the panel of the bar, or the box of a place. */
function stepBack(core: Core, { edit, acts: { draft, busy, openBox } }: Drafts, place: string): boolean {
  if (busy()) return false;
  if (place !== bar) {
    if (draft().open !== place) return false;
    openBox(place, false);
    return true;
  }
  const { panel } = draft();
  if (panel === 'none') return false;
  core.notices.focusOn(`open.${panel}`);
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
    /** Can something be decided right now? */
    ready: () => core.ready(view()?.key),
    at: (place: string): FormPage => core.formAt(place, view()?.key ?? '', () => stepBack(core, drafts, place)),

    /** Says why something cannot be decided now. */
    explain(why: string): void {
      notices.say(why);
      notices.focusOn(view()?.revision === view()?.latest ? 'missing' : bar);
      changed();
    },

    copyLink(): void {
      host.post({ type: 'copyLink', key: view()?.key ?? '' });
      copied.show('link');
    },

    /** Everything that changes nothing. */
    dispatch(message: Exclude<RfcMessage, RfcAct>): void {
      host.post(message);
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
      return { ...draft, panel: 'none', waived: [], text: { ...draft.text, conditions: '', constraints: '' } };
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
