/** One request in a human's inbox: sender, recipient, content and the possible responses. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RequestAction, RequestMessage } from '../../src/ui/answer/messages.ts';
import type { RequestView } from '../../src/ui/answer/requests.ts';
import { decideButton, done, formOf, locked, refusal, waiting } from '../shared/deciding.ts';
import { icon, notice, visible, visibleText } from '../shared/elements.ts';
import { field, hintFor, signsAs, radios, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { clamped, fileChips, part } from '../shared/parts.ts';
import type { FileMessage, Missing } from '../shared/signing.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag, until as left } from '../shared/time.ts';

type Page = OneFormPage &
  ReturnType<typeof createRequestActs> & {
    readonly dispatch: (message: FileMessage | { readonly type: 'back' }) => void;
  };

interface ActsOptions {
  readonly acts: FormActs<RequestMessage>;
  readonly view: () => RequestView | undefined;
  readonly maxText: () => number;
}

/** `until` is the field's value, in local time. */
export interface RequestDraft {
  readonly action: RequestAction | undefined;
  readonly note: string;
  readonly until: string;
}

const noteOptional: readonly RequestAction[] = ['accept', 'ack_context_relevant', 'defer', 'not_relevant'];

function needsNote(action: RequestAction | undefined): boolean {
  return action !== undefined && !noteOptional.includes(action);
}

export function createRequestActs({ acts, view, maxText }: ActsOptions) {
  function requestDraft({ key, actions }: RequestView): RequestDraft {
    const { action, note = '', until = '' } = acts.fieldsOf(key)?.fields ?? {};
    return { action: actions.find((one) => one === action), note, until };
  }

  return {
    requestDraft,
    /** Whether the draft was started on different content. */
    isStale: ({ key, shown }: RequestView): boolean => (acts.fieldsOf(key)?.shown ?? shown) !== shown,

    editRequest: (target: RequestView, change: Partial<RequestDraft>): void => {
      const { action, ...others } = { ...requestDraft(target), ...change };
      acts.keepFields(target, { ...others, ...(action === undefined ? {} : { action }) });
    },

    answerRequest: (): void => {
      const target = view();
      if (!target || target.locked !== undefined || target.actions.length === 0) return;
      const draft = requestDraft(target);
      const { action, until } = draft;
      const lacking = missingRequest(draft, maxText());
      if (action === undefined) {
        if (acts.ready()) acts.complain({ field: 'choices', text: t('Choose a response first.') });
        return;
      }
      acts.attempt({
        ...{ target, lacking },
        make: (marks) => ({
          ...{ type: 'request', ...marks, action, note: draft.note.trim() },
          ...(action === 'defer' ? { until: new Date(until).toISOString() } : {}),
        }),
      });
    },
  };
}

function missingRequest({ action, note: written, until }: RequestDraft, max: number): Missing | undefined {
  const note = written.trim();
  if (action === 'defer' && !(new Date(until).getTime() > Date.now()))
    return { field: 'until', text: t('Choose a time in the future.') };
  if (needsNote(action) && note === '') return { field: 'text', text: t('Enter a reply; the requester will read it.') };
  if (note.length <= max) return undefined;
  return {
    field: 'text',
    text: t('{n} of {max}: shorten it by {over}.', { n: note.length, max, over: note.length - max }),
  };
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

type Drawn = TemplateResult | typeof nothing;

export function requestForm(page: Page, view: RequestView): TemplateResult {
  const rows = facts(page, view).filter((one) => one !== nothing);
  return html`<article class="request">
    ${headline(view)}
    <p class="quiet">${th('{origin} asks {target}', { origin: bold(view.origin), target: bold(view.target) })}</p>
    <h2 class="request-subject" dir="auto">${visible(view.subject)}</h2>
    ${clamped(page, 'summary', markdown(page, view.key, 'summary', view.summary))}
    ${rows.length === 0 ? nothing : html`<dl class="rows">${rows}</dl>`} ${done(page)} ${attached(page, view)}
    ${view.actions.length === 0 ? settled(view) : form(page, view)} ${history(page, view)}
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
      <span>${th('asked {time}', { time: timeTag(view.createdAt, ago(view.createdAt)) })}</span>
      ${view.folder === undefined ? nothing : html`<span><bdi class="ellipsis">${visible(view.folder)}</bdi></span>`}
    </p>
  </header>`;
}

function bold(text: string): TemplateResult {
  return html`<bdi>${visible(text)}</bdi>`;
}

function facts(page: Page, view: RequestView): Drawn[] {
  const { dueAt, availableAt, note } = view;
  return [
    availableAt === undefined ? nothing : row(t('Returns'), timeTag(availableAt, to(availableAt))),
    dueAt === undefined ? nothing : row(t('Due'), timeTag(dueAt, to(dueAt))),
    row(t('Suggested'), list(view.suggested)),
    row(t('Bundles'), list(view.bundles)),
    row(t('Why they matter'), list(view.objectives)),
    view.files.length + view.links.length === 0
      ? nothing
      : row(
          t('Links'),
          html`${view.files.length === 0 ? nothing : fileChips(page, view.key, 'files', view.files)} ${list(view.links)}`,
        ),
    row(t('Tags'), view.tags.length === 0 ? nothing : visible(view.tags.join(', '))),
    row(t('Work created for it'), list(view.work)),
    view.steps.length === 0
      ? nothing
      : row(
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
    note === undefined ? nothing : row(t('Last reply'), html`<bdi>${visible(note)}</bdi>`),
  ];
}

/** The time until then, or since then. */
function to(iso: string): string {
  const time = left(iso);
  return time === undefined ? ago(iso) : t('in {time}', { time });
}

function row(label: string, content: unknown): Drawn {
  return content === nothing
    ? nothing
    : html`<div class="row">
        <dt>${label}</dt>
        <dd>${content}</dd>
      </div>`;
}

function list(texts: readonly string[]): Drawn {
  return texts.length === 0
    ? nothing
    : html`<ul class="list">
        ${texts.map((text) => html`<li dir="auto">${visible(text)}</li>`)}
      </ul>`;
}

function form(page: Page, view: RequestView): TemplateResult {
  const draft = page.requestDraft(view);
  const busy = page.flight() !== undefined;
  const frozen = busy || view.locked !== undefined;
  return formOf(
    page,
    html`${page.isStale(view) ? notice('info', 'history', t('This has changed since you started. Read it again before you decide.')) : nothing}
    ${radios({
      name: 'action',
      legend: t('Your response'),
      options: view.actions.map((action) => ({
        value: action,
        label: doWords[action],
        more: doMore[action],
      })),
      picked: draft.action,
      disabled: frozen,
      focus: 'choices',
      pick: (action) => page.editRequest(view, { action }),
    })}
    ${hintFor(page, 'choices')}
    ${draft.action === 'defer' ? field(page, { type: 'time', name: 'until', label: t('Until') }, { values: { until: draft.until }, disabled: frozen, edit: ({ until = '' }) => page.editRequest(view, { until }) }) : nothing}
    ${textBox(page, {
      label: needsNote(draft.action) ? t('Reason or result') : t('Note (optional)'),
      value: draft.note,
      max: page.reasonLimit(),
      disabled: frozen,
      edit: (note) => page.editRequest(view, { note }),
    })}
    ${signsAs(view.answersAs)} ${refusal(page)}
    ${view.locked !== undefined ? locked(view.locked) : busy ? waiting(page) : button(page, view)}`,
    { act: page.answerRequest },
  );
}

function button(page: Page, view: RequestView): TemplateResult {
  const { action } = page.requestDraft(view);
  const label = action === undefined ? t('Send') : doWords[action];
  return html`<div class="actions">${decideButton(label, page.answerRequest)}</div>`;
}

function settled(view: RequestView): TemplateResult {
  return html`<p class="quiet">${statusWords[view.status]}. ${t('This request is closed.')}</p>`;
}

function attached(page: Page, { payload }: RequestView): Drawn {
  return payload === undefined
    ? nothing
    : part(
        page,
        'payload',
        t('Payload'),
        html`<pre class="snippet" dir="ltr" tabindex="0"><code>${visible(payload)}</code></pre>`,
      );
}

function history(page: Page, view: RequestView): Drawn {
  return part(
    page,
    'history',
    t('History'),
    html`<ol class="list">
      ${view.history.map(
        ({ at, text }) => html`<li>${visible(text)} <span class="quiet">${timeTag(at, ago(at))}</span></li>`,
      )}
    </ol>`,
  );
}
