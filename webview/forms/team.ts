/** Forms about a team: sharing a workspace, and leaving the team. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LeaveView, ShareView } from '../../src/ui/answer/editorForms.ts';
import { wideTitle } from '../shared/deciding.ts';
import { button, icon, notice, visible } from '../shared/elements.ts';
import { field, hintFor } from '../shared/fields.ts';
import { locale, t, th, tn } from '../shared/strings.ts';
import { bdi, filled, formWith, listOf } from './kit.ts';
import type { OneFormPage } from './page.ts';

// Moves a shared journal back to this machine: what stays, what stops, and a confirmation.

export function leaveForm(page: OneFormPage, view: LeaveView): TemplateResult {
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
    ${formWith(page, view, nothing, {
      confirm: {
        ask: t('Leave the team with this folder?'),
        content: html`<p>${t('To come back, join in another clone: two journals cannot be merged.')}</p>`,
        yes: t('Yes, leave'),
      },
      send: t('Leave'),
      make: (marks) => ({ type: 'leaveTeam', ...marks, confirmed: true }),
    })}
  </article>`;
}

// Shares a workspace: what everybody will see, the server and the name, and a confirmation.

const secretWords = {
  privateKey: t('private key'),
  token: t('access token'),
  urlPassword: t('password in a URL'),
  password: t('password'),
};

const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function shareForm(page: OneFormPage, view: ShareView): TemplateResult {
  const form = filled(page, view, { called: view.name });
  const called = form.values['called']?.trim() ?? '';
  const lacking = !nameForm.test(called)
    ? {
        field: 'called',
        text: t('Use 1 to 64 of a-z, 0-9, dot, hyphen and underscore, beginning with a letter or a digit.'),
      }
    : view.server === undefined || view.agents === undefined
      ? { field: 'connect', text: t('Connect to the server first.') }
      : undefined;
  return html`<article class="plain team">
    ${wideTitle('link', t('Share this workspace'), view.folder)}
    <p class="quiet">
      ${t('Your team works on one journal: everyone sees the same questions, and the first answer is valid for all. Read below what leaves this machine.')}
    </p>
    ${
      view.begun === undefined
        ? nothing
        : notice(
            'info',
            'history',
            th('Sharing this workspace as {name} was interrupted. Share it again to continue.', {
              name: html`<strong>${visible(view.begun)}</strong>`,
            }),
          )
    }
    ${contents(view)} ${secrets(page, view)}
    ${formWith(
      page,
      view,
      html`${server(page, view, form.disabled)}
      ${field(
        page,
        {
          ...{ type: 'code', name: 'called', label: t('Name on the server'), max: 64 },
          hint: t('Teammates join with this name: small letters, digits, dot, hyphen and underscore.'),
        },
        { ...form, disabled: form.disabled || view.begun !== undefined },
      )}
      ${root(view)}`,
      {
        ...{ lacking, send: t('Share') },
        confirm: {
          ask: t('Share this workspace with your team?'),
          content: summary(view),
          yes: t('Yes, share it'),
        },
        make: (marks) => ({ type: 'share', ...marks, called, confirmed: true }),
      },
    )}
  </article>`;
}

function row(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function contents(view: ShareView): TemplateResult {
  const { counts } = view;
  const numbers = [
    tn(counts.questions, '{n} question', '{n} questions'),
    tn(counts.rfcs, '{n} RFC', '{n} RFCs'),
    tn(counts.events, '{n} event', '{n} events'),
    tn(counts.requests, '{n} request', '{n} requests'),
    tn(counts.work, '{n} work item', '{n} work items'),
    tn(counts.agents, '{n} agent', '{n} agents'),
  ];
  return html`<h2 class="plain-head">${t('What everyone on the team will see')}</h2>
    <dl class="rows">${row(t('Project'), bdi(view.project))} ${row(t('Contents'), listParts(numbers))}</dl>
    <p>
      ${t('Everything written is included: questions, answers, RFCs, notes, file names and code excerpts. The project’s files, your keys and your logins are not.')}
    </p>
    <p>
      ${t('Members of the workspace on the server can read it, and so can the administrators of the database. What was copied cannot be deleted from the journal.')}
    </p>`;
}

function secrets(page: OneFormPage, view: ShareView): TemplateResult {
  if (view.secretCount === 0)
    return html`<p class="quiet">${t('Nothing looks like a secret. Not every secret can be recognized.')}</p>`;
  return html`<section class="notice notice-warning" data-note="secrets">
    ${icon('warning')}
    <div class="notice-body">
      <strong>${tn(view.secretCount, '{n} passage looks like a secret', '{n} passages look like secrets')}</strong>
      <p>${t('Everyone on the team could read them. Replace real secrets before you share.')}</p>
      ${listOf(
        page,
        { name: 'secrets', all: view.secrets },
        ({ item, kind, beginning }) =>
          html`<span>${bdi(item)} · ${secretWords[kind]}</span>
            <code class="fingerprint" dir="ltr">${visible(beginning)}…</code>`,
      )}
    </div>
  </section>`;
}

function server(page: OneFormPage, view: ShareView, frozen: boolean): TemplateResult {
  const connect = (words: string) =>
    frozen
      ? nothing
      : html`<div class="actions">
          ${button(words, () => page.dispatch({ type: 'connectTeam', key: view.key }), { act: 'connect', focus: 'connect' })}
        </div>`;
  return html`<h2 class="plain-head">${t('Server')}</h2>
    ${
      view.server === undefined || view.agents === undefined
        ? html`<p>${t('This editor is not connected to a server yet.')}</p>
            ${hintFor(page, 'connect')} ${connect(t('Connect…'))}`
        : html`<dl class="rows">
              ${row(t('Address'), bdi(view.server.host))} ${row(t('Your login'), bdi(view.server.login))}
              ${row(t('Login of your agents'), bdi(view.agents))}
            </dl>
            ${connect(t('Use another login…'))}`
    }`;
}

function root({ fingerprint }: ShareView): TemplateResult {
  if (fingerprint === undefined) return html`<p class="quiet">${t('This editor’s key is created when you share.')}</p>`;
  return html`<h2 class="plain-head">${t('Your key becomes the team owner key')}</h2>
    <p><code class="fingerprint" dir="ltr">${visible(fingerprint)}</code></p>
    <p class="quiet small">
      ${t('Teammates compare this fingerprint when they join. Do not send it together with their logins. Only you can then add and remove keys.')}
    </p>`;
}

function summary(view: ShareView): TemplateResult {
  return html`<p>
      ${t('Members of the workspace on the server can read it, and so can the administrators of the database. What was copied cannot be deleted from the journal.')}
    </p>
    ${members(view)}
    ${view.secretCount === 0 ? nothing : html`<p class="iconed">${icon('warning', 'warning')}${tn(view.secretCount, '{n} passage looks like a secret', '{n} passages look like secrets')}</p>`}`;
}

function members({ server, agents }: ShareView): TemplateResult | typeof nothing {
  if (server === undefined || agents === undefined) return nothing;
  const [host, you, them] = [server.host, server.login, agents].map(
    (text) => html`<strong><bdi>${visible(text)}</bdi></strong>`,
  );
  return html`<p data-note="members">
    ${th('On {host}, your login {you} and the login of your agents, {agents}, become members. Both can read all of it.', { host, you, agents: them })}
  </p>`;
}

function listParts(parts: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(parts);
}
