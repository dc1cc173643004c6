/**
 * The page of the "Answer" view: the acts of a question and of the other forms it can show. Renders nothing. Acts run
 * in trusted events (see shared/trusted.ts).
 */
import type { AnswerSnapshot, Decision, QuestionMessage, Snapshot } from '../../src/protocol/question/question.ts';
import { createKeyActs } from '../keys/acts.ts';
import { createRecoveryActs } from '../recovery/acts.ts';
import { createRequestActs } from '../request/acts.ts';
import { createAskActs } from '../request/askActs.ts';
import { createTeamActs } from '../team/acts.ts';
import { isHoldPanel } from '../shared/heldFiles.ts';
import { tn } from '../shared/strings.ts';
import { createWorkspaceActs } from '../workspace/acts.ts';
import { createPolicyActs } from '../workspace/policyActs.ts';
import { hasSecondStep, isAfterPanel, isPossible, message, missing, settles } from './acts.ts';
import { createAssumptionsActs } from './assumptionsActs.ts';
import { createCore } from './core.ts';
import type { PageOptions, QuestionCore } from './core.ts';
import { createDrafts } from './drafts.ts';
import { createTogetherActs } from './togetherActs.ts';
import { createQueueActs } from './queueActs.ts';

export type Page = ReturnType<typeof createPage>;

/** Messages that decide nothing. */
type Unsigned = Exclude<QuestionMessage, Decision>;

export function createPage(options: PageOptions) {
  const { host, changed } = options;
  const form = createCore(options, {
    moved() {
      families.moved();
      if (selecting) notices.focusOn('form');
      selecting = false;
    },
    done({ type, key }) {
      families.reset();
      if (type === 'acceptChanges') return 'form';
      const isOpen = isHoldPanel(type) || type === 'askBack';
      if (isOpen) drafts.keepAnswer(key, type);
      else if (!queue.isHeld(key)) drafts.keepDraft(key, undefined);
      return isOpen ? 'form' : 'result';
    },
    received(next, before) {
      if (next.view.type === 'question') drafts.dropSpent(next.view);
      queue.received(next, before);
      if (before && !next.queue && waiting(next) > waiting(before))
        notices.say(tn(waiting(next), '{n} item is waiting for you.', '{n} items are waiting for you.'));
    },
  });
  const { core, copied, keeping } = form;
  const { notices } = core;
  const drafts = createDrafts(form, changed);
  const families = createFamilies(form, host.post);
  const reading = createReading(form, drafts, options);
  const queue = createQueueActs(form, drafts, options);
  /** The reader has selected another item: its form gets focus when it arrives. */
  let selecting = false;
  return {
    ...form.page,
    ...families.acts,
    ...drafts.acts,
    receive: core.receive,
    snapshot: core.snapshot,
    queue: () => core.snapshot()?.queue,
    viewKey: keeping.viewKey,
    spoken: notices.spoken,
    takeFocus: notices.takeFocus,
    /** Whether the displayed item can be decided right now. */
    ready: () => core.ready(keeping.viewKey()),
    back: () => form.page.back() || closePanel(form, drafts),
    ...{ mustRead: reading.mustRead, drawn: reading.drawn },
    decide: reading.before(() => {
      decide(form, drafts);
    }),
    answerTogether: reading.before(families.acts.answerTogether),

    acceptChanges(path?: string): void {
      const view = drafts.question();
      if (!view) return;
      const what = path === undefined ? {} : { path };
      form.acts.attempt({
        ...{ target: view, lacking: undefined },
        make: (marks) => ({ type: 'acceptChanges', ...marks, ...what }),
      });
    },

    copyLink(): void {
      host.post({ type: 'copyLink', key: keeping.viewKey() });
      copied.show('link');
    },
    copyDraft(text: string): void {
      host.post({ type: 'copyText', text });
      copied.show('draft');
    },

    dispatch(one: Unsigned): void {
      selecting = one.type === 'select';
      host.post(one);
    },
  };
}

/** Nobody signs what they have not seen: what the button does until all that decides has been on the screen. */
function createReading(
  { core, page, keeping }: QuestionCore,
  { draftOf }: Drafts,
  { host, changed, watch }: Pick<PageOptions, 'host' | 'changed' | 'watch'>,
) {
  const seen = watch(() => {
    // The button now does something else.
    core.unsettle();
    changed();
  });
  function mustRead(): boolean {
    const view = core.snapshot()?.view;
    if (view?.type === 'together')
      return view.locked === undefined && view.inBrowser === undefined && !seen.isComplete();
    return view?.type === 'question' && settles(view, draftOf(view).panel) && !seen.isComplete();
  }
  return {
    mustRead,
    drawn(): void {
      const view = core.snapshot()?.view;
      const isWatched = view?.type === 'question' || view?.type === 'together';
      seen.drawn(isWatched ? [view.key, view.shown].join('\n') : '');
    },
    /** Reads on instead of the act: a tab has all of it, further down; the view opens one. */
    before: (act: () => void) => (): void => {
      if (!mustRead()) act();
      else if (page.inTab()) seen.readOn();
      else host.post({ type: 'openTab', key: keeping.viewKey() });
    },
  };
}

/** The acts of the forms other than a question's. */
function createFamilies({ core, acts, keeping, copied, page }: QuestionCore, post: (message: Unsigned) => void) {
  const shown =
    <Type extends AnswerSnapshot['type']>(...types: Type[]) =>
    () => {
      const view = core.snapshot()?.view;
      return view && types.some((type) => type === view.type)
        ? (view as Extract<AnswerSnapshot, { type: Type }>)
        : undefined;
    };
  const maxText = page.reasonLimit;
  const recovery = createRecoveryActs({ acts, view: shown('recovery') });
  const policy = createPolicyActs({ acts, view: shown('policy') });
  const requests = { acts, view: shown('request', 'ask', 'appoint'), maxText };
  const keys = createKeyActs({
    acts,
    view: shown('keys', 'enrol'),
    dispatch: post,
    copyKey: () => {
      post({ type: 'copyPublicKey', key: keeping.viewKey() });
      copied.show('key');
    },
  });
  return {
    /** After an act: discards the input. */
    reset: (): void => {
      recovery.reset();
      keys.reset();
    },
    moved: (): void => {
      recovery.reset();
      keys.reset();
    },
    acts: {
      ...recovery.acts,
      ...policy.acts,
      ...keys.acts,
      ...createTeamActs({ acts, view: shown('share', 'leave') }),
      ...createAssumptionsActs({ acts, view: shown('assumptions') }),
      ...createTogetherActs({
        ...{ acts, view: shown('together'), nameFor: page.nameFor },
        maxText: () => core.snapshot()?.limits.answer ?? 0,
      }),
      ...createWorkspaceActs({ acts, view: shown('releaseAll', 'work'), maxText }),
      ...createRequestActs(requests),
      ...createAskActs(requests),
    },
  };
}

type Drafts = ReturnType<typeof createDrafts>;

/** The form's button: sends, shows what is missing, or asks for confirmation. */
function decide({ core, acts, steps, page }: QuestionCore, { question, draftOf }: Drafts): void {
  const [view, snapshot] = [question(), core.snapshot()];
  if (!view || !snapshot) return;
  const draft = draftOf(view);
  if (!isPossible(view, draft.panel)) return;
  const name = page.nameFor(view.answersAs.name);
  acts.attempt({
    ...{ target: view, name, twice: hasSecondStep(view, draft) },
    lacking: missing({ view, draft, limits: snapshot.limits, name }),
    make: ({ act }) => message({ view, draft, act, name, confirmed: steps.step() === 'confirm' }),
  });
}

/** Returns from another act to the answer. */
function closePanel({ core }: QuestionCore, { question, draftOf, acts }: Drafts): boolean {
  const view = question();
  if (!view || core.flight(view.key)) return false;
  const { panel } = draftOf(view);
  if (panel === 'answer') return false;
  if (view.resolution.type !== 'pending' && !isAfterPanel(panel) && !isHoldPanel(panel)) return false;
  core.notices.focusOn('form');
  acts.edit({ panel: 'answer' });
  return true;
}

function waiting({ view }: Snapshot): number {
  return view.type === 'question' ? (view.position?.of ?? 0) : 0;
}
