import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AskView, AppointView } from '../../src/ui/answer/requests.ts';
import type { AskMessage } from '../../src/ui/answer/messages.ts';
import {
  decideButton,
  done,
  formOf,
  inTwoSteps,
  isFrozen,
  leave,
  locked,
  refusal,
  waiting,
  wideTitle,
} from '../shared/deciding.ts';
import { button, notice, visible, visibleText } from '../shared/elements.ts';
import { inputField, linesOf, nameField, radios, selectField, textBox } from '../shared/fields.ts';
import { few, part } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import type { AppointDraft, RequestActsOptions, RequestPage } from './request.ts';

/** The fields of the form for a new request, by the names their drafts are kept under. */
const askFields = [
  'kind',
  'origin',
  'target',
  'subject',
  'summary',
  'bundles',
  'objectives',
  'ingestion',
  'suggested',
  'links',
  'tags',
  'priority',
  'available',
  'due',
  'respond',
  'finish',
] as const;
type AskField = (typeof askFields)[number];

// The act of the form for a new request. Its fields are kept as a draft, by name.

/** Every field's value; times in local time, deadlines in hours. */
type AskDraft = Readonly<Record<AskField, string>>;

/** The fields in the part that starts collapsed. */
const folded: readonly AskField[] = ['suggested', 'links', 'tags', 'available', 'due', 'respond', 'finish'];

type AskKind = AskMessage['kind'];
const askPriorities = { sooner: 50, normal: 100, later: 200 } as const;

/** The kinds that are allowed between these two. */
function askKinds(view: AskView, { origin, target }: AskDraft): readonly AskKind[] {
  const kindOf = (id: string) => view.targets.find((one) => one.id === id)?.kind;
  const kinds: AskKind[] = ['request_for_action'];
  if (kindOf(target) === 'steward') kinds.push('ingest_new_context');
  if (kindOf(origin) === 'steward') kinds.push('new_context_available');
  return kinds;
}

function pickedKind(view: AskView, draft: AskDraft): AskKind {
  return askKinds(view, draft).find((kind) => kind === draft.kind) ?? 'request_for_action';
}

export function createAskActs({ acts, view, maxText }: RequestActsOptions) {
  function askDraft({ key, origins }: AskView): AskDraft {
    const kept = acts.fieldsOf(key)?.fields ?? {};
    const draft = Object.fromEntries(askFields.map((name) => [name, kept[name] ?? ''])) as Record<AskField, string>;
    // With only one name there is nothing to choose.
    const [only] = origins;
    if (origins.length === 1 && only) draft.origin = only.id;
    return draft;
  }

  return {
    askDraft,

    editAsk: (target: AskView, change: Partial<AskDraft>): void =>
      acts.keepFields(target, { ...askDraft(target), ...change }),

    ask: (): void => {
      const target = view();
      if (target?.type !== 'ask' || target.locked !== undefined || target.origins.length === 0) return;
      const draft = askDraft(target);
      const lacking = missingAsk(target, draft, maxText());
      if (lacking && acts.ready() && folded.some((field) => field === lacking.field)) acts.unfold('more', true);
      acts.attempt({ target, lacking, make: (marks) => ({ type: 'ask', ...marks, ...contentOf(target, draft) }) });
    },
  };
}

/** The page, as the forms of new requests and of appointments use it. */
type AskPage = RequestPage & ReturnType<typeof createAskActs>;

function missingAsk(view: AskView, draft: AskDraft, max: number): Missing | undefined {
  const kind = pickedKind(view, draft);
  if (!view.origins.some(({ id }) => id === draft.origin)) return { field: 'origin', text: t('Choose a sender.') };
  if (!view.targets.some(({ id }) => id === draft.target)) return { field: 'target', text: t('Choose a recipient.') };
  if (draft.origin === draft.target) return { field: 'target', text: t('Sender and recipient must differ.') };
  if (draft.subject.trim() === '') return { field: 'subject', text: t('Enter a subject.') };
  if (draft.subject.trim().length > 200) return tooLong('subject', draft.subject.trim().length, 200);
  if (draft.summary.trim() === '')
    return {
      field: 'summary',
      text: t('Describe the request and its reason; the recipient has no other information.'),
    };
  if (draft.summary.trim().length > max) return tooLong('summary', draft.summary.trim().length, max);
  if (kind !== 'request_for_action') {
    if (linesOf(draft.bundles).length === 0) return { field: 'bundles', text: t('Enter the bundles, one per line.') };
    if (linesOf(draft.objectives).length === 0) return { field: 'objectives', text: t('Say why the bundles matter.') };
  }
  return missingLines(draft, max) ?? missingTime(draft);
}

function tooLong(field: AskField, n: number, max: number): Missing {
  return { field, text: t('{n} of {max}: shorten it by {over}.', { n, max, over: n - max }) };
}

function missingLines(draft: AskDraft, max: number): Missing | undefined {
  const longest = { bundles: 200, objectives: max, suggested: max, links: 200, tags: 200 } as const;
  for (const field of ['bundles', 'objectives', 'suggested', 'links', 'tags'] as const) {
    const lines = linesOf(draft[field]);
    if (lines.length > 100) return { field, text: t('{n} lines; the limit is 100.', { n: lines.length }) };
    const long = lines.find((line) => line.length > longest[field]);
    if (long !== undefined) return tooLong(field, long.length, longest[field]);
  }
  return undefined;
}

function missingTime(draft: AskDraft): Missing | undefined {
  const now = Date.now();
  const at = (text: string) => new Date(text).getTime();
  if (draft.available !== '' && !(at(draft.available) > now))
    return { field: 'available', text: t('Choose a time in the future.') };
  if (draft.due !== '' && !(at(draft.due) > now)) return { field: 'due', text: t('Choose a time in the future.') };
  if (draft.available !== '' && draft.due !== '' && !(at(draft.due) > at(draft.available)))
    return { field: 'due', text: t('Choose a time after “Not before”.') };
  for (const field of ['respond', 'finish'] as const)
    if (draft[field].trim() !== '' && secondsOf(draft[field]) === undefined)
      return { field, text: t('Enter hours from 0.01 to 8760, or leave it empty.') };
  return undefined;
}

/** Parses a number of hours, up to a year. */
function secondsOf(hours: string): number | undefined {
  const value = /^\d{1,4}([.,]\d{1,2})?$/.test(hours.trim()) ? Number(hours.trim().replace(',', '.')) : NaN;
  const seconds = Math.round(value * 3_600);
  return seconds >= 1 && value <= 8_760 ? seconds : undefined;
}

type Content = Omit<AskMessage, 'type' | 'act' | 'key' | 'shown' | 'render' | 'name'>;

function contentOf(view: AskView, draft: AskDraft): Content {
  const kind = pickedKind(view, draft);
  const aboutContext = kind !== 'request_for_action';
  const passed =
    kind === 'new_context_available' &&
    view.ingestions.some(({ id, steward }) => id === draft.ingestion && steward === draft.origin);
  const time = (field: 'available' | 'due') => new Date(draft[field]).toISOString();
  const respond = secondsOf(draft.respond);
  const finish = secondsOf(draft.finish);
  return {
    kind,
    origin: draft.origin,
    target: draft.target,
    subject: draft.subject.trim(),
    summary: draft.summary.trim(),
    suggested: linesOf(draft.suggested),
    links: linesOf(draft.links),
    tags: linesOf(draft.tags),
    bundles: aboutContext ? linesOf(draft.bundles) : [],
    objectives: aboutContext ? linesOf(draft.objectives) : [],
    priority: askPriorities[isPriority(draft.priority) ? draft.priority : 'normal'],
    ...(passed ? { ingestion: draft.ingestion } : {}),
    ...(draft.available === '' ? {} : { availableAt: time('available') }),
    ...(draft.due === '' ? {} : { dueAt: time('due') }),
    ...(respond === undefined ? {} : { responseSeconds: respond }),
    ...(finish === undefined ? {} : { completionSeconds: finish }),
  };
}

function isPriority(text: string): text is keyof typeof askPriorities {
  return text in askPriorities;
}

// Appoints stewards and humans that can receive requests; only a human can.

const appointFieldWords = {
  id: t('ID'),
  called: t('Name'),
  agents: t('Agents that act for it (optional)'),
};

const appointKindWords = {
  human: t('A human'),
  steward: t('A steward'),
};

const appointKindMore = {
  human: t('Requests to this person are answered in this view.'),
  steward: t('The agents named below act for it; without any, you do so in this view.'),
};

const isWords = {
  human: t('human'),
  steward: t('steward'),
  agent: t('agent'),
  automation: t('automation'),
};

export function appointForm(page: AskPage, view: AppointView): TemplateResult {
  const draft = page.appointDraft(view);
  const frozen = isFrozen(page, view);
  const edit = (change: Partial<AppointDraft>) => {
    page.editAppointment(view, change);
  };
  const field = (name: 'id' | 'called' | 'agents', change: (text: string) => void, hint?: string) =>
    inputField(page, {
      ...{ name, label: appointFieldWords[name], value: draft[name], disabled: frozen, edit: change, hint },
      ...{ kind: 'appoint-field', isCode: true },
    });
  return html`<article class="plain">
    ${wideTitle('shield', t('Stewards and humans'), view.folder)}
    <p class="quiet">
      ${t('Agents register themselves. Only you appoint stewards and humans. A steward reviews new context and passes it on.')}
    </p>
    ${known(page, view)}
    ${formOf(
      page,
      html`${page.isStale(view) ? notice('info', 'history', t('The list has changed since you started.')) : nothing}
      ${radios({
        name: 'kind',
        legend: t('Type'),
        options: (['human', 'steward'] as const).map((kind) => ({
          value: kind,
          label: appointKindWords[kind],
          more: appointKindMore[kind],
        })),
        picked: draft.kind,
        disabled: frozen,
        pick: (kind) => edit({ kind }),
      })}
      ${field('id', (id) => edit({ id }), t('For example jane@app. An existing ID gets the new name and agents.'))}
      ${field('called', (called) => edit({ called }))}
      ${draft.kind === 'steward' ? field('agents', (agents) => edit({ agents }), t('Their IDs, separated by commas, for example copilot-001.')) : nothing}
      ${view.answersAs.editable ? nameField(page, view.answersAs, frozen) : nothing} ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('Save this?'),
        content: summary(draft),
        yes: t('Yes, save it'),
        send: t('Save'),
        act: page.appoint,
      })}`,
      { act: page.appoint },
    )}
  </article>`;
}

function known(page: AskPage, view: AppointView): TemplateResult | typeof nothing {
  if (view.known.length === 0) return nothing;
  const { items, more } = few(page, 'known', view.known);
  return html`<h2 class="plain-head">${tn(view.known.length, '{n} responsibility', '{n} responsibilities')}</h2>
    <ul class="agents all-list">
      ${items.map(
        (one) =>
          html`<li>
            <bdi>${visible(one.name)}</bdi>
            <span class="quiet"
              ><bdi>${visible(one.id)}</bdi> ·
              ${isWords[one.kind]}${one.agents.length === 0 ? nothing : html` · ${visible(one.agents.join(', '))}`}</span
            >
          </li>`,
      )}
      ${more === nothing ? nothing : html`<li>${more}</li>`}
    </ul>`;
}

function summary(draft: AppointDraft): TemplateResult {
  const agents = draft.kind === 'steward' ? draft.agents.trim() : '';
  return html`<blockquote class="said" dir="auto">
    <p class="said-choice">${appointKindWords[draft.kind]}: ${visible(draft.called.trim())}</p>
    <p class="said-text">${visible(agents === '' ? draft.id.trim() : `${draft.id.trim()} · ${agents}`)}</p>
  </blockquote>`;
}

// A new request: a human, or a steward in a human's hands, asks any responsibility to consider something.

const kindWords = {
  request_for_action: t('A request'),
  ingest_new_context: t('New context to take in'),
  new_context_available: t('New context is available'),
};

const kindMore = {
  request_for_action: t('Asks for an action.'),
  ingest_new_context: t('The steward reviews it and notifies everyone whom it concerns.'),
  new_context_available: t('It was reviewed and concerns the recipient.'),
};

const priorityWords = {
  sooner: t('Before others'),
  normal: t('In turn'),
  later: t('After others'),
};

const fieldWords = {
  origin: t('From'),
  target: t('To'),
  ingestion: t('Passes on'),
  priority: t('When'),
  subject: t('Subject'),
  available: t('Not before'),
  due: t('Expires unless accepted by'),
  respond: t('Hours to respond (you are notified when overdue)'),
  finish: t('Hours to complete, once accepted'),
  suggested: t('Suggested actions, one per line'),
  links: t('Links: workspace files or URLs, one per line'),
  tags: t('Tags, one per line'),
  bundles: t('Bundles, one per line'),
  objectives: t('Why they matter, one reason per line'),
};

/** What the fields need: the form's place, their values, and whether they are editable. */
interface Asking {
  readonly page: AskPage;
  readonly view: AskView;
  readonly draft: AskDraft;
  readonly frozen: boolean;
}

export function askForm(page: AskPage, view: AskView): TemplateResult {
  const busy = page.flight() !== undefined;
  const asking: Asking = { page, view, draft: page.askDraft(view), frozen: busy || view.locked !== undefined };
  return html`<article class="plain">
    ${wideTitle('comment', t('New request'), view.folder)}
    <p class="quiet">
      ${t('Asks someone to consider something. It stops no work and grants no authority: the recipient accepts, defers or rejects it.')}
    </p>
    ${view.origins.length === 0 ? noOrigin(page, view) : form(asking, busy)}
  </article>`;
}

/** Agents send their own requests; without a human or steward there is no sender yet. */
function noOrigin(page: AskPage, view: AskView): TemplateResult {
  return html`${notice('info', 'shield', t('A request needs a human or a steward as its sender, and none is appointed yet.'))}
    <div class="actions" data-focus="form" tabindex="-1">
      ${button(t('Appoint someone…'), () => page.dispatch({ type: 'select', key: view.appoint }), { wide: true, primary: true, act: 'appoint' })}
      ${leave(page)}
    </div>`;
}

function form(asking: Asking, busy: boolean): TemplateResult {
  const { page, view, draft, frozen } = asking;
  const kind = pickedKind(view, draft);
  return formOf(
    page,
    html`${view.origins.length === 1 ? nothing : parties(asking, 'origin', view.origins)}
    ${parties(
      asking,
      'target',
      view.targets.filter(({ id }) => id !== draft.origin),
    )}
    ${kinds(asking)} ${input(asking, 'subject')}
    ${textBox(page, {
      name: 'summary',
      label: t('Details (Markdown)'),
      value: draft.summary,
      max: page.reasonLimit(),
      disabled: frozen,
      edit: (summary) => page.editAsk(view, { summary }),
    })}
    ${kind === 'request_for_action' ? nothing : context(asking, kind === 'new_context_available')}
    ${part(page, 'more', t('Suggestions, links, times'), more(asking))}
    ${view.answersAs.editable ? nameField(page, view.answersAs, frozen) : nothing} ${refusal(page)} ${done(page)}
    ${view.locked !== undefined ? locked(view.locked) : busy ? waiting(page) : buttons(page)}`,
    { act: page.ask },
  );
}

function buttons(page: AskPage): TemplateResult {
  return html`<div class="actions">${decideButton(t('Send request'), page.ask)} ${leave(page)}</div>`;
}

function parties(asking: Asking, field: 'origin' | 'target', all: AskView['targets']): TemplateResult {
  const options = all.map(({ id, name, kind }) => {
    const called = name === id ? visibleText(id) : `${visibleText(name)} (${visibleText(id)})`;
    return { value: id, text: `${called} · ${isWords[kind]}` };
  });
  return choose(asking, field, [{ value: '', text: t('Choose…') }, ...options]);
}

function kinds({ page, view, draft, frozen }: Asking): TemplateResult | typeof nothing {
  const all = askKinds(view, draft);
  if (all.length === 1) return nothing;
  return radios({
    name: 'kind',
    legend: t('Type'),
    options: all.map((kind) => ({ value: kind, label: kindWords[kind], more: kindMore[kind] })),
    picked: pickedKind(view, draft),
    disabled: frozen,
    pick: (kind) => page.editAsk(view, { kind }),
  });
}

function context(asking: Asking, passesOn: boolean): TemplateResult {
  const { page, view, draft } = asking;
  const ingestions = view.ingestions.filter(({ steward }) => steward === draft.origin);
  const options = ingestions.map(({ id, subject }) => ({ value: id, text: `${id}: ${visibleText(subject)}` }));
  return html`${
    passesOn && ingestions.length > 0
      ? choose(asking, 'ingestion', [{ value: '', text: t('No earlier context') }, ...options], (ingestion) => {
          const bundles = ingestions.find(({ id }) => id === ingestion)?.bundles.join('\n');
          const empty = linesOf(draft.bundles).length === 0;
          page.editAsk(view, { ingestion, ...(empty && bundles !== undefined ? { bundles } : {}) });
        })
      : nothing
  }
  ${lines(asking, 'bundles')} ${lines(asking, 'objectives')}`;
}

function more(asking: Asking): TemplateResult {
  const { draft } = asking;
  const priorities = (['sooner', 'normal', 'later'] as const satisfies (keyof typeof askPriorities)[]).map((value) => ({
    value,
    text: priorityWords[value],
  }));
  const picked = isPriority(draft.priority) ? draft.priority : 'normal';
  return html`<div class="ask-more">
    ${lines(asking, 'suggested')} ${lines(asking, 'links')} ${lines(asking, 'tags')}
    ${choose({ ...asking, draft: { ...draft, priority: picked } }, 'priority', priorities)}
    ${input(asking, 'available')} ${input(asking, 'due')} ${input(asking, 'respond')} ${input(asking, 'finish')}
  </div>`;
}

function choose(
  { page, view, draft, frozen }: Asking,
  field: 'origin' | 'target' | 'ingestion' | 'priority',
  options: Parameters<typeof selectField>[2],
  edit = (value: string) => {
    page.editAsk(view, { [field]: value });
  },
): TemplateResult {
  const label = fieldWords[field];
  return selectField(
    page,
    { name: field, label, value: draft[field], disabled: frozen, edit, kind: 'appoint-field' },
    options,
  );
}

function input(
  { page, view, draft, frozen }: Asking,
  field: 'subject' | 'respond' | 'finish' | 'available' | 'due',
): TemplateResult {
  return inputField(page, {
    ...{ name: field, label: fieldWords[field], value: draft[field], disabled: frozen },
    edit: (value) => page.editAsk(view, { [field]: value }),
    kind: field === 'available' || field === 'due' ? 'until' : 'appoint-field',
  });
}

/** One entry per line. */
function lines(
  { page, view, draft, frozen }: Asking,
  field: 'suggested' | 'links' | 'tags' | 'bundles' | 'objectives',
): TemplateResult {
  return html`<div class="appoint-field">
    ${textBox(page, {
      name: field,
      label: fieldWords[field],
      value: draft[field],
      max: Number.MAX_SAFE_INTEGER,
      disabled: frozen,
      edit: (text) => page.editAsk(view, { [field]: text }),
    })}
  </div>`;
}
