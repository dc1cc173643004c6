/** Moves a shared journal back to this machine: what stays, what stops, and a confirmation. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { LeaveView } from '../../src/protocol/team/forms.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { t, th } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { inTwoSteps, wideTitle } from '../shared/wide.ts';
import type { TeamPage as Page } from './acts.ts';

export function leaveForm(page: Page, view: LeaveView): TemplateResult {
  return html`<article class="plain team">
    ${wideTitle('link', t('leave.title'), view.folder)}
    <p>${th('leave.about', { name: html`<strong><bdi>${visible(view.shared)}</bdi></strong>` })}</p>
    <h2 class="plain-head">${t('leave.stays')}</h2>
    <ul class="list">
      <li>${t('leave.staysHere')}</li>
      <li>${t('leave.staysServer')}</li>
    </ul>
    <h2 class="plain-head">${t('leave.stops')}</h2>
    <ul class="list">
      <li>${t('leave.stopsHere')}</li>
      <li>${t('leave.stopsAgain')}</li>
    </ul>
    ${formOf(
      page,
      html`${refusal(page)}
      ${inTwoSteps(page, view, {
        ask: t('leave.ask'),
        content: html`<p>${t('leave.stopsAgain')}</p>`,
        yes: t('leave.yes'),
        send: t('leave.send'),
        act: page.leaveTeam,
      })}`,
      { act: page.leaveTeam },
    )}
  </article>`;
}
