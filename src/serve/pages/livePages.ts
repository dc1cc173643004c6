/** The pages of all browsers: what each shows, and those that are open, by the id that the script of a page chose. */
import { collect, type Closable, inTurn } from '../../ui/kit/timing.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import type { Session } from '../security/sessions.ts';
import { createLivePage, createRedraws, type LivePage, type Wanted, type PageOptions, pathOf } from './livePage.ts';
import { limits } from '../../core/kit/limits.ts';
import { briefingMessage, type BriefingMessage } from '../../ui/briefing/messages.ts';
import {
  currentBriefing,
  seenInBriefing,
  type BriefingSnapshot,
  type BriefingView,
  signInBriefing,
} from '../../ui/briefing/model.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import { inDoubt, notShown, outageOf } from '../../ui/kit/problemWords.ts';
import { type Shown, snapshotHead } from '../../ui/surface/signingSurface.ts';
import { workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { lockedFor, openSigningPage, readsOnly, standingOf, lookFirst, restoreHere } from './reader.ts';
import { dashboardMessage } from '../../ui/dashboard/messages.ts';
import { dashboardView } from '../../ui/dashboard/view.ts';
import { keyOf } from '../kit/folders.ts';
import * as l10n from '@vscode/l10n';
import { isRfcId } from '../../core/waiting/items.ts';
import { isOfBrowsers, questionMessage, type QuestionMessage } from '../../ui/answer/messages.ts';
import { type AnswerSnapshot, type Snapshot, formAbout } from '../../ui/answer/form.ts';
import { nothingModel, waitingQueue } from '../../ui/answer/nothing.ts';
import { dispatch, refusedOutcome } from '../../ui/surface/signedActs.ts';
import { createQueue, undoSecondsOf, type Queue } from '../../ui/answer/queue.ts';
import { createDecisions, type Decidable } from '../../ui/answer/decisions.ts';
import type { RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../ui/rfc/model.ts';
import { carryOut, openReview, type Seen } from '../../ui/rfc/review.ts';

// The review of an RFC in a browser.

/** What the editor alone can do, such as starting a reviewer, does nothing here. */
function openRfcPage(options: PageOptions): Closable {
  const { folders, session, live } = options;
  const review = openReview({
    ...{ folders, key: options.key ?? '', where: 'browser', hasModel: () => false, readsOnly: readsOnly() },
    standing: (workspace) => standingOf(workspace, session),
  });
  return openSigningPage<RfcSnapshot, RfcMessage, Seen>(options, {
    ...review,
    besides: () => ({ limits: review.limits }),
    sign: (means, message, seen) => carryOut({ ...means, seen }, message),
    async receive(message, surface) {
      switch (message.type) {
        case 'restoreHeld':
          await restoreHere(options, message);
          return surface.draw();
        case 'openQuestion':
          live.send({ event: 'go', data: pathOf(keyOf(message.id)) });
          return;
        case 'selectRevision':
        case 'showDiff':
        case 'showImage':
          return dispatch(
            review.requests(() => surface),
            message,
          );
        default:
      }
    },
  });
}

// The form of a question or a request in a browser.

function openQuestionPage(options: PageOptions): Closable {
  const { live, queue, key } = options;
  const go = (to: string) => {
    live.send({ event: 'go', data: to });
  };
  return openSigningPage<Snapshot, QuestionMessage, SeenForm>(options, {
    schema: questionMessage,
    besides: () => ({
      limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
      ...{ tab: true, queue: queue.state() },
    }),
    async current(render) {
      const view = await currentForm(options, render);
      return 'render' in view ? { view, seen: { targets: [view], view } } : { view };
    },
    sign: (means, message, { view }) =>
      isOfBrowsers(message)
        ? createDecisions(means)(message, view)
        : Promise.resolve(refusedOutcome(message.act, 'invalid', l10n.t('This is done in the editor.'))),
    // The passkey has signed it by now: until its time is over, undoing drops the signature.
    make: (message, { view }, { sign, record }) => queue.sign(message, view, { check: sign, decide: record }),
    receive(message, surface) {
      if (message.type === 'select') go(pathOf(message.key));
      if (message.type === 'back') go('/');
      if (message.type === 'undo') {
        const undone = queue.undo(message.held);
        if (undone === undefined || undone === key) return surface.draw();
        go(pathOf(undone));
      }
      if (message.type === 'restoreHeld') return restoreHere(options, message);
    },
  });
}

interface SeenForm extends Shown {
  readonly view: Decidable;
}

/** Of other keys, a browser shows nothing. */
async function currentForm({ folders, session, key }: PageOptions, render: string): Promise<AnswerSnapshot> {
  const [folder] = folders.all;
  if (!folder) throw new Error('no folder');
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const queue = await waitingQueue(folders);
  const id = folders.find(key ?? queue.find((one) => !isRfcId(one.id))?.key ?? '')?.id;
  const show = (of: string | undefined) =>
    of === undefined
      ? null
      : formAbout(
          {
            ...{
              folders,
              where: 'browser',
              rootsOf: () => [],
              pasted: '',
              phone: () => Promise.resolve(null),
              readsOnly: readsOnly(),
            },
            standing: (workspace) => standingOf(workspace, session),
            keys: { strangers: () => Promise.resolve(new Set<string>()), own: () => Promise.resolve(null) },
            look: lookFirst,
          },
          { folder, id: of, queue, render },
        );
  const wide = workspaceForm(id ?? '');
  // Once none is left to answer with it: the result of this one.
  const alone = wide?.kind === 'together' ? wide.about : undefined;
  return (await show(id)) ?? (await show(alone)) ?? nothingModel(folders, queue);
}

// The dashboard in a browser. It opens forms; it decides nothing.

function openDashboardPage({ folders, live, redraws }: PageOptions): Closable {
  const all = collect();
  const [folder] = folders.all;
  if (!folder) return all;
  const place = { folders: [], folder: keyOf('folder'), dismisses: false };
  const draw = inTurn(async () => {
    const view = await dashboardView(folder, place).catch(notShown);
    await live.page.webview.postMessage({ ...snapshotHead(), ...outageOf(folders), view });
  });
  all.add(
    live.page.webview.onDidReceiveMessage((raw: unknown) => {
      const message = dashboardMessage.safeParse(raw).data;
      if (message?.type === 'work') live.send({ event: 'go', data: pathOf(keyOf(`work/${message.id}`)) });
      if (message?.type === 'open') live.send({ event: 'go', data: pathOf(keyOf(message.id)) });
      if (message?.type === 'ready') void draw();
    }),
  );
  all.add(
    redraws.event(() => {
      if (live.isOpen()) void draw();
    }),
  );
  return all;
}

// The briefing of the whole project in a browser.

function openBriefingPage(options: PageOptions): Closable {
  const { live } = options;
  return openSigningPage<BriefingSnapshot, BriefingMessage, Shown>(options, {
    schema: briefingMessage,
    besides: () => ({ limits: { text: limits.otherText, scopes: limits.listItems } }),
    async current(render) {
      const view = await briefingNow(options, render);
      return 'render' in view ? { view, seen: seenInBriefing(view) } : { view };
    },
    sign: (means, message) => signInBriefing(means.folders, means.keys, message),
    receive(message) {
      if (message.type === 'openForm') live.send({ event: 'go', data: pathOf(message.key) });
    },
  });
}

async function briefingNow({ folders, session }: PageOptions, render: string): Promise<BriefingView | UnavailableView> {
  const [folder] = folders.all;
  if (!folder) throw new Error('no folder');
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const standing = standingOf(folder.workspace, session);
  return currentBriefing({
    ...{ folders, folder, standing, render, note: undefined, focus: null, pinned: false },
    locked: (readOnly) => lockedFor(standing, readOnly),
  });
}

/** How long a page without a stream is kept, for a browser that is offline. */
const keptMs = 5 * 60_000;
const ofSessionAtMost = 40;
const atMost = 500;

interface Known {
  readonly live: LivePage;
  readonly session: Session;
  readonly surface: Closable;
  readonly timer: { current: NodeJS.Timeout | undefined };
}

export type LivePages = ReturnType<typeof createLivePages>;

export function createLivePages(folders: Folders) {
  const known = new Map<string, Known>();
  /** By session: a person goes from page to page while a decision can be undone. */
  const queues = new Map<string, Queue>();
  const all = collect();
  const redraws = all.add(createRedraws());
  all.add(folders.onDidChange(redraws.soon));

  function close(id: string): void {
    const page = known.get(id);
    if (!page) return;
    known.delete(id);
    // Its delayed decisions are sent all the same.
    if (![...known.values()].some(({ session }) => session.id === page.session.id)) queues.delete(page.session.id);
    clearTimeout(page.timer.current);
    page.surface.dispose();
    page.live.close();
  }

  function queueOf({ id }: Session): Queue {
    const queue =
      queues.get(id) ??
      createQueue({
        selection: { key: () => null, select: () => undefined },
        undoSeconds: (key) => undoSecondsOf(folders, key),
        changed: redraws.soon,
      });
    queues.set(id, queue);
    return queue;
  }

  function hasRoom(session: Session): boolean {
    const own = [...known.values()].filter((one) => one.session.id === session.id).length;
    return known.size < atMost && own < ofSessionAtMost;
  }

  /** Ends a page that was left, the oldest first: a person goes from page to page without end. */
  function makeRoom(session: Session): boolean {
    if (hasRoom(session)) return true;
    const left = [...known].filter(([, { live }]) => !live.isOpen());
    const [id] = left.find(([, page]) => page.session.id === session.id) ?? left[0] ?? [];
    if (id !== undefined) close(id);
    return hasRoom(session);
  }

  const find = (id: string, session: Session) => {
    const page = known.get(id);
    return page?.session.id === session.id ? page : null;
  };

  return {
    /** The page of this id, opened if it is new; null if it is another session's or there are too many. */
    open(id: string, session: Session, { surface, key }: Wanted): LivePage | null {
      const before = find(id, session);
      if (before) {
        clearTimeout(before.timer.current);
        return before.live;
      }
      if (known.has(id) || !makeRoom(session)) return null;
      const live = createLivePage();
      const opened = openSurface(surface, { folders, live, session, redraws, key, queue: queueOf(session) });
      known.set(id, { live, session, surface: opened, timer: { current: undefined } });
      return live;
    },
    find: (id: string, session: Session): LivePage | null => find(id, session)?.live ?? null,
    left(id: string): void {
      const page = known.get(id);
      if (!page || page.live.isOpen()) return;
      clearTimeout(page.timer.current);
      page.timer.current = setTimeout(() => {
        if (!page.live.isOpen()) close(id);
      }, keptMs).unref();
    },
    endOf(session: Session): void {
      for (const [id, page] of known) if (page.session.id === session.id) close(id);
    },
    dispose(): void {
      for (const queue of queues.values()) queue.drop();
      for (const id of [...known.keys()]) close(id);
      all.dispose();
    },
  };
}

// The surfaces that a browser can show.

const surfaces: Readonly<Record<Wanted['surface'], (options: PageOptions) => Closable>> = {
  question: openQuestionPage,
  rfc: openRfcPage,
  memory: openBriefingPage,
  dashboard: openDashboardPage,
};

export function openSurface(surface: Wanted['surface'], options: PageOptions): Closable {
  return surfaces[surface](options);
}
