/** Held files that have changed: which, when and during which call, and what to do about it. Agents named the paths. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { HeldChangesView } from '../../src/ui/kit/view.ts';
import type { HeldFileMessage } from '../../src/ui/answer/messages.ts';
import { link } from './buttons.ts';
import { few } from './folding.ts';
import type { Folds } from './formPage.ts';
import { icon } from './icons.ts';
import { t, th } from './strings.ts';
import { ago, timeTag } from './time.ts';
import { visible, visibleText } from './visible.ts';

type Changed = HeldChangesView['files'][number];

export interface ChangesPage extends Folds {
  readonly dispatch: (message: HeldFileMessage) => void;
  /** All that are shown, without a path. */
  readonly acceptChanges: (path?: string) => void;
}

/** That there are some, above the form; what to do about them is below it, so that no key that answers meets it. */
export function changesLine({
  changes,
}: {
  readonly changes?: HeldChangesView | undefined;
}): TemplateResult | typeof nothing {
  if (!changes) return nothing;
  const [first] = changes.files;
  return html`<p class="changes-line">
    ${icon('warning', 'warning')}<span
      >${
        first === undefined
          ? t('Held files changed')
          : changes.files.length === 1
            ? th('{path} changed while it was held: see below.', { path: code(first.path) })
            : th('{n} held files changed, {path} among them: see below.', {
                path: code(first.path),
                n: changes.files.length,
              })
      }</span
    >
  </p>`;
}

function code(path: string): TemplateResult {
  return html`<code dir="ltr">${visible(path)}</code>`;
}

/** @param more below the list, such as why an act was refused */
export function heldChanges(
  page: ChangesPage,
  { key, changes }: { readonly key: string; readonly changes?: HeldChangesView | undefined },
  more: unknown = nothing,
): TemplateResult | typeof nothing {
  if (!changes) return nothing;
  const { files, lost, here } = changes;
  const { items, more: others } = few(page, 'changes', files);
  const isMany = files.length > 1 || lost;
  return html`<section
    class="held-changes notice notice-warning"
    data-part="changes"
    aria-label=${t('Held files changed')}
  >
    ${icon('warning')}
    <div class="notice-body">
      <p><strong>${t('Held files changed')}</strong></p>
      ${lost ? html`<p>${t('Holdpoint can’t tell which held files changed: the baseline is missing or was changed, or too many files differ.')}</p>` : nothing}
      <ul class="changed-files">
        ${items.map((file) => html`<li>${changedFile(page, { key, changes, file })}</li>`)}
        ${others === nothing ? nothing : html`<li>${others}</li>`}
      </ul>
      ${here && isMany ? html`<p>${link(t('Accept all changes'), () => page.acceptChanges(), { act: 'accept-changes' })}</p>` : nothing}
      <p class="quiet small">
        ${t('Commits that contain these changes are denied until you restore or accept them.')}
        ${here ? t('A copy of what you restore or delete is kept in .holdpoint/replaced.') : t('Restore or accept them in the editor.')}
      </p>
      ${more}
    </div>
  </section>`;
}

interface Row {
  readonly key: string;
  readonly changes: HeldChangesView;
  readonly file: Changed;
}

function changedFile(page: ChangesPage, { key, changes, file }: Row): TemplateResult {
  const { path, how, at, call, same, elsewhere = false } = file;
  const { here, compare } = changes;
  const named = { path: visibleText(path) };
  const time = timeTag(at, ago(at));
  const when =
    call === undefined
      ? th('Changed outside of any call that Holdpoint saw, {time}', { time })
      : th('Changed during {call}, {time}', { time, call: html`<code dir="ltr">${visible(call)}</code>` });
  const marks = [
    how === 'changed' ? '' : how === 'added' ? t('new') : t('deleted'),
    same ? t('restored') : '',
    elsewhere ? t('on another machine') : '',
  ].filter(Boolean);
  return html`<code dir="ltr">${visible(path)}</code
    >${marks.length === 0 ? nothing : html` <span class="quiet">(${marks.join(', ')})</span>`}
    <p class="quiet small">${when}</p>
    ${
      here
        ? html`<p class="changed-acts">
            ${compare && !elsewhere ? link(t('Compare'), () => page.dispatch({ type: 'compareHeld', key, path }), { act: 'compare-held', label: t('Compare {path}', named) }) : nothing}
            ${same || elsewhere ? nothing : link(how === 'added' ? t('Delete') : t('Restore'), () => page.dispatch({ type: 'restoreHeld', key, path }), { act: 'restore-held', label: how === 'added' ? t('Delete {path}', named) : t('Restore {path}', named) })}
            ${link(t('Accept the change'), () => page.acceptChanges(path), { act: 'accept-change', label: t('Accept the change of {path}', named) })}
          </p>`
        : nothing
    }`;
}
