/** The review of one RFC: connects host, state and rendering. */
import { html, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../src/ui/rfc/model.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import '../shared/form.css';
import '../shared/markdown.css';
import '../shared/people.css';
import { onceFocused } from '../shared/focusing.ts';
import { t } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { unavailable } from '../shared/unavailable.ts';
import { connect } from '../shared/vscode.ts';
import { alignSoon, watchHeights } from './beside.ts';
import { offerComments } from './commentHere.ts';
import { grantFocus } from './focus.ts';
import { createPage } from './page.ts';
import type { Page } from './page.ts';
import { watchReading } from './reading.ts';
import { review } from './review.ts';
import './rfc.css';
import { parseSaved } from './saved.ts';
import type { Saved } from './saved.ts';

const narrow = matchMedia('(max-width: 799px)');

function viewOf(page: Page, { view }: RfcSnapshot): TemplateResult {
  return view.type === 'rfc' ? review(page, view, narrow.matches) : unavailable(page, view);
}

function draw(page: Page, root: HTMLElement): void {
  const snapshot = page.snapshot();
  if (!snapshot) return;
  const had = root.contains(document.activeElement) && document.activeElement !== root;
  render(
    html`
      <div class="sr-only" role="status">${page.spoken()}</div>
      <main
        aria-label=${t('Review of an RFC')}
        data-view=${snapshot.view.type}
        data-ready=${page.ready() ? 'true' : 'false'}
      >
        ${viewOf(page, snapshot)}
      </main>
    `,
    root,
  );
  reading.observe(root);
  watchHeights(root);
  alignSoon();
  keepClear(root.querySelector('.bar'));
  const lost = had && !root.contains(document.activeElement);
  const place = page.takeFocus() ?? (lost ? 'bar' : undefined);
  if (place !== undefined)
    onceFocused(() => {
      grantFocus(root, place);
    });
}

/** Focused elements must not be under the bar. */
const barSize = new ResizeObserver(([entry]) => {
  const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
  document.documentElement.style.setProperty('--bar-height', `${Math.ceil(height)}px`);
});
let watched: Element | null = null;

function keepClear(bar: Element | null): void {
  if (bar === watched) return;
  barSize.disconnect();
  if (bar) barSize.observe(bar);
  watched = bar;
}

let redraw: () => void = () => undefined;
const reading = watchReading(() => redraw());
narrow.addEventListener('change', () => {
  redraw();
});

const page = startSurface<RfcSnapshot, Page>({
  open: (changed) => {
    redraw = changed;
    return createPage({
      host: connect<RfcMessage, Saved>(parseSaved),
      newAct: () => crypto.randomUUID(),
      clock: () => performance.now(),
      later: (ms, run) => setTimeout(run, ms),
      changed,
    });
  },
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw,
});
offerComments({
  isOn: page.mayComment,
  open: (section, quote) => {
    page.commentAbout(section, quote);
  },
});
page.dispatch({ type: 'ready' });
