/** What the host might send to the dashboard: nothing, a little, a lot. */
import type {
  AgentsView,
  DashboardData,
  DashboardSnapshot,
  HumansView,
  ImpactView,
  StewardView,
} from '../../../src/ui/dashboard/view.ts';
import { before, now } from '../question/samples.ts';

export function snapshot(
  data: DashboardData,
  folders: readonly { key: string; name: string }[] = [],
): DashboardSnapshot {
  return {
    type: 'snapshot',
    now,
    view: { type: 'dashboard', folders: [...folders], folder: '0/x', data },
  };
}

export const impact: ImpactView = {
  tab: 'impact',
  held_workflows: 1,
  held_tasks: 5,
  holders: [
    {
      id: 'RFC-1',
      name: 'Outbox for order events',
      kind: 'rfc',
      agent_id: 'copilot-001',
      urgency: null,
      since: before(60 * 26),
      waiting_ms: 26 * 60 * 60_000,
      workflows: 1,
      tasks: 3,
    },
    {
      id: 'Q-12',
      name: 'JWT or server-side sessions for the public API tokens?',
      kind: 'question',
      agent_id: 'claude-002',
      urgency: 'high',
      since: before(12),
      waiting_ms: 12 * 60_000,
      workflows: 0,
      tasks: 2,
    },
  ],
  nodes: [
    { id: 'RFC-1', kind: 'rfc', name: 'Outbox for order events', status: null },
    { id: 'Q-12', kind: 'question', name: 'JWT or server-side sessions for the public API tokens?', status: null },
    { id: 'w-7', kind: 'workflow', name: 'Release 2.4', status: 'blocked_pending_human_input' },
    { id: 't-1', kind: 'task', name: 'Write the outbox table', status: 'blocked_pending_human_input' },
    {
      id: 't-2',
      kind: 'task',
      name: 'Relay process with at-least-once delivery',
      status: 'blocked_pending_human_input',
    },
    { id: 't-3', kind: 'task', name: 'API tokens', status: 'blocked_pending_human_input' },
    { id: 't-4', kind: 'task', name: 'Token page in settings', status: 'blocked_pending_human_input' },
    { id: 't-5', kind: 'task', name: 'Documentation', status: 'blocked_pending_human_input' },
  ],
  edges: [
    { from: 'RFC-1', to: 'w-7', kind: 'holds' },
    { from: 'w-7', to: 't-1', kind: 'part_of' },
    { from: 'w-7', to: 't-2', kind: 'part_of' },
    { from: 't-1', to: 't-2', kind: 'depends_on' },
    { from: 'Q-12', to: 't-3', kind: 'holds' },
    { from: 't-3', to: 't-4', kind: 'depends_on' },
    { from: 't-2', to: 't-5', kind: 'depends_on' },
  ],
};

/** `size` questions, each with a task and its dependant; chained, so that the graph is deep as well as wide. */
export function manyHeld(size: number): ImpactView {
  const each = Array.from({ length: size }, (_, index) => index + 1);
  return {
    tab: 'impact',
    held_workflows: 0,
    held_tasks: size * 2,
    holders: each.map((n) => ({
      id: `Q-${String(n)}`,
      name: `May I rename module ${String(n)}?`,
      kind: 'question',
      agent_id: `builder-00${String((n % 9) + 1)}`,
      urgency: n % 10 === 0 ? 'critical' : 'medium',
      since: before(n),
      waiting_ms: n * 60_000,
      workflows: 0,
      tasks: 2,
    })),
    nodes: each.flatMap((n): ImpactView['nodes'] => [
      { id: `Q-${String(n)}`, kind: 'question', name: `May I rename module ${String(n)}?`, status: null },
      { id: `t-${String(n)}`, kind: 'task', name: `Module ${String(n)}`, status: 'blocked_pending_human_input' },
      {
        id: `d-${String(n)}`,
        kind: 'task',
        name: `Docs of module ${String(n)}`,
        status: 'blocked_pending_human_input',
      },
    ]),
    edges: each.flatMap((n): ImpactView['edges'] => [
      { from: `Q-${String(n)}`, to: `t-${String(n)}`, kind: 'holds' },
      { from: `t-${String(n)}`, to: `d-${String(n)}`, kind: 'depends_on' },
      ...(n % 4 === 0
        ? []
        : [{ from: `t-${String(n)}`, to: `t-${String(n + 1)}`, kind: 'depends_on' } as const].filter(() => n < size)),
    ]),
  };
}

export const nothingHeld: ImpactView = {
  tab: 'impact',
  held_workflows: 0,
  held_tasks: 0,
  holders: [],
  nodes: [],
  edges: [],
};

export const agents: AgentsView = {
  tab: 'agents',
  dismisses: true,
  agents: [
    {
      agent_id: 'claude-002',
      label: 'Claude in src/auth',
      longest_wait_ms: 12 * 60_000,
      waited_ms: 95 * 60_000,
      questions: { answered_in_one_go: 14, asked_back: 3, cancelled: 1, not_needed: 2 },
      waits_on: [
        {
          id: 'Q-12',
          kind: 'question',
          name: 'JWT or server-side sessions?',
          since: before(12),
          waiting_ms: 12 * 60_000,
          stops: true,
          holds: 2,
        },
        {
          id: 'Q-13',
          kind: 'question',
          name: 'Which port for the preview?',
          since: before(3),
          waiting_ms: 3 * 60_000,
          stops: false,
          holds: 0,
        },
      ],
      doing: [
        { id: 't-3', title: 'API tokens', step: 'writes the migration', held: true },
        { id: 't-9', title: 'Clean up the readme', step: null, held: false },
      ],
      unacknowledged: [],
    },
    {
      agent_id: 'copilot-001',
      label: 'copilot-001',
      longest_wait_ms: null,
      waited_ms: null,
      questions: { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 },
      waits_on: [],
      doing: [],
      unacknowledged: [{ id: 'Q-9', name: 'Keep the old endpoint?', decided_at: before(50), since_ms: 50 * 60_000 }],
    },
  ],
};

export function manyAgents(size: number): AgentsView {
  return {
    tab: 'agents',
    dismisses: true,
    agents: Array.from({ length: size }, (_, index) => ({
      agent_id: `builder-${String(index + 1).padStart(3, '0')}`,
      label: `builder-${String(index + 1).padStart(3, '0')}`,
      longest_wait_ms: index * 60_000,
      waited_ms: index * 60_000,
      questions: { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 },
      waits_on: [
        {
          id: `Q-${String(index)}`,
          kind: 'question',
          name: `Question ${String(index)}?`,
          since: before(index),
          waiting_ms: index * 60_000,
          stops: true,
          holds: index % 7,
        },
      ],
      doing: [],
      unacknowledged: [],
    })),
  };
}

const days = Array.from({ length: 14 }, (_, index) => `2026-11-${String(7 + index).padStart(2, '0')}`);
const minutes = 60_000;

export const humans: HumansView = {
  tab: 'humans',
  waiting: 5,
  answered: 41,
  cancelled: 3,
  released: 2,
  withdrawn: 4,
  expired: 1,
  time_to_answer: { count: 41, mean_ms: 14 * minutes, median_ms: 6 * minutes, p90_ms: 52 * minutes },
  time_to_answer_by_urgency: {
    critical: { count: 4, mean_ms: 2 * minutes, median_ms: 1 * minutes, p90_ms: 5 * minutes },
    high: { count: 12, mean_ms: 7 * minutes, median_ms: 5 * minutes, p90_ms: 20 * minutes },
    medium: { count: 25, mean_ms: 20 * minutes, median_ms: 9 * minutes, p90_ms: 90 * minutes },
    low: { count: 0, mean_ms: null, median_ms: null, p90_ms: null },
  },
  days: days.map((day, index) => ({
    day,
    raised: { critical: index % 5 === 0 ? 1 : 0, high: (index * 7) % 4, medium: (index * 5) % 6, low: index % 3 },
    decided: (index * 3) % 8,
  })),
  reused: 7,
  revoked: 1,
  ai_answers: 12,
  ai_overruled: 2,
  reviewer_loops: 3,
};

const nothing = { count: 0, mean_ms: null, median_ms: null, p90_ms: null };

export const noHumans: HumansView = {
  ...humans,
  ...{ waiting: 0, answered: 0, cancelled: 0, released: 0, withdrawn: 0, expired: 0 },
  ...{ time_to_answer: nothing, reused: 0, revoked: 0 },
};

const spans = { count: 1, mean_ms: minutes, median_ms: minutes, p90_ms: minutes };

export const steward: StewardView = {
  tab: 'steward',
  by_status: { pending: 4, accepted: 2, completed: 21 },
  depth: 6,
  response: { count: 30, mean_ms: 40 * minutes, median_ms: 15 * minutes, p90_ms: 180 * minutes },
  completion: { count: 21, mean_ms: 400 * minutes, median_ms: 300 * minutes, p90_ms: 1_500 * minutes },
  response_breaches: 2,
  completion_breaches: 0,
  by_target: [
    { target: 'docs', depth: 4, breaches: 2, response: spans, completion: spans },
    { target: 'infra', depth: 2, breaches: 0, response: spans, completion: spans },
  ],
  days: days.map((day, index) => ({
    day,
    created: (index * 3) % 5,
    closed: (index * 2) % 4,
    depth: 2 + (index % 6),
    breaches: index === 9 ? 2 : 0,
  })),
};

export const noRequests: StewardView = {
  ...steward,
  by_status: {},
  depth: 0,
  by_target: [],
  response: nothing,
  completion: nothing,
};

export const states: Readonly<Record<string, () => DashboardSnapshot>> = {
  impact: () => snapshot(impact),
  nothingHeld: () => snapshot(nothingHeld),
  fiveHundred: () => snapshot(manyHeld(500)),
  agents: () => snapshot(agents),
  manyAgents: () => snapshot(manyAgents(500)),
  noAgents: () => snapshot({ tab: 'agents', dismisses: true, agents: [] }),
  steward: () => snapshot(steward),
  noRequests: () => snapshot(noRequests),
  humans: () => snapshot(humans),
  noHumans: () => snapshot(noHumans),
  folders: () =>
    snapshot(impact, [
      { key: '0/x', name: 'shop' },
      { key: '1/x', name: 'docs' },
    ]),
  unavailable: () => ({
    ...snapshot(impact),
    view: {
      type: 'unavailable',
      title: 'No folder is open',
      text: 'Open the folder your agents work in.',
      action: 'openFolder',
    },
  }),
};
