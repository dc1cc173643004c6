/** The overview: who waits for a person and since when, then what is held and the figures. */
import { html, nothing, type TemplateResult } from 'lit';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { DashboardMessage } from '../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot, DashboardView, OtherView } from '../../src/ui/dashboard/view.ts';
import { emptyState, folderPicker, icon, link, urgencyWords, visible } from '../shared/elements.ts';
import { part } from '../shared/parts.ts';
import { locale, shownNumber, t, tn } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { ago, duration, timeSince, timeTag } from '../shared/time.ts';
import {
  createPage,
  figure,
  firstOf,
  numeric,
  opens,
  parseSaved,
  section,
  table,
  time,
  type Column,
  type Page,
  type Saved,
} from './page.ts';
import '../shared/folderTab.css';
import './dashboard.css';

// Who waits: for each agent, the items it waits for and how long, its current work, and decisions that it has not
// picked up.

/** Those that wait longest come first; a list of five hundred is too long to read. */
const firstAgents = 30;

type Agent = DashboardView['agents']['agents'][number];

function whoWaits(page: Page, view: DashboardView): TemplateResult {
  const all = view.agents.agents;
  if (all.length === 0)
    return emptyState(t('No agents yet.'), t('No agent is working. When one stops to ask, its question appears here.'));
  const { shown, more } = firstOf(page, 'agents.all', all, firstAgents);
  const waiting = all.filter(({ waits_on: waitsOn }) => waitsOn.length > 0).length;
  return html`<p class="headline">
      ${waiting === 0 ? t('No agent waits for you.') : tn(waiting, '{n} agent waits for you', '{n} agents wait for you')}
    </p>
    <ul>
      ${shown.map((one) => agent(page, one, view))}
    </ul>
    ${more}`;
}

function agent(page: Page, one: Agent, { own = null, dismisses }: DashboardView): TemplateResult {
  const { agent_id: id, label, waits_on: waitsOn, waited_ms: waited, doing, unacknowledged } = one;
  return html`<li class="entry">
    <div class="entry-head">
      <h2>
        <bdi>${visible(shownAgent(id, own))}</bdi
        >${label === id ? nothing : html` <span class="quiet"><bdi>${visible(label)}</bdi></span>`}
        <span class="entry-state">${waitingText(waitsOn)}</span>
      </h2>
      ${
        dismisses && waitsOn.some(({ kind }) => kind === 'question')
          ? link(t('Dismiss all…'), () => page.dispatch({ type: 'releaseAll', agent: id }), { act: 'release-all' })
          : nothing
      }
    </div>
    ${rowsOf(
      null,
      waitsOn,
      (wait) =>
        html`${opens(page, wait)}
          <span class="quiet"
            >· ${timeTag(wait.since, t('waiting {time}', { time: timeSince(wait.since) }))} ·
            ${wait.holds === 0 ? t('holds nothing') : tn(wait.holds, 'holds {n} item', 'holds {n} items')} ·
            ${wait.stops ? t('on hold until the answer') : t('still working')}</span
          >`,
    )}
    ${rowsOf(
      t('Working on'),
      doing,
      (item) =>
        html`${workLink(page, item)}
        ${item.held ? html`<span class="quiet">${t('(held)')}</span>` : nothing}${
          item.step === null ? nothing : html`: <bdi>${visible(item.step)}</bdi>`
        }`,
    )}
    ${rowsOf(
      t('Decided, not picked up yet'),
      unacknowledged,
      (done) =>
        html`${opens(page, done)}
          <span class="quiet"
            >· ${timeTag(done.decided_at, t('decided {time}', { time: ago(done.decided_at) }))}</span
          >`,
    )}
    ${waited === null ? nothing : html`<p class="quiet small">${t('Waited for you: {time} in all', { time: duration(waited) })}</p>`}
  </li>`;
}

/** Nothing without rows. */
function rowsOf<Row>(
  title: string | null,
  rows: readonly Row[],
  row: (one: Row) => TemplateResult,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return html`${title === null ? nothing : html`<h3>${title}</h3>`}
    <ul>
      ${rows.map((one) => html`<li>${row(one)}</li>`)}
    </ul>`;
}

/** Stuck or not, and since when. */
function waitingText(waitsOn: Agent['waits_on']): TemplateResult {
  const [stopping] = waitsOn.filter(({ stops }) => stops);
  if (stopping) return html`${icon('debug-pause')}${t('stopped for {time}', { time: duration(stopping.waiting_ms) })}`;
  if (waitsOn.length === 0) return html`<span class="quiet">${t('not waiting')}</span>`;
  return html`${icon('watch')}${tn(waitsOn.length, 'waits for {n} item', 'waits for {n} items')}`;
}

function workLink(page: Page, { id, title }: { readonly id: string; readonly title: string }): TemplateResult {
  return html`${link(html`<bdi>${visible(title)}</bdi>`, () => page.dispatch({ type: 'work', id }), { act: 'work' })}
    <span class="quiet">${visible(id)}</span>`;
}

// What is held: the longest holds, each with its work in a fold.

const edgeWords = {
  holds: t('holds'),
  part_of: t('has the step'),
  depends_on: t('is needed by'),
};

/** Long lists are collapsed so that what is below stays in view. */
const firstHolders = 10;

function heldWork(page: Page, view: DashboardView): TemplateResult {
  const { held_workflows: workflows, held_tasks: tasks, holders } = view.impact;
  const { shown, more } = firstOf(page, 'impact.holders', holders, firstHolders);
  return section(
    holders.length === 0 ? t('Nothing is held.') : t('Held: {work}', { work: amount(workflows, tasks) }),
    html`<ul>
      ${shown.map((holder) => held(page, view, holder))}
    </ul>`,
    more,
  );
}

function amount(workflows: number, tasks: number): string {
  return [
    ...(workflows === 0 ? [] : [tn(workflows, '{n} workflow', '{n} workflows')]),
    ...(tasks === 0 && workflows > 0 ? [] : [tn(tasks, '{n} task', '{n} tasks')]),
  ].join(' · ');
}

function held(
  page: Page,
  { impact, own = null }: DashboardView,
  holder: DashboardView['impact']['holders'][number],
): TemplateResult {
  const name = `impact ${holder.id}`;
  return html`<li class="entry">
    ${opens(page, holder)}
    <span class="quiet"
      >· ${holder.urgency === null ? t('RFC') : urgencyWords[holder.urgency]} ·
      <bdi>${visible(shownAgent(holder.agent_id, own))}</bdi> ·
      ${timeTag(holder.since, t('waiting {time}', { time: timeSince(holder.since) }))}</span
    >
    ${part(page, name, t('Holds {work}', { work: amount(holder.workflows, holder.tasks) }), page.isUnfolded(name) ? outline(page, impact, holder.id) : nothing)}
  </li>`;
}

/** The dependency graph as an outline: the work of a holder, and what waits for that. An item is unfolded once. */
function outline(page: Page, { nodes, edges }: DashboardView['impact'], holder: string): TemplateResult {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const unfolded = new Set<string>();
  const below = (id: string): TemplateResult | typeof nothing => {
    const inner = unfolded.has(id) ? [] : edges.filter(({ from }) => from === id);
    unfolded.add(id);
    if (inner.length === 0) return nothing;
    return html`<ul class="indented">
      ${inner.map(
        ({ to, kind }) =>
          html`<li>
            <span class="quiet">${edgeWords[kind]}</span> ${workLink(page, { id: to, title: names.get(to) ?? to })}
            ${below(to)}
          </li>`,
      )}
    </ul>`;
  };
  return html`${below(holder)}`;
}

// Figures of each day: a table, with a bar of the first of them.

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** The class that gives its part of the bar a colour; none for a figure without a part. */
  readonly look?: string;
}

function daily(caption: string, days: readonly string[], series: readonly Series[]): TemplateResult {
  const drawn = series.filter(({ look }) => look !== undefined);
  const sums = days.map((_, at) => drawn.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const bar = (at: number) =>
    html`<span class="bar" aria-hidden="true"
      >${drawn.map(({ look = '', values }) => html`<span class="bar-${look}" .style=${`width:${String(((values[at] ?? 0) / most) * 100)}%`}></span>`)}</span
    >`;
  const heads = series.map(({ name, look }) =>
    numeric(name, look === undefined ? nothing : html`<span class="swatch bar-${look}" aria-hidden="true"></span>`),
  );
  const rows = days.map((day, at) => [
    at === days.length - 1 ? t('Today') : longDay(day),
    bar(at),
    ...series.map(({ values }) => values[at]),
  ]);
  return table(caption, [t('Day'), t('Chart'), ...heads], rows.reverse());
}

/** Noon UTC falls on the same day in every time zone. */
function longDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  );
}

// How quickly people answer agents.

const urgencies = ['critical', 'high', 'medium', 'low'] as const;

function answers(page: Page, { humans }: DashboardView): TemplateResult | typeof nothing {
  const { waiting, answered, cancelled, released, withdrawn, expired, days } = humans;
  const { time_to_answer: took, time_to_answer_by_urgency: tookByUrgency } = humans;
  if (waiting + answered + cancelled + released + withdrawn + expired === 0) return nothing;
  const rejected = html`${shownNumber(humans.ai_overruled)} ${t('rejected by a person')}`;
  const rareFigures: readonly (readonly [string, number, TemplateResult?])[] = [
    [t('Dismissed as no longer needed'), cancelled],
    [t('Dismissed without an answer'), released],
    [t('Withdrawn by agents'), withdrawn],
    [t('Expired before a decision'), expired],
    [t('Reused answers'), humans.reused],
    [t('Answers no longer reused'), humans.revoked],
    [t('Answers from the AI reviewer'), humans.ai_answers, rejected],
    [t('Follow-up calls to the AI reviewer'), humans.reviewer_loops],
  ];
  return section(
    t('Questions'),
    html`<dl class="figures">
      ${figure(t('Waiting'), waiting)} ${figure(t('Answered'), answered)}
      ${rareFigures.filter(([, count]) => count > 0).map(([label, count, more]) => figure(label, count, more))}
    </dl>`,
    answered === 0
      ? nothing
      : table(
          t('Time to answer'),
          [t('Time to answer'), ...spanHeads(t('Answers'))],
          [
            [t('all'), ...spanCells(took)],
            ...urgencies
              .filter((one) => tookByUrgency[one].count > 0)
              .map((one) => [urgencyWords[one], ...spanCells(tookByUrgency[one])]),
          ],
        ),
    part(
      page,
      'humans.days',
      t('Questions per day'),
      daily(
        t('Questions asked per day by urgency, and how many were decided'),
        days.map(({ day }) => day),
        [
          ...urgencies.map((one) => ({
            name: urgencyWords[one],
            look: one,
            values: days.map(({ raised }) => raised[one]),
          })),
          { name: t('Decided'), values: days.map(({ decided }) => decided) },
        ],
      ),
    ),
  );
}

type Spans = DashboardView['humans']['time_to_answer'];

function spanHeads(count: string): Column[] {
  return [count, t('Mean'), t('Median'), t('90% within')].map((head) => numeric(head));
}

function spanCells({ count, mean_ms, median_ms, p90_ms }: Spans): unknown[] {
  return [count, time(mean_ms), time(median_ms), time(p90_ms)];
}

// How healthy the queue of requests is.

function requests(page: Page, { requests: view }: DashboardView): TemplateResult | typeof nothing {
  if (view === null) return nothing;
  const { days, by_target: targets } = view;
  return section(
    tn(view.depth, '{n} request in the queue', '{n} requests in the queue'),
    table(
      t('Requests'),
      [t('Time to'), ...spanHeads(t('Requests')), numeric(t('Breaches'))],
      [
        [t('response'), ...spanCells(view.response), view.response_breaches],
        [t('completion'), ...spanCells(view.completion), view.completion_breaches],
      ],
    ),
    table(
      t('By responsibility'),
      [t('Responsibility'), numeric(t('Queue')), numeric(t('Breaches'))],
      targets.map(({ target, depth, breaches }) => [html`<bdi>${visible(target)}</bdi>`, depth, breaches]),
    ),
    part(
      page,
      'requests.days',
      t('Requests per day'),
      daily(
        t('Requests created and closed per day, and how many were open at the end of it'),
        days.map(({ day }) => day),
        [
          { name: t('Created'), look: 'created', values: days.map(({ created }) => created) },
          { name: t('Closed'), values: days.map(({ closed }) => closed) },
          { name: t('Open'), values: days.map(({ depth }) => depth) },
          { name: t('Breaches'), values: days.map(({ breaches }) => breaches) },
        ],
      ),
    ),
  );
}

// Folders that the page does not show, with what waits there. An item opens in its own folder.

function otherFolders(page: Page, all: readonly OtherView[] = []): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return section(
    t('In other folders'),
    html`<ul>
      ${all.map((one) => otherFolder(page, one))}
    </ul>`,
  );
}

/** More items of a folder are not readable here. */
const firstItems = 20;

function otherFolder(page: Page, { project, folder, person, state, problem, items }: OtherView): TemplateResult {
  const isMissing = state === 'missing';
  const to = (words: string, id: string | null) =>
    folder === null || isMissing
      ? html`<bdi>${visible(words)}</bdi>`
      : link(html`<bdi>${visible(words)}</bdi>`, () => page.dispatch({ type: 'other', folder, id }), { act: 'other' });
  const remove = () => {
    if (folder !== null) page.dispatch({ type: 'removeOther', folder });
  };
  const { shown, more } = firstOf(page, `other ${folder ?? ''}`, items, firstItems);
  return html`<li class="entry" data-folder=${folder ?? project}>
    <h2>
      ${to(project, null)} <span class="quiet small"><bdi>${visible(folder ?? '')}</bdi></span>
    </h2>
    ${isMissing ? html`<p class="quiet">${t('This folder no longer exists.')} ${link(t('Remove from the list'), remove, { act: 'remove-other' })}</p>` : nothing}
    ${problem === null ? nothing : html`<p class="entry-state error">${icon('error')}<span>${visible(problem)}</span></p>`}
    ${rowsOf(null, shown, (item) => html`${to(item.title ?? untitled(item), item.id)} <span class="quiet">${otherFacts(item, person)}</span>`)}
    ${more}
  </li>`;
}

function untitled({ kind, id }: OtherView['items'][number]): string {
  return kind === 'request' ? t('Request {id}', { id }) : t('Proposal about {id}', { id });
}

/** Who asks, for whom, since when and how urgently, as far as it is known. */
function otherFacts(item: OtherView['items'][number], person: string | null): TemplateResult[] {
  const { id, urgency, holding, waiting_since: since, asked_by: by, for: who } = item;
  return [
    ...(item.title === null ? [] : [html`${visible(id)}`]),
    ...(urgency === null ? [] : [html`${urgencyWords[urgency]}`]),
    html`<bdi>${visible(shownAgent(by, person))}</bdi>`,
    ...(who === null ? [] : [html`${visible(t('for {name}', { name: who }))}`]),
    timeTag(since, t('waiting {time}', { time: timeSince(since) })),
    ...(holding ? [html`${t('on hold until the answer')}`] : []),
  ].map((fact, at) => (at === 0 ? fact : html` · ${fact}`));
}

function viewOf(page: Page, { view, others }: DashboardSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view, otherFolders(page, others));
  return html`<div class="tab-page">
    <header class="tab-head">
      <h1>${t('Overview')}</h1>
      ${folderPicker(page, view, t('Folder'))}
    </header>
    ${whoWaits(page, view)} ${otherFolders(page, others)} ${heldWork(page, view)} ${requests(page, view)}
    ${answers(page, view)}
  </div>`;
}

const page = startSurface<DashboardSnapshot, DashboardMessage, Saved, Page>({
  label: t('Overview'),
  parse: parseSaved,
  create: createPage,
  content: viewOf,
});
page.begin();
