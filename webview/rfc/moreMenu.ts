/** Rare acts, behind one button of the bar. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { link } from '../shared/buttons.ts';
import { holdPanels, holdWords } from '../shared/heldFiles.ts';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { notLatest } from './acts.ts';
import type { Page } from './page.ts';
import type { Panel } from './saved.ts';

/** The browser closes it on Escape and on a click elsewhere. */
export function moreMenu(page: Page, view: RfcView): TemplateResult {
  const { key, may, locked } = view;
  const decides = !locked && notLatest(view).length === 0;
  const hold = decides ? holdPanels.find((one) => may[one]) : undefined;
  const opener = (panel: Panel, words: string) => item(words, () => page.openPanel(panel), `open-${panel}`);
  return html`<button
      type="button"
      class="more-button"
      popovertarget="more-menu"
      data-act="more"
      data-focus="more"
      title=${t('More actions')}
      aria-label=${t('More actions')}
    >
      ${icon('ellipsis')}
    </button>
    <div class="more-menu" id="more-menu" popover>
      ${hold === undefined ? nothing : opener(hold, holdWords[hold].open)}
      ${may.withdraw && decides ? opener('withdraw', t('{label}…', { label: t('Withdraw') })) : nothing}
      ${item(t('Open as document'), () => page.dispatch({ type: 'openDocument', key }), 'document')}
    </div>`;
}

function item(words: string, act: () => void, name: string): TemplateResult {
  const click = () => {
    document.querySelector<HTMLElement>('#more-menu')?.hidePopover();
    act();
  };
  return link(words, click, { kind: 'more-item', act: name });
}
