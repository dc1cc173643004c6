/** Moves a shared journal back to this machine: what stays, what stops, and a confirmation. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { LeaveView } from '../../src/ui/answer/view.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { t, th } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { inTwoSteps, wideTitle } from '../shared/wide.ts';
import type { TeamPage as Page } from './acts.ts';

export function leaveForm(page: Page, view: LeaveView): TemplateResult {
  return html`<article class="plain team">
    ${wideTitle('link', t('Leave the team'), view.folder)}
    <p>
      ${th('The journal of {name} moves back to this machine, with everything in it.', { name: html`<strong><bdi>${visible(view.shared)}</bdi></strong>` })}
    </p>
    <h2 class="plain-head">${t('What stays')}</h2>
    <ul class="list">
      <li>${t('All questions, answers and holds stay here. Trusted keys stay trusted.')}</li>
      <li>${t('The server and your teammates keep their journal. They are not notified.')}</li>
    </ul>
    <h2 class="plain-head">${t('What stops')}</h2>
    <ul class="list">
      <li>${t('New questions and answers of the team do not arrive here, and yours do not arrive there.')}</li>
      <li>${t('To come back, join in another clone: two journals cannot be merged.')}</li>
    </ul>
    ${formOf(
      page,
      html`${refusal(page)}
      ${inTwoSteps(page, view, {
        ask: t('Leave the team with this folder?'),
        content: html`<p>${t('To come back, join in another clone: two journals cannot be merged.')}</p>`,
        yes: t('Yes, leave'),
        send: t('Leave'),
        act: page.leaveTeam,
      })}`,
      { act: page.leaveTeam },
    )}
  </article>`;
}
