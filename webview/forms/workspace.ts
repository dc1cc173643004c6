/** Forms about a workspace: its questions and work, recovery of a damaged store, sharing with a team and leaving it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ReleaseAllView, WorkView } from '../../src/ui/answer/workspace.ts';
import { wideTitle, backButton, formOf, formEnd } from '../shared/deciding.ts';
import {
  link,
  labelledText,
  urgencyMark,
  visible,
  visibleText,
  bdi,
  button,
  icon,
  line,
  notice,
  bullets,
} from '../shared/elements.ts';
import { overBy, textBox, field, hintFor } from '../shared/fields.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th, tn, locale } from '../shared/strings.ts';
import { filled, formWith, ifStale, listOf, type Drawn, type OneFormPage } from './kit.ts';
import type { RecoveryView, RecoveryWay, LeaveView, ShareView } from '../../src/ui/answer/editorForms.ts';
import { part } from '../shared/parts.ts';
import { agoTag } from '../shared/time.ts';

// Dismissing all questions of an agent, and deleting a work item.

function missingNote(note: string, max: number): Missing | undefined {
  if (note === '') return { field: 'text', text: t('Write a note first; it is all the agent gets.') };
  return note.length > max ? { field: 'text', text: overBy(note.length, max) } : undefined;
}

export function releaseAllForm(page: OneFormPage, view: ReleaseAllView): TemplateResult {
  const { values, disabled } = filled(page, view);
  const { note = '' } = values;
  const agent = bdi(view.agent);
  const count = view.questions.length;
  return html`<article class="plain">
    ${wideTitle('debug-continue', th('Dismiss all questions of {agent}', { agent }), view.folder)}
    <p class="quiet">
      ${th('All open questions of {agent} end without an answer, and their work is released. The agent gets your note.', { agent })}
    </p>
    <h2 class="plain-head">${tn(count, '{n} question to dismiss', '{n} questions to dismiss')}</h2>
    ${questionList(page, view)}
    ${formWith(
      page,
      view,
      html`${ifStale(page, view, t('The list has changed since you started. Read it again before you continue.'))}
      ${textBox(page, {
        ...{ label: t('Note to the agent'), value: note, max: page.limits().reason, disabled },
        edit: (text) => {
          page.keepFields(view, text === '' ? undefined : { note: text });
        },
      })}`,
      {
        ...{ send: t('Dismiss all'), lacking: missingNote(note.trim(), page.limits().reason) },
        confirm: {
          ask: tn(count, 'Dismiss {n} question without an answer?', 'Dismiss {n} questions without an answer?'),
          content: labelledText([], note.trim()),
          yes: t('Yes, dismiss all'),
        },
        make: (marks) => ({ type: 'releaseAll', ...marks, note: note.trim(), confirmed: true }),
      },
    )}
  </article>`;
}

/** Opens an item of a list, to be read before the act. */
function opener(page: OneFormPage, { key, text }: { readonly key: string; readonly text: string }): TemplateResult {
  return link(bdi(text), () => page.dispatch({ type: 'select', key }), { title: visibleText(text) });
}

function questionList(page: OneFormPage, { questions }: ReleaseAllView): TemplateResult {
  return listOf(
    page,
    { name: 'all', all: questions, kind: 'all-list' },
    (one) =>
      html`${opener(page, one)}
        <span class="quiet"
          >${visible(one.id)} · ${urgencyMark(one.urgency)} ·
          ${one.holds === undefined ? t('holds nothing') : tn(one.holds, 'holds {n} work item', 'holds {n} work items')}${
            one.expired ? html` · ${t('expired, still held')}` : nothing
          }</span
        >`,
  );
}

const kindWords = {
  task: t('task'),
  workflow: t('workflow'),
};

const askWords = {
  task: t('Delete this task?'),
  workflow: t('Delete this workflow and everything in it?'),
};

export function workForm(page: OneFormPage, view: WorkView): TemplateResult {
  const { work, kind, parts, holders, dependants } = view;
  const changes = [
    affected(
      page,
      'parts',
      tn(
        parts.length,
        'Also deleted, because it is in it: {n} item',
        'Also deleted, because they are in it: {n} items',
      ),
      parts.map(workTitle),
    ),
    affected(
      page,
      'holders',
      tn(
        holders.length,
        'Held by {n} question or RFC, which stays open',
        'Held by {n} questions and RFCs, which stay open',
      ),
      holders.map((one) => html`${opener(page, one)} <span class="quiet">${visible(one.id)}</span>`),
    ),
    affected(
      page,
      'dependants',
      tn(
        dependants.length,
        'Waiting for it: {n} item, which then no longer waits',
        'Waiting for it: {n} items, which then no longer wait',
      ),
      dependants.map(workTitle),
    ),
  ];
  return html`<article class="plain">
    ${wideTitle('checklist', bdi(work.title), view.folder)}
    <p class="quiet">${kindWords[kind]} · ${visible(work.id)}</p>
    ${changes}
    ${formWith(page, view, nothing, {
      send: t('Delete'),
      confirm: {
        ask: askWords[kind],
        content: html`<p>
          ${t('Its history stays, and its id stays taken. Files that a question or an RFC holds stay held until that is decided.')}
        </p>`,
        yes: t('Yes, delete'),
      },
      make: (marks) => ({ type: 'deleteWork', ...marks, confirmed: true }),
    })}
  </article>`;
}

function workTitle({ id, title }: WorkView['work']): TemplateResult {
  return html`${bdi(title)} <span class="quiet">${visible(id)}</span>`;
}

function affected(page: OneFormPage, name: string, head: string, all: readonly TemplateResult[]): Drawn {
  if (all.length === 0) return nothing;
  return html`<h2 class="plain-head">${head}</h2>
    ${listOf(page, { name: `work.${name}`, all }, (item) => item)}`;
}

// The form for a store whose holds are unknown: the fault and three recovery options, each with what it loses.

type Available = Extract<RecoveryView[RecoveryWay], { type: 'available' }>;

/** The chosen option and its confirmation so far. */
let draft:
  { readonly shown: string; readonly way: RecoveryWay; readonly ticked: boolean; readonly word: string } | undefined;

/** Expands or collapses a recovery option. */
function choose(page: OneFormPage, { shown }: RecoveryView, way: RecoveryWay | undefined): void {
  draft = way && { shown, way, ticked: false, word: '' };
  page.turn(way ? 'confirm' : 'form');
}

function edit(page: OneFormPage, change: Partial<Pick<NonNullable<typeof draft>, 'ticked' | 'word'>>): void {
  if (draft) draft = { ...draft, ...change };
  page.edited();
}

function recover(page: OneFormPage, target: RecoveryView, way: RecoveryWay, { confirm }: Available): void {
  const isTick = confirm.type === 'tick';
  const given = isTick ? draft?.ticked : draft?.word.trim() === confirm.word;
  const text = isTick
    ? t('Select the checkbox first: it lists what will be lost.')
    : t('Type “{word}” exactly as shown.', { word: confirm.word });
  page.attempt({
    ...{ target, lacking: given ? undefined : { field: 'confirm', text } },
    make: (marks) => ({ type: 'recover', ...marks, way, confirmation: isTick ? confirm.text : confirm.word }),
  });
}

const titles: Record<RecoveryWay, { title: string; act: string }> = {
  restore: { title: t('Restore the copy this editor keeps'), act: t('Restore the copy') },
  setAside: { title: t('Continue without the damaged part'), act: t('Continue without it') },
  startAnew: { title: t('Start over'), act: t('Start over') },
};

export function recovery(page: OneFormPage, view: RecoveryView): TemplateResult {
  const { detail } = view;
  return html`<article class="plain recovery">
    <h1 class="iconed plain-title">${icon('error', 'error')}${t('Holdpoint cannot tell which work is held')}</h1>
    <p>${bdi(view.problem)}</p>
    <p class="quiet">
      ${t('All agents are paused until you choose a recovery option, because a damaged journal is never treated as an empty one.')}
    </p>
    ${part(page, 'detail', t('Details'), html`<pre class="snippet" dir="ltr" tabindex="0">${visible(detail)}</pre>`)}
    <h2 class="plain-head">${t('Recovery options')}</h2>
    <ul class="ways" data-focus="form" tabindex="-1">
      ${way(
        page,
        view,
        'restore',
        view.restore.type === 'available'
          ? th('Copied {time}', { time: agoTag(view.restore.copyFrom) })
          : view.restore.why,
      )}
      ${way(page, view, 'setAside', view.setAside.type === 'available' ? view.setAside.line : view.setAside.why)}
      ${way(page, view, 'startAnew', view.startAnew.type === 'available' ? nothing : view.startAnew.why)}
    </ul>
  </article>`;
}

function way(page: OneFormPage, view: RecoveryView, name: RecoveryWay, about: unknown): TemplateResult {
  const chosen = view[name];
  const available = chosen.type === 'available';
  const open = draft?.way === name && draft.shown === view.shown;
  const busy = page.flight() !== undefined;
  return html`<li class="way ${available ? '' : 'way-closed'}">
    <div class="flow way-head">
      <div class="way-about">
        <h3 class="way-title">${titles[name].title}</h3>
        ${about === nothing ? nothing : html`<p class="quiet">${typeof about === 'string' ? visible(about) : about}</p>`}
      </div>
      ${
        available && !open && !busy
          ? button(t('Choose…'), () => choose(page, view, name), {
              act: `choose-${name}`,
              label: `${t('Choose…')} ${titles[name].title}`,
            })
          : nothing
      }
    </div>
    ${open && available ? confirm(page, view, name, chosen) : nothing}
  </li>`;
}

/** The confirmation: what will be lost, and a checkbox or a word to type. */
function confirm(page: OneFormPage, view: RecoveryView, name: RecoveryWay, chosen: Available): TemplateResult {
  const busy = page.flight() !== undefined;
  const sign =
    chosen.confirm.type === 'tick'
      ? html`<label class="tick">
          <input
            type="checkbox"
            data-focus="confirm"
            ?disabled=${busy}
            .checked=${draft?.ticked ?? false}
            @change=${() => {
              edit(page, { ticked: draft?.ticked !== true });
            }}
          />
          <span>${chosen.confirm.text}</span>
        </label>`
      : field(
          page,
          { type: 'line', name: 'confirm', label: t('Type “{word}” to continue', { word: chosen.confirm.word }) },
          {
            ...{ values: { confirm: draft?.word ?? '' }, disabled: busy },
            edit: ({ confirm: word = '' }) => edit(page, { word }),
          },
        );
  const content = html`
    ${line(icon('warning', 'warning'), html`<strong>${t('Permanently lost:')}</strong> ${visible(chosen.loses)}`)}
    ${sign} ${chosen.confirm.type === 'tick' ? hintFor(page, 'confirm') : nothing}
    ${formEnd(
      page,
      view.answersAs,
      html`<div class="actions">
        ${button(titles[name].act, () => recover(page, view, name, chosen), { wide: true, primary: true, act: 'recover', once: true })}
        ${backButton(page, () => choose(page, view, undefined))}
      </div>`,
    )}
  `;
  return formOf(page, content, { kind: 'way-confirm', focus: 'way' });
}

// Moves a shared journal back to this machine: what stays, what stops, and a confirmation.

export function leaveForm(page: OneFormPage, view: LeaveView): TemplateResult {
  return html`<article class="plain team">
    ${wideTitle('link', t('Leave the team'), view.folder)}
    <p>
      ${th('The journal of {name} moves back to this machine, with everything in it.', { name: html`<strong>${bdi(view.shared)}</strong>` })}
    </p>
    <h2 class="plain-head">${t('What stays')}</h2>
    ${bullets([
      t('All questions, answers and holds stay here. Trusted keys stay trusted.'),
      t('The server and your teammates keep their journal. They are not notified.'),
    ])}
    <h2 class="plain-head">${t('What stops')}</h2>
    ${bullets([
      t('New questions and answers of the team do not arrive here, and yours do not arrive there.'),
      t('To come back, join in another clone: two journals cannot be merged.'),
    ])}
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
      ${ownerKey(view)}`,
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

function ownerKey({ fingerprint }: ShareView): TemplateResult {
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
    ${view.secretCount === 0 ? nothing : line(icon('warning', 'warning'), tn(view.secretCount, '{n} passage looks like a secret', '{n} passages look like secrets'))}`;
}

function members({ server, agents }: ShareView): TemplateResult | typeof nothing {
  if (server === undefined || agents === undefined) return nothing;
  const [host, you, them] = [server.host, server.login, agents].map((text) => html`<strong>${bdi(text)}</strong>`);
  return html`<p data-note="members">
    ${th('On {host}, your login {you} and the login of your agents, {agents}, become members. Both can read all of it.', { host, you, agents: them })}
  </p>`;
}

function listParts(parts: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(parts);
}
