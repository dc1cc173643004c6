/** What the host might send to the dashboard: nothing, a little, a lot. */
import type { DashboardSnapshot, DashboardView, OtherView } from '../../../src/ui/dashboard/view.ts';
import { before, noFolder, now, twoFolders } from '../question/samples.ts';

type Impact = DashboardView['impact'];
type Agents = DashboardView['agents'];
type Humans = DashboardView['humans'];
type Requests = NonNullable<DashboardView['requests']>;

/** Of an empty workspace, with some of it replaced. */
export function snapshot(
  change: Partial<DashboardView> = {},
  folders: readonly { key: string; name: string }[] = [],
): DashboardSnapshot {
  const empty = { agents: { agents: [] }, impact: nothingHeld, humans: noHumans, requests: null, dismisses: true };
  return {
    type: 'snapshot',
    now,
    view: { type: 'dashboard', folders: [...folders], folder: '0/x', ...empty, ...change },
  };
}

type Holder = Impact['holders'][number];

/** A question that has held two tasks for so many minutes. */
const holder = (id: string, name: string, waits: number, more: Partial<Holder> = {}): Holder => ({
  ...{ id, name, kind: 'question', agent_id: 'claude-002', urgency: 'high', workflows: 0, tasks: 2 },
  ...{ since: before(waits), waiting_ms: waits * 60_000, ...more },
});
const node = (id: string, name: string, kind: Impact['nodes'][number]['kind'] = 'task') => ({
  ...{ id, name, kind },
  status: kind === 'task' || kind === 'workflow' ? ('blocked_pending_human_input' as const) : null,
});

const jwt = 'JWT or server-side sessions for the public API tokens?';

export const impact: Impact = {
  held_workflows: 1,
  held_tasks: 5,
  holders: [
    holder('RFC-1', 'Outbox for order events', 60 * 26, {
      ...{ kind: 'rfc', agent_id: 'copilot-001', urgency: null, workflows: 1, tasks: 3 },
    }),
    holder('Q-12', jwt, 12),
  ],
  nodes: [
    node('RFC-1', 'Outbox for order events', 'rfc'),
    node('Q-12', jwt, 'question'),
    node('w-7', 'Release 2.4', 'workflow'),
    node('t-1', 'Write the outbox table'),
    node('t-2', 'Relay process with at-least-once delivery'),
    node('t-3', 'API tokens'),
    node('t-4', 'Token page in settings'),
    node('t-5', 'Documentation'),
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
export function manyHeld(size: number): Impact {
  const each = Array.from({ length: size }, (_, index) => index + 1);
  return {
    held_workflows: 0,
    held_tasks: size * 2,
    holders: each.map((n) =>
      holder(`Q-${String(n)}`, `May I rename module ${String(n)}?`, n, {
        ...{ agent_id: `builder-00${String((n % 9) + 1)}`, urgency: n % 10 === 0 ? 'critical' : 'medium' },
      }),
    ),
    nodes: each.flatMap((n) => [
      node(`Q-${String(n)}`, `May I rename module ${String(n)}?`, 'question'),
      node(`t-${String(n)}`, `Module ${String(n)}`),
      node(`d-${String(n)}`, `Docs of module ${String(n)}`),
    ]),
    edges: each.flatMap((n): Impact['edges'] => [
      { from: `Q-${String(n)}`, to: `t-${String(n)}`, kind: 'holds' },
      { from: `t-${String(n)}`, to: `d-${String(n)}`, kind: 'depends_on' },
      ...(n % 4 === 0
        ? []
        : [{ from: `t-${String(n)}`, to: `t-${String(n + 1)}`, kind: 'depends_on' } as const].filter(() => n < size)),
    ]),
  };
}

export const nothingHeld: Impact = {
  held_workflows: 0,
  held_tasks: 0,
  holders: [],
  nodes: [],
  edges: [],
};

type Agent = Agents['agents'][number];

/** An agent that does nothing and waits for nothing. */
const agent = (id: string, more: Partial<Agent>): Agent => ({
  ...{ agent_id: id, label: id, longest_wait_ms: null, waited_ms: null, waits_on: [], doing: [], unacknowledged: [] },
  questions: { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 },
  ...more,
});
const wait = (id: string, name: string, waits: number, holds: number): Agent['waits_on'][number] => ({
  ...{ id, kind: 'question', name, since: before(waits), waiting_ms: waits * 60_000, stops: true, holds },
});

export const agents: Agents = {
  agents: [
    agent('claude-002', {
      ...{ label: 'Claude in src/auth', longest_wait_ms: 12 * 60_000, waited_ms: 95 * 60_000 },
      waits_on: [
        wait('Q-12', 'JWT or server-side sessions?', 12, 2),
        { ...wait('Q-13', 'Which port for the preview?', 3, 0), stops: false },
      ],
      doing: [
        { id: 't-3', title: 'API tokens', step: 'writes the migration', held: true },
        { id: 't-9', title: 'Clean up the readme', step: null, held: false },
      ],
    }),
    agent('copilot-001', {
      unacknowledged: [{ id: 'Q-9', name: 'Keep the old endpoint?', decided_at: before(50), since_ms: 50 * 60_000 }],
    }),
  ],
};

export function manyAgents(size: number): Agents {
  return {
    agents: Array.from({ length: size }, (_, n) =>
      agent(`builder-${String(n + 1).padStart(3, '0')}`, {
        ...{ longest_wait_ms: n * 60_000, waited_ms: n * 60_000 },
        waits_on: [wait(`Q-${String(n)}`, `Question ${String(n)}?`, n, n % 7)],
      }),
    ),
  };
}

const days = Array.from({ length: 14 }, (_, index) => `2026-11-${String(7 + index).padStart(2, '0')}`);
const minutes = 60_000;

export const humans: Humans = {
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

export const noHumans: Humans = {
  ...humans,
  ...{ waiting: 0, answered: 0, cancelled: 0, released: 0, withdrawn: 0, expired: 0 },
  ...{ time_to_answer: nothing, reused: 0, revoked: 0 },
};

const spans = { count: 1, mean_ms: minutes, median_ms: minutes, p90_ms: minutes };

export const requests: Requests = {
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

const waiting = { kind: 'question', urgency: 'high', holding: true, for: null, folder: '/home/dev/payments' } as const;

export const others: readonly OtherView[] = [
  {
    ...{ project: 'docs', folder: '/home/dev/docs', person: null, state: 'unknown', items: [] },
    problem: 'A file of the journal is missing.',
  },
  {
    ...{ project: 'payments', folder: '/home/dev/payments', person: null, state: 'readable', problem: null },
    items: [
      { ...waiting, id: 'Q-3', title: 'Pay out daily or weekly?', waiting_since: before(4), asked_by: 'claude-001' },
      {
        ...{ ...waiting, id: 'REQ-2', kind: 'request', title: null, urgency: null, holding: false, for: 'release' },
        ...{ waiting_since: before(90), asked_by: 'payments' },
      },
    ],
  },
  {
    ...{ project: 'old', folder: '/home/dev/old', person: null, state: 'missing', items: [] },
    problem: null,
  },
];

const full = { agents, impact, humans, requests };

export const states: Readonly<Record<string, () => DashboardSnapshot>> = {
  full: () => snapshot(full),
  empty: () => snapshot(),
  agents: () => snapshot({ agents }),
  held: () => snapshot({ impact }),
  manyHeld: () => snapshot({ impact: manyHeld(500) }),
  otherFolders: () => ({ ...snapshot({ agents }), others }),
  manyAgents: () => snapshot({ agents: manyAgents(500) }),
  requests: () => snapshot({ requests }),
  humans: () => snapshot({ humans }),
  folders: () => snapshot(full, twoFolders),
  outage: () => ({ ...snapshot(full), outage: { state: 'offline', since: before(6) } }),
  unavailable: () => ({ ...snapshot(), view: noFolder }),
};
