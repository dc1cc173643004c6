/** The dashboard: connects the host, the state and the drawing. */
import { html, nothing, type TemplateResult } from 'lit';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { DashboardMessage } from '../../src/ui/dashboard/messages.ts';
import type {
  AgentsView,
  DashboardSnapshot,
  HumansView,
  ImpactView,
  OtherView,
  SpansView,
  StewardView,
} from '../../src/ui/dashboard/view.ts';
import { emptyState, icon, link, urgencyWords, visible } from '../shared/elements.ts';
import { locale, shownNumber, t, tn } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { ago, duration, timeSince, timeTag } from '../shared/time.ts';
import {
  createPage,
  figure,
  firstOf,
  header,
  numeric,
  opens,
  parseSaved,
  part,
  table,
  time,
  type Column,
  type Page,
  type Saved,
} from './page.ts';
import '../shared/folderTab.css';
import './dashboard.css';

// How much is held and by what: figures, the longest holds, and what each of them holds.

const edgeWords = {
  holds: t('holds'),
  part_of: t('has the step'),
  depends_on: t('is needed by'),
};

/** Long lists are collapsed so that what is below stays in view. */
const firstHolders = 10;

function impact(page: Page, view: ImpactView): TemplateResult {
  if (view.holders.length === 0)
    return emptyState(
      t('Nothing is held.'),
      t('When an agent stops to ask, the work it holds and everything that depends on it appears here.'),
    );
  const { shown, more } = firstOf(page, 'impact.holders', view.holders, firstHolders);
  return html`
    <p class="headline">
      ${tn(view.held_workflows, '{n} workflow held', '{n} workflows held')}<span class="quiet"> · </span
      >${tn(view.held_tasks, '{n} task held', '{n} tasks held')}
    </p>
    ${part(
      t('Longest holds'),
      table(
        t('Longest holds'),
        [t('What'), t('Urgency'), t('Agent'), t('Waits'), numeric(t('Workflows')), numeric(t('Tasks'))],
        shown.map((holder) => [
          opens(page, holder),
          holder.urgency === null ? t('RFC') : urgencyWords[holder.urgency],
          html`<bdi>${visible(shownAgent(holder.agent_id, view.own ?? null))}</bdi>`,
          timeTag(holder.since, timeSince(holder.since)),
          holder.workflows,
          holder.tasks,
        ]),
      ),
      more,
    )}
    ${part(t('What each of them holds'), outline(page, view, shown))}
  `;
}

/** The dependency graph as an outline: each holder, its work, and what waits for that. An item is unfolded once. */
function outline(page: Page, { nodes, edges }: ImpactView, holders: ImpactView['holders']): TemplateResult {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const unfolded = new Set<string>();
  const item = (id: string, how: unknown, name: unknown): TemplateResult => {
    const inner = unfolded.has(id) ? [] : edges.filter(({ from }) => from === id);
    unfolded.add(id);
    return html`<li>
      ${how} ${name}
      ${
        inner.length === 0
          ? nothing
          : html`<ul class="indented">
              ${inner.map(({ to, kind }) => item(to, html`<span class="quiet">${edgeWords[kind]}</span>`, workLink(page, { id: to, title: names.get(to) ?? to })))}
            </ul>`
      }
    </li>`;
  };
  return html`<ul>
    ${holders.map((holder) => item(holder.id, nothing, opens(page, holder)))}
  </ul>`;
}

function workLink(page: Page, { id, title }: { readonly id: string; readonly title: string }): TemplateResult {
  return html`${link(html`<bdi>${visible(title)}</bdi>`, () => page.dispatch({ type: 'work', id }), { act: 'work' })}
    <span class="quiet">${visible(id)}</span>`;
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

// How quickly humans answer agents.

const urgencies = ['critical', 'high', 'medium', 'low'] as const;

function humans(view: HumansView): TemplateResult {
  const { waiting, answered, cancelled, released, withdrawn, expired, days } = view;
  const { time_to_answer: took, time_to_answer_by_urgency: tookByUrgency } = view;
  if (waiting + answered + cancelled + released + withdrawn + expired === 0)
    return emptyState(t('No questions yet.'), t('The number of questions and the time answers take appear here.'));
  return html`
    <p class="headline">${tn(waiting, '{n} question waiting', '{n} questions waiting')}</p>
    <dl class="figures">
      ${figure(t('Answered'), answered)} ${figure(t('Dismissed as no longer needed'), cancelled)}
      ${figure(t('Dismissed without an answer'), released)} ${figure(t('Withdrawn by agents'), withdrawn)}
      ${figure(t('Expired before a decision'), expired)}
    </dl>
    ${part(
      t('Time to answer'),
      table(
        t('Time to answer'),
        [t('Urgency'), ...spanHeads(t('Answers'))],
        [
          [t('all'), ...spanCells(took)],
          ...urgencies
            .filter((one) => tookByUrgency[one].count > 0)
            .map((one) => [urgencyWords[one], ...spanCells(tookByUrgency[one])]),
        ],
      ),
    )}
    ${part(
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
    )}
    ${part(
      t('Other figures'),
      html`<dl class="figures">
        ${figure(t('Reused answers'), view.reused)} ${figure(t('Answers no longer reused'), view.revoked)}
        ${figure(
          t('Answers from the AI reviewer'),
          view.ai_answers,
          view.ai_answers === 0 ? nothing : html`${shownNumber(view.ai_overruled)} ${t('rejected by a person')}`,
        )}
        ${figure(t('Follow-up calls to the AI reviewer'), view.reviewer_loops)}
      </dl>`,
    )}
  `;
}

function spanHeads(count: string): Column[] {
  return [count, t('Mean'), t('Median'), t('90% within')].map((head) => numeric(head));
}

function spanCells({ count, mean_ms, median_ms, p90_ms }: SpansView): unknown[] {
  return [count, time(mean_ms), time(median_ms), time(p90_ms)];
}

// How healthy the queue of requests is.

function steward(view: StewardView): TemplateResult {
  if (Object.keys(view.by_status).length === 0)
    return emptyState(
      t('No requests yet.'),
      t('When one responsibility asks another to act, the queue and its response times appear here.'),
    );
  const { days, by_target: targets } = view;
  return html`
    <p class="headline">${tn(view.depth, '{n} request in the queue', '{n} requests in the queue')}</p>
    ${table(
      t('Requests'),
      [t('Step'), ...spanHeads(t('Requests')), numeric(t('Breaches'))],
      [
        [t('Response'), ...spanCells(view.response), view.response_breaches],
        [t('Completion'), ...spanCells(view.completion), view.completion_breaches],
      ],
    )}
    ${part(
      t('By responsibility'),
      table(
        t('By responsibility'),
        [t('Responsibility'), numeric(t('Queue')), numeric(t('Breaches'))],
        targets.map(({ target, depth, breaches }) => [html`<bdi>${visible(target)}</bdi>`, depth, breaches]),
      ),
    )}
    ${part(
      t('Over the last days'),
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
    )}
  `;
}

// For each agent, the items it waits for and how long, its current work, and decisions that it has not picked up.

/** Those that wait longest come first; a list of five hundred is too long to read. */
const firstAgents = 30;

type Agent = AgentsView['agents'][number];

function agents(page: Page, { agents: all, ...view }: AgentsView): TemplateResult {
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

function agent(
  page: Page,
  one: Agent,
  { own = null, dismisses = false }: Pick<AgentsView, 'own' | 'dismisses'>,
): TemplateResult {
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
    ${
      waitsOn.length === 0
        ? nothing
        : rowsOf(
            waitsOn,
            (wait) =>
              html`${opens(page, wait)}
                <span class="quiet"
                  >· ${t('waiting {time}', { time: timeSince(wait.since) })} ·
                  ${wait.holds === 0 ? t('holds nothing') : tn(wait.holds, 'holds {n} item', 'holds {n} items')} ·
                  ${wait.stops ? t('on hold until the answer') : t('still working')}</span
                >`,
          )
    }
    ${
      doing.length === 0
        ? html`<p class="quiet">${t('Not working on anything.')}</p>`
        : html`<h3>${t('Working on')}</h3>
            ${rowsOf(
              doing,
              (item) =>
                html`${workLink(page, item)}
                ${item.held ? html`<span class="quiet">${t('(held)')}</span>` : nothing}${
                  item.step === null ? nothing : html`: <bdi>${visible(item.step)}</bdi>`
                }`,
            )}`
    }
    ${
      unacknowledged.length === 0
        ? nothing
        : html`<h3>${t('Decided, not picked up yet')}</h3>
            ${rowsOf(
              unacknowledged,
              (done) =>
                html`${opens(page, done)}
                  <span class="quiet"
                    >· ${timeTag(done.decided_at, t('decided {time}', { time: ago(done.decided_at) }))}</span
                  >`,
            )}`
    }
    <p class="quiet small">
      ${waited === null ? t('Has not waited for you yet') : t('Cost of waiting so far: {time}', { time: duration(waited) })}
    </p>
  </li>`;
}

function rowsOf<Row>(rows: readonly Row[], row: (one: Row) => TemplateResult): TemplateResult {
  return html`<ul>
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

// Folders that the page does not show, with what waits there. An item opens in its own folder.

function otherFolders(page: Page, all: readonly OtherView[] = []): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return part(
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
    ${rowsOf(shown, (item) => html`${to(item.title ?? untitled(item), item.id)} <span class="quiet">${otherFacts(item, person)}</span>`)}
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
    ${header(page, view)}
    <section class="panel" role="tabpanel" id="panel" aria-labelledby=${`tab-${view.data.tab}`} tabindex="-1">
      ${contentOf(page, view.data)} ${view.data.tab === 'agents' ? otherFolders(page, others) : nothing}
    </section>
  </div>`;
}

type Data = Extract<DashboardSnapshot['view'], { type: 'dashboard' }>['data'];

function contentOf(page: Page, data: Data): TemplateResult {
  switch (data.tab) {
    case 'impact':
      return impact(page, data);
    case 'agents':
      return agents(page, data);
    case 'steward':
      return steward(data);
    case 'humans':
      return humans(data);
  }
}

const page = startSurface<DashboardSnapshot, DashboardMessage, Saved, Page>({
  label: t('Overview'),
  parse: parseSaved,
  create: createPage,
  content: viewOf,
  data: ({ view }) => ({ tab: view.type === 'dashboard' ? view.data.tab : '' }),
});
page.begin();
