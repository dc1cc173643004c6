/** A new request: a human, or a steward in a human's hands, asks any responsibility to consider something. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DecisionOf } from '../../src/ui/answer/messages.ts';
import type { AppointView, AskView } from '../../src/ui/answer/requests.ts';
import { leave, wideTitle } from '../shared/deciding.ts';
import { button, labelledText, notice, visible, visibleText, bdi } from '../shared/elements.ts';
import {
  field,
  linesOf,
  overBy,
  problemOf,
  textBox,
  type FieldDef,
  type Filled,
  type Option,
  type Values,
} from '../shared/fields.ts';
import { part } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import { filled, formWith, ifStale, listOf, type Drawn, type OneFormPage } from './kit.ts';

const isWords = { human: t('human'), steward: t('steward'), agent: t('agent'), automation: t('automation') };

type Kind = DecisionOf<'ask'>['kind'];

const kinds: readonly Option<Kind>[] = [
  { value: 'request_for_action', label: t('A request'), more: t('Asks for an action.') },
  {
    ...{ value: 'ingest_new_context', label: t('New context to add') },
    more: t('The steward reviews it and notifies everyone whom it concerns.'),
  },
  {
    ...{ value: 'new_context_available', label: t('New context is available') },
    more: t('It was reviewed and concerns the recipient.'),
  },
];

const priorities = { sooner: 50, normal: 100, later: 200 } as const;

const [origin, target]: readonly FieldDef[] = [
  { type: 'select', name: 'origin', label: t('From') },
  { type: 'select', name: 'target', label: t('To') },
] as const;
const subject: FieldDef = { type: 'line', name: 'subject', label: t('Subject') };
const ingestion: FieldDef = { type: 'select', name: 'ingestion', label: t('Passes on') };
const lines = (name: string, label: string, longest: number): FieldDef => {
  return { type: 'lines', name, label, max: 100, longest };
};
const aboutContext = (max: number) => [
  lines('bundles', t('Bundles, one per line'), 200),
  lines('objectives', t('Why they matter, one reason per line'), max),
];
/** In the part that starts collapsed; times in local time, deadlines in hours. */
const folded = (max: number): readonly FieldDef[] => [
  lines('suggested', t('Suggested actions, one per line'), max),
  lines('links', t('Links: workspace files or URLs, one per line'), 200),
  lines('tags', t('Tags, one per line'), 200),
  {
    ...{ type: 'select', name: 'priority', label: t('When') },
    options: [
      { value: 'sooner', label: t('Before others') },
      { value: 'normal', label: t('In turn') },
      { value: 'later', label: t('After others') },
    ],
  },
  { type: 'time', name: 'available', label: t('Not before') },
  { type: 'time', name: 'due', label: t('Expires unless accepted by') },
  { type: 'line', name: 'respond', label: t('Hours to respond (you are notified when overdue)') },
  { type: 'line', name: 'finish', label: t('Hours to complete, once accepted') },
];

/** The kinds that are allowed between these two. */
function kindsOf(view: AskView, values: Values): readonly Option<Kind>[] {
  const isSteward = (id = '') => view.targets.find((one) => one.id === id)?.kind === 'steward';
  return kinds.filter(
    ({ value }) =>
      value === 'request_for_action' || isSteward(values[value === 'ingest_new_context' ? 'target' : 'origin']),
  );
}

function pickedKind(view: AskView, values: Values): Kind {
  return kindsOf(view, values).find(({ value }) => value === values['kind'])?.value ?? 'request_for_action';
}

function problem(view: AskView, values: Values, max: number): Missing | undefined {
  const text = (name: string) => values[name]?.trim() ?? '';
  const at = (name: string) => new Date(text(name)).getTime();
  const future = t('Choose a time in the future.');
  const isContext = pickedKind(view, values) !== 'request_for_action';
  const checks: readonly (readonly [wrong: boolean, field: string, words: string])[] = [
    [!view.origins.some(({ id }) => id === text('origin')), 'origin', t('Choose a sender.')],
    [!view.targets.some(({ id }) => id === text('target')), 'target', t('Choose a recipient.')],
    [text('origin') === text('target'), 'target', t('Sender and recipient must differ.')],
    [text('subject') === '', 'subject', t('Enter a subject.')],
    [text('subject').length > 200, 'subject', overBy(text('subject').length, 200)],
    [
      ...([text('summary') === '', 'summary'] as const),
      t('Describe the request and its reason; the recipient has no other information.'),
    ],
    [text('summary').length > max, 'summary', overBy(text('summary').length, max)],
    [isContext && linesOf(text('bundles')).length === 0, 'bundles', t('Enter the bundles, one per line.')],
    [isContext && linesOf(text('objectives')).length === 0, 'objectives', t('Say why the bundles matter.')],
  ];
  const times: typeof checks = [
    [text('available') !== '' && !(at('available') > Date.now()), 'available', future],
    [text('due') !== '' && !(at('due') > Date.now()), 'due', future],
    [text('available') !== '' && at('due') <= at('available'), 'due', t('Choose a time after “Not before”.')],
    ...['respond', 'finish'].map((name): (typeof checks)[number] => [
      ...([text(name) !== '' && secondsOf(text(name)) === undefined, name] as const),
      t('Enter hours from 0.01 to 8760, or leave it empty.'),
    ]),
  ];
  const first = (all: typeof checks): Missing | undefined => {
    const found = all.find(([wrong]) => wrong);
    return found && { field: found[1], text: found[2] };
  };
  const inLines = () => [...aboutContext(max), ...folded(max)].map((one) => problemOf(one, values)).find(Boolean);
  return first(checks) ?? inLines() ?? first(times);
}

/** Parses a number of hours, up to a year. */
function secondsOf(hours: string): number | undefined {
  const value = /^\d{1,4}([.,]\d{1,2})?$/.test(hours.trim()) ? Number(hours.trim().replace(',', '.')) : NaN;
  const seconds = Math.round(value * 3_600);
  return seconds >= 1 && value <= 8_760 ? seconds : undefined;
}

type Content = Omit<DecisionOf<'ask'>, 'type' | 'act' | 'key' | 'shown' | 'render' | 'name'>;

function contentOf(view: AskView, values: Values): Content {
  const text = (name: string) => values[name]?.trim() ?? '';
  const entries = (name: string) => linesOf(text(name));
  const kind = pickedKind(view, values);
  const isContext = kind !== 'request_for_action';
  const passed =
    kind === 'new_context_available' &&
    view.ingestions.some(({ id, steward }) => id === text('ingestion') && steward === text('origin'));
  const [respond, finish] = [secondsOf(text('respond')), secondsOf(text('finish'))];
  const time = (name: string) => new Date(text(name)).toISOString();
  return {
    ...{ kind, origin: text('origin'), target: text('target'), subject: text('subject'), summary: text('summary') },
    ...{ suggested: entries('suggested'), links: entries('links'), tags: entries('tags') },
    ...{ bundles: isContext ? entries('bundles') : [], objectives: isContext ? entries('objectives') : [] },
    priority: priorities[text('priority') as keyof typeof priorities],
    ...(passed ? { ingestion: text('ingestion') } : {}),
    ...(text('available') === '' ? {} : { availableAt: time('available') }),
    ...(text('due') === '' ? {} : { dueAt: time('due') }),
    ...(respond === undefined ? {} : { responseSeconds: respond }),
    ...(finish === undefined ? {} : { completionSeconds: finish }),
  };
}

export function askForm(page: OneFormPage, view: AskView): TemplateResult {
  return html`<article class="plain">
    ${wideTitle('comment', t('New request'), view.folder)}
    <p class="quiet">
      ${t('Asks someone to consider something. It stops no work and grants no authority: the recipient accepts, defers or rejects it.')}
    </p>
    ${view.origins.length === 0 ? noOrigin(page, view) : form(page, view)}
  </article>`;
}

/** Agents send their own requests; without a human or steward there is no sender yet. */
function noOrigin(page: OneFormPage, view: AskView): TemplateResult {
  return html`${notice('info', 'shield', t('A request needs a human or a steward as its sender, and none is appointed yet.'))}
    <div class="actions" data-focus="form" tabindex="-1">
      ${button(t('Appoint someone…'), () => page.dispatch({ type: 'select', key: view.appoint }), { wide: true, primary: true, act: 'appoint' })}
      ${leave(page)}
    </div>`;
}

function form(page: OneFormPage, view: AskView): TemplateResult {
  const { origins, targets } = view;
  // With only one name there is nothing to choose.
  const entered = filled(page, view, { priority: 'normal' });
  const only = origins.length === 1 ? origins[0] : undefined;
  const fields: Filled = only ? { ...entered, values: { ...entered.values, origin: only.id } } : entered;
  const { values, disabled, edit } = fields;
  const draw = (all: readonly FieldDef[]) => all.map((one) => field(page, one, fields));
  const kind = pickedKind(view, values);
  const allowed = kindsOf(view, values);
  const max = page.limits().reason;
  const lacking = problem(view, values, max);
  return formWith(
    page,
    view,
    html`${only ? nothing : draw([parties(origin, origins)])}
    ${draw([
      parties(
        target,
        targets.filter(({ id }) => id !== values['origin']),
      ),
    ])}
    ${allowed.length === 1 ? nothing : field(page, { type: 'radios', name: 'kind', label: t('Type'), options: allowed }, { ...fields, values: { kind } })}
    ${draw([subject])}
    ${textBox(page, {
      ...{ name: 'summary', label: t('Details (Markdown)'), value: values['summary'] ?? '', max, disabled },
      edit: (summary) => edit({ summary }),
    })}
    ${kind === 'new_context_available' ? passesOn(page, view, fields) : nothing}
    ${kind === 'request_for_action' ? nothing : draw(aboutContext(max))}
    ${part(page, 'more', t('Suggestions, links, times'), html`<div class="form">${draw(folded(max))}</div>`)}`,
    {
      ...{ send: t('Send request'), lacking, after: leave(page) },
      begun: () => {
        const isFolded = lacking && folded(0).some(({ name }) => name === lacking.field);
        if (isFolded && page.ready()) page.unfold('more', true);
      },
      make: (marks) => ({ type: 'ask', ...marks, ...contentOf(view, values) }),
    },
  );
}

function parties(def: FieldDef | undefined, all: AskView['targets']): FieldDef {
  const options = all.map(({ id, name, kind }) => {
    const called = name === id ? visibleText(id) : `${visibleText(name)} (${visibleText(id)})`;
    return { value: id, label: `${called} · ${isWords[kind]}` };
  });
  return { ...(def ?? subject), options: [{ value: '', label: t('Choose…') }, ...options] };
}

/** Earlier context of the steward: its bundles are proposed. */
function passesOn(page: OneFormPage, view: AskView, filled: Filled): Drawn {
  const { values } = filled;
  const ingestions = view.ingestions.filter(({ steward }) => steward === values['origin']);
  if (ingestions.length === 0) return nothing;
  const options = ingestions.map(({ id, subject }) => ({ value: id, label: `${id}: ${visibleText(subject)}` }));
  const edit = (change: Values) => {
    const bundles = ingestions.find(({ id }) => id === change['ingestion'])?.bundles.join('\n');
    const isEmpty = linesOf(values['bundles'] ?? '').length === 0;
    filled.edit({ ...change, ...(isEmpty && bundles !== undefined ? { bundles } : {}) });
  };
  return field(
    page,
    { ...ingestion, options: [{ value: '', label: t('No earlier context') }, ...options] },
    { ...filled, edit },
  );
}

// Appoints stewards and humans that can receive requests; only a human can.

const appointedWords = { human: t('A human'), steward: t('A steward') };

const appointFields: readonly FieldDef[] = [
  {
    ...{ type: 'radios', name: 'kind', label: t('Type') },
    options: [
      { value: 'human', label: appointedWords.human, more: t('Requests to this person are answered in this view.') },
      {
        ...{ value: 'steward', label: appointedWords.steward },
        more: t('The agents named below act for it; without any, you do so in this view.'),
      },
    ],
  },
  {
    ...{ type: 'code', name: 'id', label: t('ID') },
    hint: t('For example jane@app. An existing ID gets the new name and agents.'),
  },
  { type: 'code', name: 'called', label: t('Name') },
  {
    ...{ type: 'code', name: 'agents', label: t('Agents that act for it (optional)') },
    hint: t('Their IDs, separated by commas, for example copilot-001.'),
  },
];

function appointProblem(id: string, called: string): Missing | undefined {
  if (!/^[a-z0-9][a-z0-9._@-]{0,99}$/.test(id))
    return { field: 'id', text: t('Use lower-case letters, digits and . _ @ -') };
  return called === '' ? { field: 'called', text: t('Enter a name.') } : undefined;
}

export function appointForm(page: OneFormPage, view: AppointView): TemplateResult {
  const form = filled(page, view, { kind: 'human' });
  const { id = '', called = '', agents = '', kind } = form.values;
  const isSteward = kind === 'steward';
  return html`<article class="plain">
    ${wideTitle('shield', t('Stewards and humans'), view.folder)}
    <p class="quiet">
      ${t('Agents register themselves. Only you appoint stewards and humans. A steward reviews new context and passes it on.')}
    </p>
    ${knownAgents(page, view)}
    ${formWith(
      page,
      view,
      html`${ifStale(page, view, t('The list has changed since you started.'))}
      ${appointFields.filter(({ name }) => isSteward || name !== 'agents').map((one) => field(page, one, form))}`,
      {
        ...{ lacking: appointProblem(id.trim(), called.trim()), send: t('Save') },
        confirm: { ask: t('Save this?'), content: summary(form.values), yes: t('Yes, save it') },
        make: (marks) => ({
          ...{ type: 'appoint', ...marks, id: id.trim(), called: called.trim(), kind: isSteward ? 'steward' : 'human' },
          ...{ agents: isSteward ? agents.split(/[\s,]+/).filter((one) => one !== '') : [], confirmed: true },
        }),
      },
    )}
  </article>`;
}

function knownAgents(page: OneFormPage, view: AppointView): TemplateResult | typeof nothing {
  if (view.known.length === 0) return nothing;
  return html`<h2 class="plain-head">${tn(view.known.length, '{n} responsibility', '{n} responsibilities')}</h2>
    ${listOf(
      page,
      { name: 'known', all: view.known, kind: 'all-list' },
      ({ id, name, kind, agents }) =>
        html`${bdi(name)}
          <span class="quiet"
            >${bdi(id)} ·
            ${isWords[kind]}${agents.length === 0 ? nothing : html` · ${visible(agents.join(', '))}`}</span
          >`,
    )}`;
}

function summary({ id = '', called = '', kind, agents = '' }: Values): TemplateResult {
  const isSteward = kind === 'steward';
  return labelledText(
    [`${isSteward ? appointedWords.steward : appointedWords.human}: ${called.trim()}`],
    isSteward && agents.trim() !== '' ? `${id.trim()} · ${agents.trim()}` : id.trim(),
  );
}
