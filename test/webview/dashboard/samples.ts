/** What the host might send to the dashboard: nothing yet, a little, a lot. */
import type {
  AgentsView,
  DashboardSnapshot,
  HumansView,
  ImpactView,
  StewardView,
} from '../../../src/protocol/dashboard/dashboard.ts';
import { english } from '../../../src/protocol/strings/strings.ts';
import { before, now } from '../question/samples.ts';

type Data = ImpactView | AgentsView | StewardView | HumansView;

export function snapshot(data: Data, folders: readonly { key: string; name: string }[] = []): DashboardSnapshot {
  return {
    type: 'snapshot',
    now,
    locale: 'en-GB',
    strings: english,
    view: { type: 'dashboard', folders: [...folders], folder: '0/x', data },
  };
}

export const impact: ImpactView = {
  tab: 'impact',
  workflows: 1,
  tasks: 5,
  holders: [
    {
      key: '0/RFC-1',
      id: 'RFC-1',
      name: 'Outbox for order events',
      kind: 'rfc',
      agent: 'copilot-001',
      since: before(60 * 26),
      workflows: 1,
      tasks: 3,
    },
    {
      key: '0/Q-12',
      id: 'Q-12',
      name: 'JWT or server-side sessions for the public API tokens?',
      kind: 'question',
      agent: 'claude-002',
      urgency: 'high',
      since: before(12),
      workflows: 0,
      tasks: 2,
    },
  ],
  nodes: [
    { id: 'RFC-1', kind: 'rfc', name: 'Outbox for order events', key: '0/RFC-1' },
    { id: 'Q-12', kind: 'question', name: 'JWT or server-side sessions for the public API tokens?', key: '0/Q-12' },
    { id: 'w-7', kind: 'workflow', name: 'Release 2.4' },
    { id: 't-1', kind: 'task', name: 'Write the outbox table' },
    { id: 't-2', kind: 'task', name: 'Relay process with at-least-once delivery' },
    { id: 't-3', kind: 'task', name: 'API tokens' },
    { id: 't-4', kind: 'task', name: 'Token page in settings' },
    { id: 't-5', kind: 'task', name: 'Documentation' },
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

/** `size` questions, each with a task and one that waits for it; chained, so that the graph is deep as well as wide. */
export function manyHeld(size: number): ImpactView {
  const each = Array.from({ length: size }, (_, index) => index + 1);
  return {
    tab: 'impact',
    workflows: 0,
    tasks: size * 2,
    holders: each.map((n) => ({
      key: `0/Q-${String(n)}`,
      id: `Q-${String(n)}`,
      name: `May I rename module ${String(n)}?`,
      kind: 'question',
      agent: `builder-00${String((n % 9) + 1)}`,
      urgency: n % 10 === 0 ? 'critical' : 'medium',
      since: before(n),
      workflows: 0,
      tasks: 2,
    })),
    nodes: each.flatMap((n): ImpactView['nodes'] => [
      { id: `Q-${String(n)}`, kind: 'question', name: `May I rename module ${String(n)}?`, key: `0/Q-${String(n)}` },
      { id: `t-${String(n)}`, kind: 'task', name: `Module ${String(n)}` },
      { id: `d-${String(n)}`, kind: 'task', name: `Docs of module ${String(n)}` },
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

export const nothingHeld: ImpactView = { tab: 'impact', workflows: 0, tasks: 0, holders: [], nodes: [], edges: [] };

export const agents: AgentsView = {
  tab: 'agents',
  agents: [
    {
      agent: 'claude-002',
      label: 'Claude in src/auth',
      waitsOn: [
        { key: '0/Q-12', id: 'Q-12', name: 'JWT or server-side sessions?', since: before(12), holds: 2 },
        { key: '0/Q-13', id: 'Q-13', name: 'Which port for the preview?', since: before(3), holds: 0 },
      ],
      doing: [
        { id: 't-3', title: 'API tokens', step: 'writes the migration', held: true },
        { id: 't-9', title: 'Clean up the readme', held: false },
      ],
      notPickedUp: [],
      releaseAll: '0/agent/claude-002',
    },
    {
      agent: 'copilot-001',
      waitsOn: [],
      doing: [],
      notPickedUp: [{ key: '0/Q-9', id: 'Q-9', name: 'Keep the old endpoint?', at: before(50) }],
    },
  ],
};

export function manyAgents(size: number): AgentsView {
  return {
    tab: 'agents',
    agents: Array.from({ length: size }, (_, index) => ({
      agent: `builder-${String(index + 1).padStart(3, '0')}`,
      waitsOn: [
        {
          key: `0/Q-${String(index)}`,
          id: `Q-${String(index)}`,
          name: `Question ${String(index)}?`,
          since: before(index),
          holds: index % 7,
        },
      ],
      doing: [],
      notPickedUp: [],
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
  expired: 1,
  took: { count: 41, mean: 14 * minutes, median: 6 * minutes, p90: 52 * minutes },
  tookByUrgency: {
    critical: { count: 4, mean: 2 * minutes, median: 1 * minutes, p90: 5 * minutes },
    high: { count: 12, mean: 7 * minutes, median: 5 * minutes, p90: 20 * minutes },
    medium: { count: 25, mean: 20 * minutes, median: 9 * minutes, p90: 90 * minutes },
    low: { count: 0, mean: null, median: null, p90: null },
  },
  days: days.map((day, index) => ({
    day,
    raised: { critical: index % 5 === 0 ? 1 : 0, high: (index * 7) % 4, medium: (index * 5) % 6, low: index % 3 },
    decided: (index * 3) % 8,
  })),
  reused: 7,
  revoked: 1,
  aiAnswers: 12,
  aiOverruled: 2,
  reviewerLoops: 3,
};

const nothing = { count: 0, mean: null, median: null, p90: null };

export const noHumans: HumansView = {
  ...humans,
  ...{ waiting: 0, answered: 0, cancelled: 0, released: 0, expired: 0, took: nothing, reused: 0, revoked: 0 },
};

export const steward: StewardView = {
  tab: 'steward',
  any: true,
  depth: 6,
  response: { count: 30, mean: 40 * minutes, median: 15 * minutes, p90: 180 * minutes },
  completion: { count: 21, mean: 400 * minutes, median: 300 * minutes, p90: 1_500 * minutes },
  responseBreaches: 2,
  completionBreaches: 0,
  targets: [
    { target: 'docs', depth: 4, breaches: 2 },
    { target: 'infra', depth: 2, breaches: 0 },
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
  any: false,
  depth: 0,
  targets: [],
  response: nothing,
  completion: nothing,
};

export const states: Readonly<Record<string, () => DashboardSnapshot>> = {
  impact: () => snapshot(impact),
  nothingHeld: () => snapshot(nothingHeld),
  fiveHundred: () => snapshot(manyHeld(500)),
  agents: () => snapshot(agents),
  manyAgents: () => snapshot(manyAgents(500)),
  noAgents: () => snapshot({ tab: 'agents', agents: [] }),
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
