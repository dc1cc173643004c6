/** One request in a human's inbox: sender, recipient, content and the possible responses. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RequestAction } from '../../src/ui/answer/messages.ts';
import type { RequestView } from '../../src/ui/answer/requests.ts';
import { doneNote } from '../shared/deciding.ts';
import { icon, visible, visibleText, bullets, bdi } from '../shared/elements.ts';
import { field, hintFor, overBy, radios, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { clampedContent, fileChips, part, history } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag, timeUntil as left, agoTag } from '../shared/time.ts';
import { filled, formWith, ifStale, rowOf, type Drawn, type OneFormPage } from './kit.ts';

interface Draft {
  readonly action: RequestAction | undefined;
  readonly note: string;
  /** In local time. */
  readonly until: string;
}

const noteOptional: readonly RequestAction[] = ['accept', 'ack_context_relevant', 'defer', 'not_relevant'];

function needsNote(action: RequestAction | undefined): boolean {
  return action !== undefined && !noteOptional.includes(action);
}

function missing({ action, note: written, until }: Draft, max: number): Missing | undefined {
  const note = written.trim();
  if (action === undefined) return { field: 'choices', text: t('Choose a response first.') };
  if (action === 'defer' && !(new Date(until).getTime() > Date.now()))
    return { field: 'until', text: t('Choose a time in the future.') };
  if (needsNote(action) && note === '') return { field: 'text', text: t('Enter a reply; the requester will read it.') };
  return note.length > max ? { field: 'text', text: overBy(note.length, max) } : undefined;
}

const statusWords = {
  created: t('not yet available'),
  pending: t('waiting for you'),
  accepted: t('accepted'),
  deferred: t('deferred'),
  rejected: t('rejected'),
  cancelled: t('withdrawn'),
  expired: t('expired'),
  completed: t('completed'),
};

const kindWords = {
  request_for_action: t('request'),
  ingest_new_context: t('new context to add'),
  new_context_available: t('new context'),
};

const doWords = {
  accept: t('Accept'),
  ack_context_relevant: t('Relevant'),
  defer: t('Defer'),
  reject: t('Reject'),
  not_relevant: t('Not relevant'),
  complete: t('Complete'),
  cancel: t('Withdraw'),
  normalise: t('Normalised'),
  lineage: t('Lineage updated'),
  dispatch: t('Passed on'),
};

const doMore = {
  accept: t('You take it on. It grants no new authority.'),
  ack_context_relevant: t('You adopt this context.'),
  defer: t('It returns at a time you choose.'),
  reject: t('You reject it and say why.'),
  not_relevant: t('The context does not apply to you.'),
  complete: t('It is done. Describe the result.'),
  cancel: t('You withdraw the request and say why.'),
  normalise: t('The bundles follow the common format.'),
  lineage: t('Their origin is recorded.'),
  dispatch: t('The people affected have been notified, or nobody is affected; state which.'),
};

export function requestForm(page: OneFormPage, view: RequestView): TemplateResult {
  const rows = facts(page, view).filter((one) => one !== nothing);
  return html`<article class="request">
    ${headline(view)}
    <p class="quiet">${th('{origin} asks {target}', { origin: bdi(view.origin), target: bdi(view.target) })}</p>
    <h2 class="request-subject" dir="auto">${visible(view.subject)}</h2>
    ${clampedContent(page, 'summary', markdown(page, view.key, 'summary', view.summary))}
    ${rows.length === 0 ? nothing : html`<dl class="rows">${rows}</dl>`} ${payloadView(page, view)}
    ${view.actions.length === 0 ? html`${doneNote(page)} ${settledView(view)}` : form(page, view)}
    ${history(page, t('History'), view.history)}
    <p class="quiet small">${visible(view.id)}</p>
  </article>`;
}

function headline(view: RequestView): TemplateResult {
  return html`<header class="headline">
    <h1 class="sr-only">
      ${t('Request {id} from {origin}', { id: visibleText(view.id), origin: visibleText(view.origin) })}
    </h1>
    <p class="facts">
      <span>${statusWords[view.status]}</span>
      ${view.overdue ? html`<span class="urgency urgency-high">${icon('warning')}${t('overdue')}</span>` : nothing}
      <span>${kindWords[view.kind]}</span>
      <span>${th('asked {time}', { time: agoTag(view.createdAt) })}</span>
      ${view.folder === undefined ? nothing : html`<span><bdi class="cut ellipsis">${visible(view.folder)}</bdi></span>`}
    </p>
  </header>`;
}

function facts(page: OneFormPage, view: RequestView): Drawn[] {
  const { dueAt, availableAt, note } = view;
  return [
    availableAt === undefined ? nothing : rowOf(t('Returns'), timeTag(availableAt, timeText(availableAt))),
    dueAt === undefined ? nothing : rowOf(t('Due'), timeTag(dueAt, timeText(dueAt))),
    rowOf(t('Suggested'), list(view.suggested)),
    rowOf(t('Bundles'), list(view.bundles)),
    rowOf(t('Why they matter'), list(view.objectives)),
    view.files.length + view.links.length === 0
      ? nothing
      : rowOf(
          t('Links'),
          html`${view.files.length === 0 ? nothing : fileChips(page, view.key, 'files', view.files)} ${list(view.links)}`,
        ),
    rowOf(t('Tags'), view.tags.length === 0 ? nothing : visible(view.tags.join(', '))),
    rowOf(t('Work created for it'), list(view.work)),
    view.steps.length === 0
      ? nothing
      : rowOf(
          t('Steps'),
          html`<ul class="steps">
            ${view.steps.map(
              ({ step, done: isDone }) =>
                html`<li>
                  ${icon(isDone ? 'check' : 'circle-outline')} ${doWords[step]}
                  <span class="quiet">${isDone ? t('done') : t('to do')}</span>
                </li>`,
            )}
          </ul>`,
        ),
    note === undefined ? nothing : rowOf(t('Last reply'), bdi(note)),
  ];
}

/** The time until then, or since then. */
function timeText(iso: string): string {
  const time = left(iso);
  return time === undefined ? ago(iso) : t('in {time}', { time });
}

function list(texts: readonly string[]): Drawn {
  return texts.length === 0 ? nothing : bullets(texts.map(visible));
}

function form(page: OneFormPage, view: RequestView): TemplateResult {
  const entered = filled(page, view);
  const { values, disabled, edit } = entered;
  const action = view.actions.find((one) => one === values['action']);
  const draft: Draft = { action, note: values['note'] ?? '', until: values['until'] ?? '' };
  const max = page.limits().reason;
  return formWith(
    page,
    view,
    html`${ifStale(page, view, t('This has changed since you started. Read it again before you decide.'))}
    ${radios({
      ...{ name: 'action', legend: t('Your response'), picked: action, disabled, focus: 'choices' },
      options: view.actions.map((one) => ({ value: one, label: doWords[one], more: doMore[one] })),
      pick: (picked) => edit({ action: picked }),
    })}
    ${hintFor(page, 'choices')}
    ${action === 'defer' ? field(page, { type: 'time', name: 'until', label: t('Until') }, entered) : nothing}
    ${textBox(page, {
      label: needsNote(action) ? t('Reason or result') : t('Note (optional)'),
      ...{ value: draft.note, max, disabled },
      edit: (note) => edit({ note }),
    })}`,
    {
      ...{ send: action === undefined ? t('Send') : doWords[action], lacking: missing(draft, max) },
      make: (marks) => ({
        ...{ type: 'request', ...marks, action: action ?? 'cancel', note: draft.note.trim() },
        ...(action === 'defer' ? { until: new Date(draft.until).toISOString() } : {}),
      }),
    },
  );
}

function settledView(view: RequestView): TemplateResult {
  return html`<p class="quiet">${statusWords[view.status]}. ${t('This request is closed.')}</p>`;
}

function payloadView(page: OneFormPage, { payload }: RequestView): Drawn {
  return payload === undefined
    ? nothing
    : part(
        page,
        'payload',
        t('Payload'),
        html`<pre class="snippet" dir="ltr" tabindex="0"><code>${visible(payload)}</code></pre>`,
      );
}
