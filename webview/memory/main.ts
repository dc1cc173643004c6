/** The view "Briefing": connects the host, the state and the drawing. */
import { html, render } from 'lit';
import type { BriefingMessage } from '../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot } from '../../src/ui/briefing/model.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import '../shared/form.css';
import '../shared/markdown.css';
import { onceFocused } from '../shared/focusing.ts';
import { t } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { unavailable } from '../shared/unavailable.ts';
import { connect } from '../shared/vscode.ts';
import './briefing.css';
import { briefing } from './briefing.ts';
import { createPage } from './page.ts';
import type { Page } from './page.ts';
import { parseSaved } from './saved.ts';
import type { Saved } from './saved.ts';

/** Updates in place: expanded parts and the scroll position stay. */
function draw(page: Page, root: HTMLElement): void {
  const snapshot = page.snapshot();
  if (!snapshot) return;
  const { view } = snapshot;
  const had = root.contains(document.activeElement) && document.activeElement !== root;
  render(
    html`
      <div class="sr-only" role="status">${page.spoken()}</div>
      <main aria-label=${t('Briefing')} data-view=${view.type} data-ready=${page.ready() ? 'true' : 'false'}>
        ${view.type === 'briefing' ? briefing(page, view) : unavailable(page, view)}
      </main>
    `,
    root,
  );
  const lost = had && !root.contains(document.activeElement);
  const place = page.takeFocus() ?? (lost ? 'top' : undefined);
  if (place === undefined) return;
  onceFocused(() => {
    const target = root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(place)}"]`);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
  });
}

const page = startSurface<BriefingSnapshot, Page>({
  open: (changed) =>
    createPage({
      host: connect<BriefingMessage, Saved>(parseSaved),
      newAct: () => crypto.randomUUID(),
      clock: () => performance.now(),
      later: (ms, run) => setTimeout(run, ms),
      changed,
    }),
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw,
});
page.dispatch({ type: 'ready' });
