/** Held files that have changed: which, when and during which call, and what to do about it. Agents named the paths. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/protocol/question/question.ts';
import { link } from '../shared/buttons.ts';
import { few } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';

type Changes = NonNullable<QuestionForm['changes']>;
type Changed = Changes['files'][number];

export function heldChanges(page: Page, { key, changes }: QuestionForm): TemplateResult | typeof nothing {
  if (!changes) return nothing;
  const { files, lost, here } = changes;
  const { items, more } = few(page, 'changes', files);
  const isMany = files.length > 1 || lost;
  return html`<section class="held-changes notice notice-warning" data-part="changes" aria-label=${t('changes.title')}>
    ${icon('warning')}
    <div class="notice-body">
      <p><strong>${t('changes.title')}</strong></p>
      ${lost ? html`<p>${t('changes.lost')}</p>` : nothing}
      <ul class="changed-files">
        ${items.map((file) => html`<li>${changedFile(page, key, file, here)}</li>`)}
        ${more === nothing ? nothing : html`<li>${more}</li>`}
      </ul>
      ${here && isMany ? html`<p>${link(t('changes.acceptAll'), () => page.acceptChanges(), { act: 'accept-changes' })}</p>` : nothing}
      <p class="quiet small">${t('changes.effect')} ${here ? nothing : t('changes.inEditor')}</p>
    </div>
  </section>`;
}

function changedFile(page: Page, key: string, { path, how, at, call, same }: Changed, here: boolean): TemplateResult {
  const named = { path: visibleText(path) };
  const time = timeTag(at, ago(at));
  const when =
    call === undefined
      ? th('changes.outside', { time })
      : th('changes.by', { time, call: html`<code dir="ltr">${visible(call)}</code>` });
  const marks = [how === 'changed' ? '' : t(`changes.${how}`), same ? t('changes.same') : ''].filter(Boolean);
  return html`<code dir="ltr">${visible(path)}</code
    >${marks.length === 0 ? nothing : html` <span class="quiet">(${marks.join(', ')})</span>`}
    <p class="quiet small">${when}</p>
    ${
      here
        ? html`<p class="changed-acts">
            ${link(t('changes.compare'), () => page.dispatch({ type: 'compareHeld', key, path }), { act: 'compare-held', label: t('changes.compareLabel', named) })}
            ${same ? nothing : link(t(how === 'added' ? 'changes.delete' : 'changes.restore'), () => page.dispatch({ type: 'restoreHeld', key, path }), { act: 'restore-held', label: t(how === 'added' ? 'changes.deleteLabel' : 'changes.restoreLabel', named) })}
            ${link(t('changes.accept'), () => page.acceptChanges(path), { act: 'accept-change', label: t('changes.acceptLabel', named) })}
          </p>`
        : nothing
    }`;
}
