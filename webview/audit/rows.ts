/** The acts, latest first: who, what, when, and whether each verifies. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { link } from '../shared/buttons.ts';
import type { AuditRow, AuditView } from '../../src/ui/dashboard/audit.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { fill, t } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { didWords } from './did.ts';
import type { Page } from './page.ts';

const marks: Record<AuditRow['mark'], { readonly icon: IconName; readonly words: string }> = {
  verified: { icon: 'pass', words: t('verified') },
  forged: { icon: 'error', words: t('not verified') },
  refused: { icon: 'circle-slash', words: t('refused') },
  unsigned: { icon: 'circle-outline', words: t('needs no signature') },
};

/** Shows the next page of a long list. */
const step = 200;

export function rows(page: Page, view: AuditView): TemplateResult {
  if (view.matching === 0 && view.checked < 100) return html``;
  if (view.acts === 0)
    return empty(t('No decisions yet.'), t('Signed decisions appear here, along with any forged ones.'));
  if (view.matching === 0) {
    const none = view.decisions === 0 && view.filter.scope === 'decisions' && view.filter.text === '';
    return none
      ? empty(t('No decisions yet.'), t('Signed decisions appear here, along with any forged ones.'))
      : empty(t('No matches.'));
  }
  const left = view.matching - view.rows.length;
  return html`<ol class="acts">
      ${repeat(
        view.rows,
        ({ at, index }) => `${String(at)}/${String(index)}`,
        (row) => act(page, row),
      )}
    </ol>
    ${
      left > 0
        ? html`<p>
            ${link(t('Show {n} more', { n: Math.min(left, step) }), () => page.dispatch({ type: 'more' }), { act: 'more' })}
          </p>`
        : nothing
    }`;
}

function empty(title: string, more?: string): TemplateResult {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    ${more === undefined ? nothing : html`<p class="quiet">${more}</p>`}
  </div>`;
}

function act(page: Page, row: AuditRow): TemplateResult {
  const { mark, time, who, subject, said, why, work, key } = row;
  const others = work.filter((id) => id !== subject);
  return html`<li class="act" data-mark=${mark}>
    <p class="act-mark facts">
      <span>${icon(marks[mark].icon)}${marks[mark].words}</span>
      <span class="quiet">${timeTag(time, ago(time))}</span>
      ${
        key === undefined
          ? nothing
          : html`<span class="quiet" title=${t('Key {key}', { key: visibleText(key) })}
              ><code>${visible(key)}</code></span
            >`
      }
      ${row.keyOf === undefined ? nothing : html`<span>${t('with the key of {name}', { name: visibleText(row.keyOf) })}</span>`}
      ${row.passkey ? html`<span class="quiet">${t('Signed with a passkey, verified by PIN or fingerprint')}</span>` : nothing}
    </p>
    <p class="act-what">
      ${did(row.kind, {
        who: html`<bdi class="act-who">${visible(who)}</bdi>${
            row.unsigned ? html` <span class="quiet">(${t('not signed')})</span>` : nothing
          }`,
        item: subjectOf(page, row),
      })}${said === undefined ? nothing : html`: <bdi class="act-said">${visible(said)}</bdi>`}
    </p>
    ${why === undefined ? nothing : html`<p class="act-why">${t('Why not: {why}', { why: visibleText(why) })}</p>`}
    ${
      others.length === 0
        ? nothing
        : html`<p class="quiet">
            ${t('Concerns')} ${others.map((id, index) => [index === 0 ? '' : ', ', only(page, id)])}
          </p>`
    }
  </li>`;
}

/** The sentence of a known kind of record; an unknown kind is shown by name. */
function did(kind: string, parts: { readonly who: TemplateResult; readonly item: TemplateResult }): TemplateResult {
  return Object.hasOwn(didWords, kind)
    ? fill(didWords[kind as keyof typeof didWords], parts)
    : html`${parts.who} <code>${visible(kind)}</code> ${parts.item}`;
}

function subjectOf(page: Page, { subject, open }: AuditRow): TemplateResult {
  return html`${only(page, subject)}${
    open === undefined
      ? nothing
      : html` <button
          type="button"
          class="icon-button"
          data-act="open"
          title=${t('Open {id}', { id: visibleText(subject) })}
          aria-label=${t('Open {id}', { id: visibleText(subject) })}
          @click=${() => {
            page.dispatch({ type: 'open', key: open });
          }}
        >
          ${icon('link')}
        </button>`
  }`;
}

/** An item's id: a click filters by it. */
function only(page: Page, id: string): TemplateResult {
  return link(html`<bdi>${visible(id)}</bdi>`, () => page.only(id), {
    act: 'only',
    title: t('Only {id}', { id: visibleText(id) }),
  });
}

/** The number of matches, for the live region. */
export function matching({ matching: n }: AuditView): string {
  return t('{n} found', { n });
}
