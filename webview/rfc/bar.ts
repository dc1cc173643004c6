/** The fixed bar: what the RFC blocks, what is missing, and the decisions. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link, notice } from '../shared/buttons.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import type { WorkRef } from '../../src/ui/kit/view.ts';
import { allFilesLine } from '../shared/heldFiles.ts';
import { browserInBar } from '../shared/inBrowser.ts';
import { t, tn } from '../shared/strings.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { notLatest, whyNotApproved } from './acts.ts';
import { decided } from './decided.ts';
import { missing } from './missing.ts';
import { moreMenu } from './moreMenu.ts';
import type { Page } from './page.ts';
import { panel } from './panels.ts';
import { bar as barPlace } from './places.ts';

export function bar(page: Page, view: RfcView): TemplateResult {
  const { panel: open } = page.draft();
  const shownPanel = open !== 'none' && view.may[open] && !view.locked ? open : undefined;
  return html`<footer class="bar" data-focus=${barPlace} tabindex="-1" aria-label=${t('Decision')}>
    ${arrived(page, view)} ${view.decided ? decided(view, view.decided) : nothing}
    ${view.inBrowser === undefined ? locked(page, view) : browserInBar(page, view.key, view.inBrowser)}
    <div class="bar-row">
      ${shownPanel === undefined ? buttons(page, view) : nothing}
      <div class="bar-facts">${blocks(page, view)} ${heldFiles(view)}</div>
      ${missing(page, view)}
    </div>
    ${shownPanel === undefined ? nothing : panel(page, view, shownPanel)}
  </footer>`;
}

/** A later revision than the displayed one. */
function arrived(page: Page, view: RfcView): TemplateResult | typeof nothing {
  const { key, revision, latest, may } = view;
  if (revision === latest) return nothing;
  return notice(
    'info',
    'history',
    html`${may.approve ? t('Revision {n} is ready. Read it before approving.', { n: latest }) : t('You are reading revision {n}. The latest is {latest}.', { n: revision, latest })}
    ${link(t('Read revision {n}', { n: latest }), () => page.dispatch({ type: 'selectRevision', key, revision: latest }), { act: 'latest' })}`,
    'status',
  );
}

function locked(page: Page, { locked: lock }: RfcView): TemplateResult | typeof nothing {
  if (!lock) return nothing;
  const { action } = lock;
  return notice(
    'info',
    'lock',
    html`<strong>${t('Read-only')}.</strong> ${visible(lock.why)}
      ${
        action === undefined
          ? nothing
          : link(t('Add this editor’s key…'), () => page.dispatch({ type: 'do', action }), { act: 'enrol' })
      }`,
  );
}

/** "Blocks API tokens and 2 dependent items", which expands to names and file patterns. */
function blocks(page: Page, view: RfcView): TemplateResult {
  const { work, cascade, files, all } = view.blocks;
  if (work.length === 0 && cascade.count === 0 && (all !== undefined || files.length === 0))
    return html`<p class="quiet">${t('Blocks no work')}</p>`;
  const open = page.isUnfolded('blocks');
  const named = work.slice(0, few).map(({ title }) => visibleText(title));
  const hidden = work.length - named.length;
  const words = [
    ...(named.length === 0 ? [] : [named.join(', ')]),
    ...(hidden > 0 ? [t('and {n} more', { n: hidden })] : []),
    ...(cascade.count > 0 ? [tn(cascade.count, '{n} dependent item', '{n} dependent items')] : []),
    ...(files.length > 0 && !all ? [tn(files.length, '{n} file pattern', '{n} file patterns')] : []),
  ];
  const holding = view.may.approve || view.may.requestChanges || view.may.reject;
  return html`<p class="bar-fact">
      <span class="quiet">${holding ? t('Blocks') : t('Blocked')}</span>
      ${link(html`<bdi>${words.join(' · ')}</bdi>`, () => page.unfold('blocks', !open), { kind: 'bar-blocks', expanded: open })}
    </p>
    ${open ? blocked(view, cascade.count - cascade.named.length) : nothing}`;
}

/** Shown while a human holds every file. */
function heldFiles({ blocks: { all } }: RfcView): TemplateResult | typeof nothing {
  return all ? html`<p class="bar-fact" data-part="held-files">${allFilesLine(all)}</p>` : nothing;
}

const few = 2;

function blocked({ blocks: { work, cascade, files, all } }: RfcView, unnamed: number): TemplateResult {
  return html`<ul class="list bar-list">
    ${work.map((one) => html`<li>${named(one)}</li>`)}
    ${cascade.named.map((one) => html`<li class="quiet">${named(one)}</li>`)}
    ${unnamed > 0 ? html`<li class="quiet">${t('and {n} more', { n: unnamed })}</li>` : nothing}
    ${all ? nothing : files.map((glob) => html`<li><code dir="ltr">${visible(glob)}</code></li>`)}
  </ul>`;
}

function named({ id, title }: WorkRef): TemplateResult {
  return html`<bdi title=${visibleText(id)}>${visible(title)}</bdi>`;
}

const labels = { approve: t('Approve'), requestChanges: t('Request changes'), reject: t('Reject') } as const;

/** First in the bar: the editor's notifications appear at the other end. */
function buttons(page: Page, view: RfcView): TemplateResult {
  const { may, locked } = view;
  const { pending } = page.draft();
  const [why] = whyNotApproved(view, pending);
  const [old] = notLatest(view);
  return html`<div class="actions bar-actions">
    ${may.approve && !locked ? opener(page, 'approve', true, why) : nothing}
    ${may.requestChanges && !locked ? opener(page, 'requestChanges', false, old) : nothing}
    ${may.reject && !locked ? opener(page, 'reject', false, old) : nothing}
    ${pending.length > 0 && page.mayComment() ? button(tn(pending.length, 'Send {n} comment', 'Send {n} comments'), () => page.sendReview(), { act: 'send-review', once: true }) : nothing}
    ${moreMenu(page, view)}
  </div>`;
}

/** Opens a panel, or explains why the act is unavailable. */
function opener(page: Page, panelName: keyof typeof labels, primary: boolean, why?: string): TemplateResult {
  const click = () => {
    if (why === undefined) page.openPanel(panelName);
    else
      page.explain(
        panelName === 'approve' ? t('You cannot approve yet: {why}', { why: visibleText(why) }) : visibleText(why),
      );
  };
  return button(t('{label}…', { label: labels[panelName] }), click, {
    ...{ primary, off: why !== undefined, act: `open-${panelName}`, focus: `open.${panelName}` },
    title: why === undefined ? undefined : visibleText(why),
  });
}
