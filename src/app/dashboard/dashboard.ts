/** Figures for the dashboards: pure functions from core, applied to the store. */
import { agentsNow, type AgentsNow, impactOf, type Impact } from '../../core/dashboard/agents.ts';
import {
  type Calendar,
  humansOf,
  type Humans,
  type HumansCounts,
  stewardOf,
  type Steward,
} from '../../core/dashboard/figures.ts';
import { countOf } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';
import { notPickedUp } from '../waiting/delivery.ts';
import { requestFacts } from '../request/views.ts';

export const dashboardNames = ['impact', 'agents', 'steward', 'humans'] as const;
export type DashboardName = (typeof dashboardNames)[number];

export interface Dashboards {
  readonly impact: Impact;
  readonly agents: AgentsNow;
  readonly steward: Steward;
  readonly humans: Humans;
}

/** The last days in the time zone of this program. */
export function localCalendar(days: number): Calendar {
  return { days, offsetMinutes: (time) => -new Date(time).getTimezoneOffset() };
}

/** One of the four views, as printed by `holdpoint dashboard --view … --json` and drawn by the editor. */
export function dashboard<N extends DashboardName>(view: View, name: N, calendar: Calendar): Dashboards[N] {
  const make: { readonly [K in DashboardName]: () => Dashboards[K] } = {
    impact: () => impactOf(view.state, view.now),
    agents: () => agentsNow(view.state, { unacknowledged: notPickedUp(view), now: view.now }),
    steward: () => stewardOf(requestFacts(view), view.now, calendar),
    humans: () => humansOf(view.state, counts(view), view.now, calendar),
  };
  return make[name]();
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
