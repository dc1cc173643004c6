/** Shares a workspace: what everybody will see, the server and the name, and a confirmation. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ShareView } from '../../src/protocol/team/forms.ts';
import { button, notice } from '../shared/buttons.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { hintFor, inputField, nameField } from '../shared/fields.ts';
import { few } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { locale, t, th, tn } from '../shared/strings.ts';

import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { done, inTwoSteps, isFrozen, leave, wideTitle } from '../shared/wide.ts';
import type { TeamPage as Page } from './acts.ts';

export function shareForm(page: Page, view: ShareView): TemplateResult {
  return html`<article class="plain team">
    ${wideTitle('link', t('share.title'), view.folder)}
    ${
      view.shared
        ? shared(page, view, view.shared)
        : html`<p class="quiet">${t('share.about')}</p>
            ${toShare(page, view)}`
    }
  </article>`;
}

function toShare(page: Page, view: ShareView): TemplateResult {
  const frozen = isFrozen(page, view);
  return html`${
    view.begun === undefined
      ? nothing
      : notice('info', 'history', th('share.begun', { name: html`<strong>${visible(view.begun)}</strong>` }))
  }
  ${contents(view)} ${secrets(page, view)}
  ${formOf(
    page,
    html`${server(page, view, frozen)}
    ${inputField(page, {
      ...{ name: 'called', label: t('share.name'), value: page.sharedName(view), maxLength: 64, isCode: true },
      disabled: frozen || view.begun !== undefined,
      kind: 'appoint-field',
      hint: t('share.nameHint'),
      edit: page.setSharedName,
    })}
    ${root(view)} ${view.answersAs.editable ? nameField(page, view.answersAs.name, frozen) : nothing} ${refusal(page)}
    ${inTwoSteps(page, view, {
      ask: t('share.ask'),
      content: summary(view),
      yes: t('share.yes'),
      send: t('share.send'),
      act: page.share,
    })}`,
    { act: page.share },
  )}`;
}

function row(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function contents(view: ShareView): TemplateResult {
  const { counts, people, oldest } = view;
  const kinds = ['questions', 'rfcs', 'events', 'requests', 'work', 'agents'] as const;
  const numbers = kinds.map((kind) => tn(`share.${kind}`, counts[kind]));
  return html`<h2 class="plain-head">${t(view.shared ? 'share.sees' : 'share.everybody')}</h2>
    <dl class="rows">
      ${row(t('share.project'), html`<bdi>${visible(view.project)}</bdi>`)} ${row(t('share.contents'), listed(numbers))}
      ${row(t('share.size'), size(view.bytes))}
      ${oldest === undefined ? nothing : row(t('share.oldest'), timeTag(oldest, ago(oldest)))}
      ${row(t('share.people'), people.length === 0 ? t('share.noPeople') : html`<bdi>${visible(listed(people))}</bdi>`)}
    </dl>
    <p>${t('share.texts')}</p>
    <p>${t('share.readers')}</p>`;
}

function secrets(page: Page, view: ShareView): TemplateResult {
  if (view.secretCount === 0) return html`<p class="quiet">${t('share.noSecrets')}</p>`;
  const { items, more } = few(page, 'secrets', view.secrets);
  return html`<section class="notice notice-warning" data-note="secrets">
    ${icon('warning')}
    <div class="notice-body">
      <strong>${tn('share.secrets', view.secretCount)}</strong>
      <p>${t('share.secretsMore')}</p>
      <ul class="agents">
        ${items.map(
          ({ item, kind, beginning }) =>
            html`<li>
              <span><bdi>${visible(item)}</bdi> · ${t(`share.secret.${kind}`)}</span>
              <code class="fingerprint" dir="ltr">${visible(beginning)}…</code>
            </li>`,
        )}
        ${more === nothing ? nothing : html`<li>${more}</li>`}
      </ul>
    </div>
  </section>`;
}

function server(page: Page, view: ShareView, frozen: boolean): TemplateResult {
  const connect = (words: string) =>
    frozen
      ? nothing
      : html`<div class="actions">
          ${button(words, () => page.dispatch({ type: 'connectTeam', key: view.key }), { act: 'connect', focus: 'connect' })}
        </div>`;
  return html`<h2 class="plain-head">${t('share.server')}</h2>
    ${
      view.server === undefined || view.agents === undefined
        ? html`<p>${t('share.notConnected')}</p>
            ${hintFor(page, 'connect')} ${connect(t('share.connect'))}`
        : html`<dl class="rows">
              ${row(t('share.address'), html`<bdi>${visible(view.server.host)}</bdi>`)}
              ${row(t('share.you'), html`<bdi>${visible(view.server.login)}</bdi>`)}
              ${row(t('share.agentsLogin'), html`<bdi>${visible(view.agents)}</bdi>`)}
            </dl>
            ${connect(t('share.connectOther'))}`
    }`;
}

function root({ fingerprint }: ShareView): TemplateResult {
  if (fingerprint === undefined) return html`<p class="quiet">${t('share.rootLater')}</p>`;
  return html`<h2 class="plain-head">${t('share.root')}</h2>
    <p><code class="fingerprint" dir="ltr">${visible(fingerprint)}</code></p>
    <p class="quiet small">${t('share.rootMore')}</p>`;
}

function summary(view: ShareView): TemplateResult {
  return html`<p>${t('share.readers')}</p>
    ${members(view)}
    ${view.secretCount === 0 ? nothing : html`<p>${icon('warning', 'warning')}${tn('share.secrets', view.secretCount)}</p>`}`;
}

function members({ server, agents }: ShareView): TemplateResult | typeof nothing {
  if (server === undefined || agents === undefined) return nothing;
  const [host, you, them] = [server.host, server.login, agents].map(
    (text) => html`<strong><bdi>${visible(text)}</bdi></strong>`,
  );
  return html`<p data-note="members">${th('share.members', { host, you, agents: them })}</p>`;
}

function shared(
  page: Page,
  view: ShareView,
  { name, at, by, lines }: NonNullable<ShareView['shared']>,
): TemplateResult {
  return html`${done(page)}
    <h2 class="plain-head">${th('share.shared', { name: html`<bdi>${visible(name)}</bdi>` })}</h2>
    <p class="quiet">${th('share.sharedBy', { who: html`<bdi>${visible(by)}</bdi>`, time: timeTag(at, ago(at)) })}</p>
    <p>${t('share.lines')}</p>
    <p><code class="fingerprint" dir="ltr" data-lines>${visible(lines)}</code></p>
    <div class="actions">
      ${button(page.copied() === 'lines' ? t('share.copied') : t('share.copy'), () => page.copyLines(lines), { act: 'copy-lines' })}
      ${leave(page)}
    </div>
    ${contents(view)}`;
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(parts);
}

function size(bytes: number): string {
  const [value, unit] =
    bytes < 1_000_000 ? ([bytes / 1_000, 'kilobyte'] as const) : ([bytes / 1_000_000, 'megabyte'] as const);
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
