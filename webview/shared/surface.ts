/** Runs a surface: one root, drawn at most once per turn and again as relative times change. */
import type { Outage } from '../../src/ui/kit/view.ts';
import { createOutageBar } from './outage.ts';
import { setClock } from './time.ts';
import { registerToolkit } from './toolkit.ts';

/** The fields of a snapshot that are used here. */
interface AnySnapshot {
  readonly type: 'snapshot';
  readonly now: string;
  readonly outage?: Outage | undefined;
}

export interface SurfaceOptions<Snapshot, Page> {
  /** Creates the page's state; `changed` requests a redraw. */
  readonly open: (changed: () => void) => Page;
  readonly receive: (page: Page, snapshot: Snapshot) => void;
  readonly draw: (page: Page, root: HTMLElement) => void;
}

/** Redraws relative times periodically. */
const tickMs = 20_000;

export function startSurface<Snapshot extends AnySnapshot, Page>(options: SurfaceOptions<Snapshot, Page>): Page {
  const { open, receive, draw } = options;
  registerToolkit();
  const root = document.createElement('div');
  root.className = 'page';
  const outage = createOutageBar();
  document.body.append(outage.element, root);
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
    // Frames in the page, which draw diagrams from agents, are not the host.
    if (event.origin !== window.origin) return;
    const snapshot = event.data as Snapshot | null;
    if (snapshot?.type !== 'snapshot') return;
    setClock(snapshot.now);
    outage.show(snapshot.outage);
    receive(page, snapshot);
  });
  setInterval(() => {
    draw(page, root);
  }, tickMs);
  return page;
}
