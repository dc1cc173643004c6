/** The open pages of all browsers, by the id that the page's script chose. */
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import type { Session } from '../security/sessions.ts';
import {
  createLivePage,
  createRedraws,
  createSharedModels,
  type LivePage,
  type Wanted,
  type PageOptions,
} from './livePage.ts';
import { openBriefingPage } from './briefing.ts';
import { openDashboardPage } from './dashboard.ts';
import { openQuestionPage } from './question.ts';
import { openRfcPage } from './rfc.ts';

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
  const all = collect();
  const redraws = all.add(createRedraws());
  const position = () => folders.all[0]?.workspace.position()?.position;
  const models = createSharedModels({ position, clock: () => performance.now() });
  all.add(
    folders.onDidChange(() => {
      models.clear();
      redraws.soon();
    }),
  );

  function close(id: string): void {
    const page = known.get(id);
    if (!page) return;
    known.delete(id);
    clearTimeout(page.timer.current);
    page.surface.dispose();
    page.live.close();
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
      const opened = openSurface(surface, { folders, live, session, models, redraws, key });
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
