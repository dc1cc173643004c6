/** Shown when a view is unavailable: the reason, and an action that helps. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { UnavailableView } from '../../src/ui/kit/view.ts';
import { button } from './buttons.ts';
import { t } from './strings.ts';
import { visible } from './visible.ts';

interface DoesHarmless {
  readonly dispatch: (message: {
    readonly type: 'do';
    readonly action: NonNullable<UnavailableView['action']>;
  }) => void;
}

const helps: Record<NonNullable<UnavailableView['action']>, string> = {
  openFolder: t('Open Folder'),
  manageTrust: t('Manage Workspace Trust'),
  reloadWindow: t('Reload Window'),
};

/** @param more below the action */
export function unavailable(
  page: DoesHarmless,
  view: UnavailableView,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { action } = view;
  return html`<article class="plain">
    <h1 class="plain-title">${visible(view.title)}</h1>
    <p>${visible(view.text)}</p>
    ${
      action === undefined
        ? nothing
        : html`<div class="actions">
            ${button(helps[action], () => page.dispatch({ type: 'do', action }), { wide: true, primary: true, act: action, focus: 'form' })}
          </div>`
    }
    ${more}
  </article>`;
}
