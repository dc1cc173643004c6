/** The dashboard: connects the host, the state and the drawing. */
import { nice, ticks } from 'd3-array';
import { scaleBand } from 'd3-scale';
import { line, stack } from 'd3-shape';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { DashboardMessage } from '../../src/ui/dashboard/messages.ts';
import type { AgentsView, DashboardSnapshot, HumansView, SpansView, StewardView } from '../../src/ui/dashboard/view.ts';
import { emptyState, icon, link, urgencyWords, visible } from '../shared/elements.ts';
import { locale, shownNumber, t, tn } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { ago, duration, timeSince, timeTag } from '../shared/time.ts';
import { impact } from './graph.ts';
import {
  asTable,
  createPage,
  figure,
  firstOf,
  header,
  opens,
  parseSaved,
  part,
  table,
  time,
  type Page,
  type Saved,
} from './page.ts';
import '../shared/folderTab.css';
import './dashboard.css';

// Charts as SVG in the theme's colours: stacked columns for each day, and a line over them. Scales and stacks come from
// d3; every chart has a table with the same figures.

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** A class that gives the colour, and in the legend a mark. */
  readonly look: string;
}

interface ChartOptions {
  /** A sentence that describes the chart. */
  readonly label: string;
  /** YYYY-MM-DD. */
  readonly days: readonly string[];
  readonly columns: readonly Series[];
  readonly over?: Series;
}

const size = { width: 640, height: 200, left: 34, right: 8, top: 8, bottom: 24 };

function chart({ label, days, columns, over }: ChartOptions): TemplateResult {
  const stacked = stack<string>()
    .keys(columns.map((_, index) => String(index)))
    .value((day, key) => columns[Number(key)]?.values[days.indexOf(day)] ?? 0)(days);
  const highest = Math.max(1, ...stacked.flat().map(([, top]) => top), ...(over?.values ?? []));
  const x = scaleBand()
    .domain(days)
    .range([size.left, size.width - size.right])
    .padding(0.25);
  // d3's own linear scale would bring its interpolation of colours and its formats of numbers.
  const [, top] = nice(0, highest, 4);
  const bottom = size.height - size.bottom;
  const y = (value: number) => bottom - (value / top) * (bottom - size.top);
  const path = line<number>()
    .x((_, index) => (x(days[index] ?? '') ?? 0) + x.bandwidth() / 2)
    .y((value) => y(value));
  return html`<figure class="chart scroll-x" tabindex="0">
    <svg viewBox=${`0 0 ${size.width} ${size.height}`} role="img" aria-label=${label}>
      ${ticks(0, top, 4)
        .filter(Number.isInteger)
        .map(
          (tick) =>
            svg`<line class="grid" x1=${size.left} x2=${size.width - size.right} y1=${y(tick)} y2=${y(tick)}></line>
            <text class="tick" x=${size.left - 6} y=${y(tick)} dy="0.32em" text-anchor="end">${shownNumber(tick)}</text>`,
        )}
      ${days.map((day, index) =>
        (days.length - 1 - index) % every(days.length) === 0
          ? svg`<text class="tick ${index === days.length - 1 ? 'tick-today' : ''}" x=${(x(day) ?? 0) + x.bandwidth() / 2} y=${size.height - 8} text-anchor="middle">${index === days.length - 1 ? t('Today') : shortDay(day)}</text>`
          : nothing,
      )}
      ${stacked.map((series, index) =>
        series.map(([from, to], at) =>
          to === from
            ? nothing
            : svg`<rect class="bar-${columns[index]?.look ?? ''}" x=${x(days[at] ?? '') ?? 0} y=${y(to)} width=${x.bandwidth()} height=${y(from) - y(to)}><title>${`${longDay(days[at] ?? '')}: ${columns[index]?.name ?? ''} ${shownNumber(to - from)}`}</title></rect>`,
        ),
      )}
      ${over ? svg`<path class="halo" d=${path([...over.values]) ?? ''}></path>` : nothing}
      ${over ? svg`<path class="line-${over.look}" d=${path([...over.values]) ?? ''}></path>` : nothing}
    </svg>
    <figcaption class="legend">
      ${columns.map(({ name, look }) => html`<span><span class="swatch swatch-${look}" aria-hidden="true"></span>${name}</span>`)}
      ${over ? html`<span><span class="swatch swatch-line swatch-${over.look}" aria-hidden="true"></span>${over.name}</span>` : nothing}
    </figcaption>
  </figure>`;
}

/** Labels that fit: at most about eight. */
function every(days: number): number {
  return Math.max(1, Math.ceil(days / 8));
}

/** Noon UTC falls on the same day in every time zone. */
function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}

function shortDay(day: string): string {
  return formatDay(day, { day: 'numeric', month: 'short' });
}

function longDay(day: string): string {
  return formatDay(day, { dateStyle: 'medium' });
}

// How quickly humans answer agents.

const urgencies = ['critical', 'high', 'medium', 'low'] as const;

function humans(page: Page, view: HumansView): TemplateResult {
  const { waiting, answered, cancelled, released, withdrawn, expired, days } = view;
  const { time_to_answer: took, time_to_answer_by_urgency: tookByUrgency } = view;
  if (waiting + answered + cancelled + released + withdrawn + expired === 0)
    return emptyState(t('No questions yet.'), t('The number of questions and the time answers take appear here.'));
  const columns = urgencies.map((one) => ({
    name: urgencyWords[one],
    look: one,
    values: days.map(({ raised }) => raised[one]),
  }));
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
        [
          { head: t('Urgency') },
          { head: t('Answers'), numeric: true },
          { head: t('Mean'), numeric: true },
          { head: t('Median'), numeric: true },
          { head: t('90% within'), numeric: true },
        ],
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
      html`${chart({
        label: t('Questions asked per day by urgency, and how many were decided'),
        days: days.map(({ day }) => day),
        columns,
        over: { name: t('Decided'), look: 'decided', values: days.map(({ decided }) => decided) },
      })}
      ${asTable(page, 'humans.days', () =>
        table(
          t('Questions asked per day by urgency, and how many were decided'),
          [
            { head: t('Day') },
            ...urgencies.map((one) => ({ head: urgencyWords[one], numeric: true })),
            { head: t('Decided'), numeric: true },
          ],
          days.map(({ day, raised, decided }) => [longDay(day), ...urgencies.map((one) => raised[one]), decided]),
        ),
      )}`,
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

function spanCells({ count, mean_ms, median_ms, p90_ms }: SpansView): unknown[] {
  return [count, time(mean_ms), time(median_ms), time(p90_ms)];
}

// How healthy the queue of requests is.

function steward(page: Page, view: StewardView): TemplateResult {
  if (Object.keys(view.by_status).length === 0)
    return emptyState(
      t('No requests yet.'),
      t('When one responsibility asks another to act, the queue and its response times appear here.'),
    );
  const { days, by_target: targets } = view;
  const numeric = (head: string) => ({ head, numeric: true });
  return html`
    <p class="headline">${tn(view.depth, '{n} request in the queue', '{n} requests in the queue')}</p>
    ${table(
      t('Requests'),
      [
        { head: t('Step') },
        numeric(t('Requests')),
        numeric(t('Mean')),
        numeric(t('Median')),
        numeric(t('90% within')),
        numeric(t('Breaches')),
      ],
      [
        [t('Response'), ...spanCells(view.response), view.response_breaches],
        [t('Completion'), ...spanCells(view.completion), view.completion_breaches],
      ],
    )}
    ${part(
      t('By responsibility'),
      table(
        t('By responsibility'),
        [{ head: t('Responsibility') }, numeric(t('Queue')), numeric(t('Breaches'))],
        targets.map(({ target, depth, breaches }) => [html`<bdi>${visible(target)}</bdi>`, depth, breaches]),
      ),
    )}
    ${part(
      t('Over the last days'),
      html`${chart({
        label: t('Requests created and closed per day, and how many were open at the end of it'),
        days: days.map(({ day }) => day),
        columns: [
          { name: t('Created'), look: 'created', values: days.map(({ created }) => created) },
          { name: t('Closed'), look: 'closed', values: days.map(({ closed }) => closed) },
        ],
        over: { name: t('Open'), look: 'decided', values: days.map(({ depth }) => depth) },
      })}
      ${asTable(page, 'steward.days', () =>
        table(
          t('Requests created and closed per day, and how many were open at the end of it'),
          [{ head: t('Day') }, numeric(t('Created')), numeric(t('Closed')), numeric(t('Open')), numeric(t('Breaches'))],
          days.map(({ day, created, closed, depth, breaches }) => [longDay(day), created, closed, depth, breaches]),
        ),
      )}`,
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
  return html`<ul class="agents-list">
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
  return html`<li class="agent">
    <h2>
      <bdi>${visible(shownAgent(id, own))}</bdi>${
        label === id ? nothing : html` <span class="quiet"><bdi>${visible(label)}</bdi></span>`
      }
      <span class="agent-state">${waitingText(waitsOn)}</span>
    </h2>
    <p class="quiet">
      ${waited === null ? t('Has not waited for you yet') : t('Cost of waiting so far: {time}', { time: duration(waited) })}
    </p>
    ${endedRow(one.questions)}
    ${
      waitsOn.length === 0
        ? nothing
        : html`<ul class="rows-list">
            ${waitsOn.map(
              (wait) =>
                html`<li>
                  ${opens(page, wait)}
                  <span class="quiet"
                    >· ${t('waiting {time}', { time: timeSince(wait.since) })} ·
                    ${wait.holds === 0 ? t('holds nothing') : tn(wait.holds, 'holds {n} item', 'holds {n} items')} ·
                    ${wait.stops ? t('on hold until the answer') : t('still working')}</span
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      !dismisses || !waitsOn.some(({ kind }) => kind === 'question')
        ? nothing
        : html`<p>
            ${link(t('Dismiss all…'), () => page.dispatch({ type: 'releaseAll', agent: id }), { act: 'release-all' })}
          </p>`
    }
    ${
      doing.length === 0
        ? html`<p class="quiet">${t('Not working on anything.')}</p>`
        : html`<h3>${t('Working on')}</h3>
            <ul class="rows-list">
              ${doing.map(
                (item) =>
                  html`<li>
                    ${link(html`<bdi>${visible(item.title)}</bdi>`, () => page.dispatch({ type: 'work', id: item.id }), { act: 'work' })}${
                      item.step === null ? nothing : html`: <bdi>${visible(item.step)}</bdi>`
                    }
                    <span class="quiet">${visible(item.id)} ${item.held ? t('(held)') : nothing}</span>
                  </li>`,
              )}
            </ul>`
    }
    ${
      unacknowledged.length === 0
        ? nothing
        : html`<h3>${t('Decided, not picked up yet')}</h3>
            <ul class="rows-list">
              ${unacknowledged.map(
                (done) =>
                  html`<li>
                    ${opens(page, done)}
                    <span class="quiet"
                      >· ${timeTag(done.decided_at, t('decided {time}', { time: ago(done.decided_at) }))}</span
                    >
                  </li>`,
              )}
            </ul>`
    }
  </li>`;
}

/** How its questions ended; nothing before the first has. */
function endedRow({
  answered_in_one_go,
  asked_back,
  cancelled,
  not_needed,
}: Agent['questions']): TemplateResult | typeof nothing {
  const parts = [
    [answered_in_one_go, t('{n} answered in one go', { n: answered_in_one_go })],
    [asked_back, t('{n} asked back', { n: asked_back })],
    [cancelled, t('{n} no longer needed', { n: cancelled })],
    [not_needed, t('{n} not needed (dismissed or withdrawn)', { n: not_needed })],
  ] as const;
  if (parts.every(([n]) => n === 0)) return nothing;
  return html`<p class="quiet ended">
    ${t('Its questions: {counts}', { counts: parts.map(([, words]) => words).join(', ') })}
  </p>`;
}

/** Stuck or not, and since when. */
function waitingText(waitsOn: Agent['waits_on']): TemplateResult {
  const [stopping] = waitsOn.filter(({ stops }) => stops);
  if (stopping) return html`${icon('debug-pause')}${t('stopped for {time}', { time: duration(stopping.waiting_ms) })}`;
  if (waitsOn.length === 0) return html`<span class="quiet">${t('not waiting')}</span>`;
  return html`${icon('watch')}${tn(waitsOn.length, 'waits for {n} item', 'waits for {n} items')}`;
}

function viewOf(page: Page, { view }: DashboardSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view);
  return html`<div class="dash">
    ${header(page, view)}
    <section class="panel" role="tabpanel" id="panel" aria-labelledby=${`tab-${view.data.tab}`} tabindex="-1">
      ${contentOf(page, view.data)}
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
      return steward(page, data);
    case 'humans':
      return humans(page, data);
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
