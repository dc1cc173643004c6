/** Figures for the dashboards: pure functions from core, applied to the store. */
import { agentsNow, impactOf } from '../../core/dashboard/agents.ts';
import { type Calendar, humansOf, type HumansCounts, stewardOf } from '../../core/dashboard/figures.ts';
import { countOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';
import { notPickedUp } from '../waiting/delivery.ts';
import { requestFacts } from '../request/views.ts';

const views = {
  impact: ({ state, now }: View) => impactOf(state, now),
  agents: (view: View) => agentsNow(view.state, { unacknowledged: notPickedUp(view), now: view.now }),
  steward: (view: View, calendar: Calendar) => stewardOf(requestFacts(view), view.now, calendar),
  humans: (view: View, calendar: Calendar) => humansOf(view.state, counts(view), view.now, calendar),
};
export type DashboardName = keyof typeof views;
export type Dashboards = { readonly [Name in DashboardName]: ReturnType<(typeof views)[Name]> };
export const dashboardNames = Object.keys(views) as readonly DashboardName[];

/** The last days in the time zone of this program. */
export function localCalendar(days: number): Calendar {
  return { days, offsetMinutes: (time) => -new Date(time).getTimezoneOffset() };
}

/** One of the four views, as printed by `holdpoint dashboard --view … --json` and drawn by the editor. */
export function dashboard<N extends DashboardName>(view: View, name: N, calendar: Calendar): Dashboards[N] {
  return views[name](view, calendar) as Dashboards[N];
}

function counts({ rows }: View): HumansCounts {
  const answers = rows.all<{ count: number }>(
    `SELECT count(*) AS count FROM records, json_each(records.json, '$.answers') AS answer
      WHERE kind = 'rfc.reviewed' AND json_extract(answer.value, '$.outcome') = 'answered'`,
  )[0];
  return {
    reused: countOf(rows, 'answer.reused'),
    ai_answers: answers?.count ?? 0,
    ai_overruled: countOf(rows, 'rfc.answerOverruled'),
  };
}
