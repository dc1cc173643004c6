/** `holdpoint dashboard --view impact|agents|steward|humans`: the figures of the editor's dashboard. */
import * as z from 'zod';
import {
  dashboard,
  dashboardNames,
  localCalendar,
  type DashboardName,
  type Dashboards,
} from '../../app/dashboard/dashboard.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import type { AgentNow } from '../../core/dashboard/agents.ts';
import type { Spans } from '../../core/dashboard/figures.ts';
import { onOneLine, fewLines, plural } from '../../core/kit/text.ts';
import { urgency as urgencies } from '../../core/kit/words.ts';
import { table } from '../kit/outputs.ts';
import { verb } from '../kit/verb.ts';

// Dashboards as text, for a terminal: a sentence, then tables.

/** @param own the person whose agents run here */
export function dashboardText<N extends DashboardName>(
  name: N,
  data: Dashboards[N],
  own: string | null = null,
): string {
  const texts: { readonly [K in DashboardName]: (data: Dashboards[K], own: string | null) => string } = {
    impact,
    agents,
    steward,
    humans,
  };
  return texts[name](data, own);
}

function impact(
  { held_workflows: workflows, held_tasks: tasks, holders }: Dashboards['impact'],
  own: string | null,
): string {
  const head = `${plural(workflows, 'workflow')} held, ${plural(tasks, 'task')} held`;
  if (holders.length === 0) return `${head}.`;
  const rows = holders.map(({ id, name, agent_id, urgency, waiting_ms, workflows: flows, tasks: items }) => [
    id,
    urgency ?? 'RFC',
    shownAgent(agent_id, own),
    span(waiting_ms),
    String(flows),
    String(items),
    name,
  ]);
  return `${head}:\n${fewRows(['id', 'urgency', 'agent', 'waits', 'workflows', 'tasks', 'what'], rows)}`;
}

function agents({ agents: all }: Dashboards['agents'], own: string | null): string {
  return all.length === 0 ? 'No agents yet.' : fewLines(all.map((one) => agentLines(one, own))).join('\n');
}

function agentLines(one: AgentNow, own: string | null): string {
  const { agent_id: id, label, waits_on, waited_ms, questions, doing, unacknowledged } = one;
  const name = label === id ? shownAgent(id, own) : `${label} (${id})`;
  const head =
    waits_on.length === 0 ? `${name} waits for nothing` : `${name} waits for ${plural(waits_on.length, 'item')}`;
  const stopped = waited_ms === null ? '' : ` Stopped for ${span(waited_ms)} in total.`;
  const lines = [
    ...fewLines(
      waits_on.map(
        (one) =>
          `${one.stops ? 'stopped' : 'waits'} ${span(one.waiting_ms)}: ${one.name} (${one.id}), holds ${String(one.holds)}`,
      ),
    ),
    ...fewLines(
      doing.map(
        (item) =>
          `${item.held ? 'held' : 'works on'}: ${item.title} (${item.id})${item.step === null ? '' : `, ${item.step}`}`,
      ),
    ),
    ...fewLines(
      unacknowledged.map((one) => `has not picked up: ${one.name} (${one.id}), decided ${span(one.since_ms)} ago`),
    ),
    ...endedLines(questions),
  ];
  return [onOneLine(`${head}.${stopped}`), ...lines.map((line) => `  ${onOneLine(line)}`)].join('\n');
}

function endedLines({ answered_in_one_go, asked_back, cancelled, not_needed }: AgentNow['questions']): string[] {
  const counts = countsText([
    [answered_in_one_go, 'answered in one go'],
    [asked_back, 'asked back'],
    [cancelled, 'cancelled'],
    [not_needed, 'not needed'],
  ]);
  return counts === '' ? [] : [`questions: ${counts}`];
}

function steward(data: Dashboards['steward']): string {
  const statuses = Object.entries(data.by_status).map(([status, count]) => `${String(count)} ${status}`);
  return [
    `${plural(data.depth, 'request')} in the queue${statuses.length === 0 ? '' : ` (all: ${statuses.join(', ')})`}.`,
    ...spansLine('Response', data.response, data.response_breaches),
    ...spansLine('Completion', data.completion, data.completion_breaches),
    ...rowsThatSay(
      ['target', 'queue', 'breaches'],
      data.by_target.map(({ target, depth, breaches }) => [target, String(depth), String(breaches)]),
    ),
    ...rowsThatSay(
      ['day', 'created', 'closed', 'open', 'breaches'],
      data.days.map(({ day, created, closed, depth, breaches }) => [
        day,
        ...[created, closed, depth, breaches].map(String),
      ]),
    ),
  ].join('\n');
}

function humans(data: Dashboards['humans']): string {
  const { waiting, answered, cancelled, released, withdrawn, expired } = data;
  const { reused, revoked, ai_answers, ai_overruled, reviewer_loops } = data;
  const counts = countsText([
    [answered, 'answered'],
    [cancelled, 'cancelled'],
    [released, 'released'],
    [withdrawn, 'withdrawn'],
    [expired, 'expired before a decision'],
  ]);
  const others = countsText([
    [reused, 'reused answers'],
    [revoked, 'answers revoked'],
    [ai_answers, 'AI answers'],
    [ai_overruled, 'AI answers rejected'],
    [reviewer_loops, 'follow-up calls to the AI reviewer'],
  ]);
  return [
    `${plural(waiting, 'question')} waiting${counts === '' ? '' : `, ${counts}`}.`,
    ...spansLine('Time to answer', data.time_to_answer),
    ...urgencies.options
      .filter((one) => data.time_to_answer_by_urgency[one].count > 0)
      .map((one) => `  ${one}: ${spansText(data.time_to_answer_by_urgency[one])}`),
    ...(others === '' ? [] : [`${others}.`]),
    ...rowsThatSay(
      ['day', ...urgencies.options, 'decided'],
      data.days.map(({ day, raised, decided }) => [
        day,
        ...urgencies.options.map((one) => String(raised[one])),
        String(decided),
      ]),
    ),
  ].join('\n');
}

function countsText(counts: readonly (readonly [count: number, what: string])[]): string {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${String(count)} ${what}`])).join(', ');
}

/** Nothing where there are no figures yet. */
function spansLine(what: string, spans: Spans, breaches = 0): string[] {
  if (spans.count === 0 && breaches === 0) return [];
  const late = breaches === 0 ? '' : `; ${plural(breaches, 'breach', 'breaches')}`;
  return [`${what}: ${spansText(spans)}${late}.`];
}

/** A table without rows of zeros; nothing without any other row. */
function rowsThatSay(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const telling = rows.filter(([, ...figures]) => figures.some((figure) => figure !== '0'));
  return telling.length === 0 ? [] : [fewRows(head, telling)];
}

function fewRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = '', ...lines] = table(head, rows).split('\n');
  return [first, ...fewLines(lines)].join('\n');
}

function spansText({ count, mean_ms, median_ms, p90_ms }: Spans): string {
  if (mean_ms === null || median_ms === null || p90_ms === null) return 'none yet';
  return `mean ${span(mean_ms)}, median ${span(median_ms)}, 90% within ${span(p90_ms)} (${String(count)})`;
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${String(minutes)} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${String(hours)} h` : `${String(Math.round(hours / 24))} days`;
}

export const dashboardVerb = verb({
  words: 'dashboard',
  help: ['Work and gate', 'what is held, who is waiting, and how healthy the queue is'],
  about: 'show what is held, who is waiting, and how healthy the queue is',
  input: z.strictObject({
    view: z.enum(dashboardNames).default('impact'),
    days: z.int().min(1).default(14).describe('number of days that daily figures cover'),
  }),
  async run(call, { view: name, days }) {
    const view = (await call.known().store()).read();
    const data = dashboard(view, name, localCalendar(Math.min(days, 366)));
    return { text: dashboardText(name, data, view.own), schema: 'dashboard', data };
  },
});
