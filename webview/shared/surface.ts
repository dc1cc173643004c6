/** What every surface does to run: one root, drawn at most once a turn, and again as relative times move on. */
import { setLanguage } from './strings.ts';
import { setClock } from './time.ts';
import { registerToolkit } from './toolkit.ts';

/** All that is read of a snapshot here. */
interface AnySnapshot {
  readonly type: 'snapshot';
  readonly now: string;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
}

export interface SurfaceOptions<Snapshot, Page> {
  /** Makes the page's state; `changed` asks for a drawing. */
  readonly open: (changed: () => void) => Page;
  readonly receive: (page: Page, snapshot: Snapshot) => void;
  readonly draw: (page: Page, root: HTMLElement) => void;
}

/** Relative times move on by themselves. */
const tickMs = 20_000;

export function startSurface<Snapshot extends AnySnapshot, Page>(options: SurfaceOptions<Snapshot, Page>): Page {
  const { open, receive, draw } = options;
  registerToolkit();
  const root = document.createElement('div');
  root.className = 'page';
  document.body.append(root);
  let drawing = false;
  const page = open(() => {
    if (drawing) return;
    drawing = true;
    queueMicrotask(() => {
      drawing = false;
      draw(page, root);
    });
  });
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const snapshot = event.data as Snapshot | null;
    if (snapshot?.type !== 'snapshot') return;
    setLanguage(snapshot.locale, snapshot.strings);
    setClock(snapshot.now);
    receive(page, snapshot);
  });
  setInterval(() => {
    draw(page, root);
  }, tickMs);
  return page;
}
