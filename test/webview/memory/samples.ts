/** What the host might send for a briefing: close to what agents and people really post. */
import { perEventType } from '../../../src/core/kit/words.ts';
import type { BriefingSnapshot, BriefingView, EventView, WaitingView } from '../../../src/ui/briefing/model.ts';
import { before, now } from '../question/samples.ts';

let renders = 0;

export function snapshot(view: BriefingSnapshot['view'], more: Partial<BriefingSnapshot> = {}): BriefingSnapshot {
  return {
    type: 'snapshot',
    now,
    limits: { text: 10_000, scopes: 100 },
    view: 'render' in view ? { ...view, render: `render-${++renders}` } : view,
    ...more,
  };
}

const day = 24 * 60;

export function event(number: number, title: string, more: Partial<EventView> = {}): EventView {
  return {
    ...{ key: `0/E-${number}`, shown: `sha256-e${number}`, id: `E-${number}`, number },
    ...{ type: 'warning', priority: 'normal', status: 'active', title, text: title, scopes: [] },
    ...{ author: 'copilot-001', author_kind: 'agent', posted_at: before(3 * day), mentioned_at: before(3 * day) },
    ...{ closed_at: null, closed_by: null, resolved_reason: null, superseded_by_event_id: null },
    ...{ imported: false, source: undefined, lineage: [], proposal: null },
    ...more,
  };
}

const login = { path: 'src/auth/login.ts', exists: true };

export const reversible = event(1, 'Migrations cannot be taken back', {
  priority: 'critical',
  text: 'Migrations cannot be taken back: **dump the database first**.\n\n```sh\nnpm run dump\n```\n\nSee [the note](docs/db.md).',
  scopes: [{ path: 'src/db', exists: true }],
});

const tokens = event(2, 'Tokens are written to the log when the login fails twice within one second', {
  priority: 'high',
  scopes: [login],
  author: 'claude-002',
});

const jwt = event(3, 'We use JWT', {
  type: 'decision',
  text: 'We use JWT: the gateway is stateless.',
  author: 'Ada Lovelace',
  author_kind: 'human',
  scopes: [{ path: 'src/auth', exists: true }],
  lineage: [
    [
      { id: 'E-0', status: 'superseded', superseded_by_event_id: 'E-3', text: 'We use sessions' },
      { id: 'E-3', status: 'active', superseded_by_event_id: null, text: 'We use JWT' },
    ],
  ],
});

const moved = event(4, 'The login moved here from src/app.ts', {
  type: 'mutation',
  scopes: [login],
  posted_at: before(40),
});
const memory = event(5, 'The library keeps sessions in memory', {
  type: 'discovery',
  priority: 'low',
  scopes: [login],
});
const loads = event(6, 'Load tests pass with 500 users', { type: 'outcome', scopes: [{ path: 'src', exists: true }] });

export const proposed = event(9, 'Releases are monthly', {
  type: 'decision',
  priority: 'high',
  author: 'Ada Lovelace',
  author_kind: 'human',
  proposal: {
    agent: 'copilot-001',
    at: before(12),
    how: 'resolved',
    by: null,
    reason: 'The release calendar in docs/releases.md says weekly since March.',
  },
});

/** Imported from another program; every place marks it as such. */
export const imported = event(15, 'The cache is never cleared', {
  author: 'Ada Lovelace',
  imported: true,
  source: { from: 'engram', source: 'events.db', ref: 'evt-7f3a' },
});

const replaced = event(10, 'Names may have spaces', {
  author: 'Ada Lovelace',
  author_kind: 'human',
  proposal: { agent: 'claude-002', at: before(3), how: 'superseded', by: 'E-2', reason: null },
});

function waiting(id: string, text: string, more: Partial<WaitingView> = {}): WaitingView {
  return {
    ...{ key: `0/${id}`, id, text, kind: 'hold', agent_id: 'claude-002', since: before(2 * day) },
    ...{ holds_work: 0, all_files_by: null, concerns_focus: false, waits_on: 'human', answer: null },
    ...more,
  };
}

const none = { items: [], more: 0 };

const bare: BriefingView = {
  type: 'briefing',
  key: '0/memory',
  shown: 'memory',
  render: 'render-0',
  pinned: false,
  project: 'shop',
  proposals: [],
  critical: none,
  waiting: none,
  conflicts: none,
  relevant: perEventType(() => none),
  other: none,
  resolved: none,
  aged: 0,
  own: null,
  answersAs: { name: 'Ada Lovelace', editable: false },
};

export function empty(more: Partial<BriefingView> = {}): BriefingView {
  return { ...bare, focus: 'src/auth/login.ts', ...more };
}

export function full(more: Partial<BriefingView> = {}): BriefingView {
  return {
    ...bare,
    focus: 'src/auth/login.ts',
    critical: { items: [reversible], more: 0 },
    waiting: {
      items: [
        waiting('Q-12', 'JWT or sessions for the mobile clients?', {
          ...{ agent_id: 'copilot-001', since: before(14), for: 'security' },
          ...{ holds_work: 3, all_files_by: 'Ada Lovelace', concerns_focus: true },
        }),
        waiting('RFC-3', 'Split the exporter'),
        waiting('Q-14', 'Which port?', { kind: 'answer', waits_on: 'agent', answer: '8080' }),
        waiting('RFC-9', 'Token design', { waits_on: 'author' }),
      ],
      more: 0,
    },
    conflicts: {
      items: [
        {
          key: 'E-14 E-3',
          scope: 'src/auth',
          decisions: [
            { id: 'E-14', title: 'Sessions live in the gateway, for the mobile clients too' },
            { id: 'E-3', title: 'We use JWT' },
          ],
        },
      ],
      more: 0,
    },
    aged: 7,
    relevant: {
      ...perEventType(() => none),
      warning: { items: [tokens], more: 0 },
      decision: { items: [jwt], more: 12 },
      mutation: { items: [moved], more: 0 },
      discovery: { items: [memory], more: 0 },
      outcome: { items: [loads], more: 0 },
    },
    other: {
      items: [
        event(8, 'Builds are slow on Mondays'),
        imported,
        event(11, 'Do not touch the reset', { scopes: [{ path: 'src/gone.css', exists: false }] }),
      ],
      more: 0,
    },
    resolved: {
      items: [
        event(12, 'JWT expires too soon', {
          status: 'resolved',
          ...{ closed_at: before(120), closed_by: 'copilot-001', resolved_reason: 'Fixed in PR #42.' },
        }),
        event(13, 'We use cookies', {
          type: 'decision',
          status: 'superseded',
          ...{ closed_at: before(200), closed_by: 'Ada Lovelace', superseded_by_event_id: 'E-3' },
        }),
      ],
      more: 0,
    },
    ...more,
  };
}

const { focus: _, ...withoutFocus } = full();

const views: Record<string, () => BriefingSnapshot['view']> = {
  full: () => full(),
  pinned: () => full({ pinned: true, folder: 'backend' }),
  empty: () => empty(),
  project: () => ({ ...withoutFocus, note: 'Untitled-1 is not saved yet, so the briefing covers the whole project.' }),
  proposals: () => full({ proposals: [proposed, replaced] }),
  firstUse: () => full({ proposals: [proposed], answersAs: { name: 'ada', editable: true } }),
  locked: () => full({ locked: 'This folder is not trusted: you can read here, but not post.' }),
  stranger: () => full({ locked: 'This editor cannot sign for you yet.', enrol: '0/enrol' }),
  long: () =>
    full({
      focus: 'packages/enterprise-authentication-gateway/src/configuration/providers/OpenIdConnectProvider.ts',
      other: {
        items: Array.from({ length: 40 }, (_, index) =>
          event(20 + index, `Averyveryverylongwordthatdoesnotbreakanywhere${index} and the rest`, {
            author: 'an-agent-with-a-rather-long-name-001',
            scopes: Array.from({ length: 12 }, (__, scope) => ({
              path: `src/generated/part${scope}.ts`,
              exists: true,
            })),
          }),
        ),
        more: 1_234,
      },
    }),
  unavailable: () => ({
    type: 'unavailable',
    title: 'No folder is open',
    text: 'Notes belong to a folder. Open the folder your agents work in.',
    action: 'openFolder',
  }),
};

export const states: Record<string, () => BriefingSnapshot> = Object.fromEntries(
  Object.entries(views).map(([name, view]) => [name, () => snapshot(view())]),
);
