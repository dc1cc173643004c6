/** A bar above the page while the server of a shared workspace does not answer: since when, and what still works. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { Outage } from '../../src/protocol/kit/shared.ts';
import { notice } from './buttons.ts';
import { t } from './strings.ts';
import { clockTime } from './time.ts';
import { visible } from './visible.ts';

export function createOutageBar(): { readonly element: HTMLElement; show(outage: Outage | undefined): void } {
  const element = document.createElement('div');
  return {
    element,
    show(outage) {
      element.className = outage ? 'outage' : '';
      render(outage ? bar(outage) : nothing, element);
    },
  };
}

function bar({ state, since, why, folder }: Outage): TemplateResult {
  const time = since === undefined ? '' : clockTime(since);
  const what = state === 'offline' ? t('outage.offline', { time }) : t(`outage.${why ?? 'never'}`, { time });
  const sign = state === 'offline' ? 'warning' : 'error';
  const where = folder === undefined ? nothing : html`${visible(folder)}: `;
  const agents = state === 'offline' ? t('outage.agentsGoOn') : t('outage.agentsWait');
  const words = html`<strong>${where}${what}</strong> ${agents} ${t('outage.works')}`;
  return notice(sign, sign, words, 'status');
}
