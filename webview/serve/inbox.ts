/** The list of waiting items: the rows of the editor's tree, as links. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { InboxRow, InboxSnapshot } from '../../src/ui/kit/view.ts';
import { icon, isIcon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';

export function inboxList({ count, groups, working, name }: InboxSnapshot, path: string): TemplateResult {
  return html`<h1 id="inbox">
      ${t('Waiting for you')} ${count === 0 ? nothing : html`<span class="browser-count">${count}</span>`}
      <span class="quiet small">${name}</span>
    </h1>
    ${count === 0 ? html`<p class="quiet">${t('Nothing is waiting for you.')} ${working ?? nothing}</p>` : nothing}
    ${groups.map(
      ({ label, rows }) => html`
        ${label === '' ? nothing : html`<h2>${label}</h2>`}
        <ul aria-label=${label === '' ? t('Waiting for you') : label}>
          ${rows.map((row) => html`<li>${rowLink(row, path)}</li>`)}
        </ul>
      `,
    )}`;
}

function rowLink({ path, label, description, spoken, icon: name, tone }: InboxRow, current: string): TemplateResult {
  return html`<a href=${path} aria-current=${path === current ? 'page' : nothing} aria-label=${spoken}>
    ${icon(isIcon(name) ? name : 'comment', `tone-${tone}`)}
    <span class="browser-row-text"
      ><span class="browser-row-label">${label}</span> <span class="quiet small">${description}</span></span
    >
  </a>`;
}
