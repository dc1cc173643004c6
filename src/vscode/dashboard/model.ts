/** From the figures to the finished view model of the dashboard. */
import { dashboard } from '../../app/dashboard/dashboard.ts';
import type { Dashboards } from '../../app/dashboard/dashboard.ts';
import type { Calendar, Spans } from '../../core/dashboard/figures.ts';
import type {
  AgentsView,
  DashboardTab,
  DashboardView,
  HumansView,
  ImpactView,
  SpansView,
  StewardView,
} from '../../protocol/dashboard/dashboard.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { releaseAllKey } from '../surface/workspaceForms.ts';

/** How many days back the daily figures go. */
const days = 14;

export interface DashboardModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly tab: DashboardTab;
}

export function dashboardModel({ folders, folder, view, tab }: DashboardModelOptions): DashboardView['data'] {
  const keyOf = (id: string) => folders.keyOf(folder, id);
  const calendar: Calendar = { days, utcOffsetMinutes: -new Date(view.now).getTimezoneOffset() };
  switch (tab) {
    case 'impact':
      return impactModel(dashboard(view, tab, calendar), keyOf);
    case 'agents':
      return agentsModel(dashboard(view, tab, calendar), keyOf, (agent) => releaseAllKey(folders, folder, agent));
    case 'steward':
      return stewardModel(dashboard(view, tab, calendar));
    case 'humans':
      return humansModel(dashboard(view, tab, calendar));
  }
}

function impactModel(impact: Dashboards['impact'], keyOf: (id: string) => string): ImpactView {
  return {
    tab: 'impact',
    workflows: impact.held_workflows,
    tasks: impact.held_tasks,
    holders: impact.holders.map(({ id, name, kind, agent_id, urgency, since, workflows, tasks }) => ({
      key: keyOf(id),
      id,
      name,
      kind,
      agent: agent_id,
      ...(urgency === null ? {} : { urgency }),
      since,
      workflows,
      tasks,
    })),
    nodes: impact.nodes.map(({ id, kind, name }) => ({
      id,
      kind,
      name,
      ...(kind === 'question' || kind === 'rfc' ? { key: keyOf(id) } : {}),
    })),
    edges: impact.edges.map(({ from, to, kind }) => ({ from, to, kind })),
  };
}

function agentsModel(
  { agents }: Dashboards['agents'],
  keyOf: (id: string) => string,
  releaseAllOf: (agent: string) => string,
): AgentsView {
  return {
    tab: 'agents',
    agents: agents.map(({ agent_id, label, waits_on, doing, unacknowledged }) => ({
      agent: agent_id,
      ...(label === agent_id ? {} : { label }),
      waitsOn: waits_on.map(({ id, name, since, holds }) => ({ key: keyOf(id), id, name, since, holds })),
      doing: doing.map(({ id, title, step, held }) => ({ id, title, ...(step === null ? {} : { step }), held })),
      notPickedUp: unacknowledged.map(({ id, name, decided_at }) => ({ key: keyOf(id), id, name, at: decided_at })),
      ...(waits_on.some(({ kind }) => kind === 'question') ? { releaseAll: releaseAllOf(agent_id) } : {}),
    })),
  };
}

function stewardModel(steward: Dashboards['steward']): StewardView {
  return {
    tab: 'steward',
    any: Object.keys(steward.by_status).length > 0,
    depth: steward.depth,
    response: spansModel(steward.response),
    completion: spansModel(steward.completion),
    responseBreaches: steward.response_breaches,
    completionBreaches: steward.completion_breaches,
    targets: steward.by_target.map(({ target, depth, breaches }) => ({ target, depth, breaches })),
    days: steward.days.map(({ day, created, closed, depth, breaches }) => ({ day, created, closed, depth, breaches })),
  };
}

function humansModel(humans: Dashboards['humans']): HumansView {
  const { low, medium, high, critical } = humans.time_to_answer_by_urgency;
  return {
    tab: 'humans',
    waiting: humans.waiting,
    answered: humans.answered,
    cancelled: humans.cancelled,
    released: humans.released,
    expired: humans.expired,
    took: spansModel(humans.time_to_answer),
    tookByUrgency: {
      low: spansModel(low),
      medium: spansModel(medium),
      high: spansModel(high),
      critical: spansModel(critical),
    },
    days: humans.days.map(({ day, raised, decided }) => ({ day, raised: { ...raised }, decided })),
    reused: humans.reused,
    revoked: humans.revoked,
    aiAnswers: humans.ai_answers,
    aiOverruled: humans.ai_overruled,
    reviewerLoops: humans.reviewer_loops,
  };
}

function spansModel({ count, mean_ms, median_ms, p90_ms }: Spans): SpansView {
  return { count, mean: mean_ms, median: median_ms, p90: p90_ms };
}
