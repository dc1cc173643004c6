/** Figures for the dashboards: pure functions of core over what the store has. */
import { agentsNow } from '../core/dashboard/agents.ts';
import type { AgentNow, Unacknowledged } from '../core/dashboard/agents.ts';
import type { Calendar } from '../core/dashboard/figures.ts';
import { humansOf } from '../core/dashboard/humans.ts';
import type { Humans, HumansCounts } from '../core/dashboard/humans.ts';
import { impactOf } from '../core/dashboard/impact.ts';
import type { Impact } from '../core/dashboard/impact.ts';
import type { RequestFacts, Steward } from '../core/dashboard/steward.ts';
import { stewardOf } from '../core/dashboard/steward.ts';
import { query } from '../store/sqlite.ts';
import type { View } from '../store/store.ts';

export const dashboardNames = ['impact', 'agents', 'steward', 'humans'] as const;
export type DashboardName = (typeof dashboardNames)[number];

export interface Dashboards {
  readonly impact: Impact;
  readonly agents: { readonly agents: readonly AgentNow[] };
  readonly steward: Steward;
  readonly humans: Humans;
}

/** One of the four, as `holdpoint dashboard --view … --json` prints it and the editor draws it. */
export function dashboard<N extends DashboardName>(view: View, name: N, calendar: Calendar): Dashboards[N] {
  const make: { readonly [K in DashboardName]: () => Dashboards[K] } = {
    impact: () => impactOf(view.state, view.now),
    agents: () => ({ agents: agentsNow(view.state, unacknowledged(view), view.now) }),
    steward: () => stewardOf(requestFacts(view), view.now, calendar),
    humans: () => humansOf(view.state, counts(view), view.now, calendar),
  };
  return make[name]();
}

/** Decided questions that the agent they go to has not picked up, oldest decision first. */
function unacknowledged(view: View): Unacknowledged[] {
  return view.rows
    .all(
      query
        .selectFrom('questions')
        .leftJoin('work_items', 'work_items.id', 'questions.work_id')
        .leftJoin('deliveries', (join) =>
          join
            .onRef('deliveries.question_id', '=', 'questions.id')
            .on((eb) =>
              eb('deliveries.agent_id', '=', eb.fn.coalesce('work_items.assigned_agent', 'questions.agent_id')),
            ),
        )
        .select(['questions.id', 'questions.answered_at'])
        .select((eb) => eb.fn.coalesce('work_items.assigned_agent', 'questions.agent_id').as('agent_id'))
        .where('questions.resolution', 'is not', null)
        .where('deliveries.acknowledged_at', 'is', null)
        .orderBy('questions.answered_at'),
    )
    .map(({ id, agent_id, answered_at }) => ({ id, agent_id, decided_at: answered_at ?? view.now }));
}

/** All requests of this workspace, each with the moments its SLA was breached. */
function requestFacts({ rows, state }: View): RequestFacts[] {
  const workspace = state.workspace?.id ?? '';
  const breaches = new Map(
    rows
      .all(
        query
          .selectFrom('request_events')
          .select(['request_id', 'event_type', 'created_at'])
          .where('workspace_id', '=', workspace)
          .where('event_type', 'in', ['sla_response_breached', 'sla_completion_breached']),
      )
      .map(({ request_id, event_type, created_at }) => [`${request_id} ${event_type}`, created_at]),
  );
  return rows.all(query.selectFrom('requests').selectAll().where('workspace_id', '=', workspace)).map((request) => ({
    target: request.target_responsibility_id,
    status: request.status,
    created_at: request.created_at,
    available_at: request.available_at,
    acknowledged_at: request.acknowledged_at,
    accepted_at: request.accepted_at,
    processed_at: request.processed_at,
    closed_at: request.closed_at,
    response_breached_at: breaches.get(`${request.id} sla_response_breached`) ?? null,
    completion_breached_at: breaches.get(`${request.id} sla_completion_breached`) ?? null,
  }));
}

function counts(view: View): HumansCounts {
  const { rows } = view;
  const answers = query.selectFrom('rfc_answers').where('outcome', '=', 'answered');
  const number = (row: { count: number } | undefined | null) => row?.count ?? 0;
  return {
    reused: number(rows.first(query.selectFrom('answer_reuses').select((eb) => eb.fn.countAll<number>().as('count')))),
    ai_answers: number(rows.first(answers.select((eb) => eb.fn.countAll<number>().as('count')))),
    ai_overruled: number(
      rows.first(answers.where('overruled_at', 'is not', null).select((eb) => eb.fn.countAll<number>().as('count'))),
    ),
  };
}
