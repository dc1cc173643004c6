/** A bar above the page while the server of a shared workspace does not answer: since when, and what still works. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { Outage } from '../../src/ui/kit/view.ts';
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

const unknown = (time: string): Record<NonNullable<Outage['why']>, string> => ({
  lease: t('UNKNOWN: your team’s server has not answered since {time}.', { time }),
  never: t('UNKNOWN: your team’s server has not confirmed this machine’s copy yet.'),
  clock: t('UNKNOWN: a clock of this machine was set back since the server answered at {time}.', { time }),
  forked: t('UNKNOWN: your team’s server has other records than this machine’s copy. Ask its administrator.'),
});

function bar({ state, since, why, folder }: Outage): TemplateResult {
  const time = since === undefined ? '' : clockTime(since);
  const what =
    state === 'offline'
      ? t('Offline since {time}: your team’s server does not answer.', { time })
      : unknown(time)[why ?? 'never'];
  const sign = state === 'offline' ? 'warning' : 'error';
  const where = folder === undefined ? nothing : html`${visible(folder)}: `;
  const agents =
    state === 'offline'
      ? t('Held work stays held. Agents continue with other work as long as your policy allows.')
      : t('Agents are paused until then.');
  const words = html`<strong>${where}${what}</strong> ${agents}
    ${t('You can read everything. Agents cannot ask, and you cannot decide, until the server answers.')}`;
  return notice(sign, sign, words, 'status');
}
