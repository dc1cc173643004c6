/** What the host might send: one snapshot for every state of the view, close to what agents really write. */
import type { HeldChangesView } from '../../../src/ui/surface/heldFiles.ts';
import type { QuestionForm } from '../../../src/ui/answer/question.ts';
import type { Snapshot, AnswerSnapshot } from '../../../src/ui/answer/form.ts';
import type { LeaveView, ShareView, RecoveryView } from '../../../src/ui/answer/editorForms.ts';
import type { AppointView, RequestView, AskView } from '../../../src/ui/answer/requests.ts';
import type { EnrolView, KeysView } from '../../../src/ui/answer/keys.ts';
import type { PolicyView, ReleaseAllView, WorkView } from '../../../src/ui/answer/workspace.ts';
import { policyFields, presets, valuesOf } from '../../../src/ui/answer/policy.ts';
import { defaultPolicy, type Policy } from '../../../src/core/state/state.ts';

/** The time of every sample, so that its words stay the same. */
export const now = '2026-11-20T14:02:00.000Z';

export function before(minutes: number): string {
  return new Date(Date.parse(now) - minutes * 60_000).toISOString();
}

export function after(minutes: number): string {
  return before(-minutes);
}

const ada = { name: 'Ada Lovelace', you: true };
const grace = { name: 'Grace Hopper', you: false };

type Answered = Extract<QuestionForm['resolution'], { type: 'answered' }>;

let renders = 0;

export function snapshot(view: AnswerSnapshot, more: Partial<Snapshot> = {}): Snapshot {
  return {
    type: 'snapshot',
    now,
    limits: { answer: 5_000, reason: 10_000, name: 200 },
    view: 'render' in view ? { ...view, render: `render-${++renders}` } : view,
    ...more,
  };
}

const bare: QuestionForm = {
  type: 'question',
  key: 'w1/Q-12',
  shown: 'sha256-q12',
  render: 'render-0',
  id: 'Q-12',
  urgency: 'medium',
  kind: 'clarification',
  mode: 'sync',
  agent: 'copilot-001',
  raisedAt: before(2),
  text: 'Which time zone do the nightly exports use?',
  blocks: { work: [], cascade: { count: 0, named: [] }, files: [], wholeSession: false },
  files: [],
  alternatives: [],
  choices: [],
  multiple: false,
  freeText: 'required',
  thread: [],
  askBack: true,
  resolution: { type: 'pending' },
  expiresAt: after(22 * 60 + 10),
  secondStep: false,
  answersAs: { name: 'Ada Lovelace', editable: false },
  history: [],
  waiting: 1,
};

/** The least a question can be. */
export function plain(change: Partial<QuestionForm> = {}): QuestionForm {
  return { ...bare, ...change };
}

/** A decision with everything. */
export function full(change: Partial<QuestionForm> = {}): QuestionForm {
  return {
    ...bare,
    urgency: 'high',
    kind: 'decision',
    text: 'JWT or server-side sessions for the public API tokens?',
    background:
      'The spec says “stateless where possible”, but revocation must work **within a minute** (`docs/security.md`, section 4). ' +
      'A JWT cannot be revoked without a deny list, which is state again; sessions need Redis, which we do not run yet.\n\n' +
      'I found three places that already assume sessions:\n\n' +
      '- `requireSession()` in [src/auth/login.ts](src/auth/login.ts#L48)\n' +
      '- the logout button, which deletes a row\n' +
      '- the admin page, which lists “active sessions”\n\n' +
      'Changing later means touching all of them and migrating live tokens.',
    for: 'security',
    impact: 'Decides the schema of the tokens table',
    ifDelayed: 'delays API tokens by 2 days',
    blocks: {
      work: [{ id: 't-1', title: 'API tokens' }],
      cascade: {
        count: 2,
        named: [
          { id: 't-2', title: 'Rate limits per token' },
          { id: 't-3', title: 'Token page in settings' },
        ],
      },
      files: ['src/auth/**', 'migrations/*_tokens.sql'],
      wholeSession: false,
    },
    files: [
      { path: 'src/auth/login.ts', line: 48, exists: true },
      { path: 'src/auth/middleware/requireSession.ts', exists: true },
      { path: 'docs/security.md', line: 4, exists: true },
      { path: 'src/auth/jwt.ts', exists: false },
    ],
    alternatives: [
      'JWT with a deny list in Postgres: one query per request, so not stateless either.',
      '**Opaque tokens** hashed in Postgres: simple, but the gateway would need the database.',
    ],
    snippet:
      "export async function requireSession(req: Request) {\n  const id = cookie(req, 'sid');\n  const row = await db.session.find(id); // one query per request\n  if (!row) throw new Unauthorized();\n  return row;\n}",
    payload: '{\n  "ticket": "API-7",\n  "labels": [\n    "tokens"\n  ]\n}',
    choices: [
      {
        label: 'Sessions',
        description: 'Server-side, in Redis. Revocation is immediate; one more service to run.',
        recommended: true,
      },
      {
        label: 'JWT',
        description: 'Stateless, 15 minutes, refreshed. Revocation waits for expiry.',
        recommended: false,
      },
      { label: 'Neither yet', description: 'Leave the API without tokens in this release.', recommended: false },
    ],
    freeText: 'optional',
    history: [
      { at: before(2), text: 'copilot-001 asked' },
      { at: before(1), text: 'copilot-001 looked whether it was answered' },
    ],
    waiting: 3,
    next: { key: 'w1/Q-13', title: 'Is it all right to send 2,300 customers the new terms by em…' },
    ...change,
  };
}

/** A human has every file held, not only what was named. */
export function widened(change: Partial<QuestionForm> = {}): QuestionForm {
  const all = { by: ada, at: before(118) };
  return full({ shown: 'sha256-q12-all', blocks: { ...full().blocks, all }, ...change });
}

/** What an agent that stopped waiting left. */
export const parkedBrief: NonNullable<QuestionForm['parked']> = {
  agent: 'copilot-001',
  at: before(12),
  doing: 'Moving sessions to the new table; the copy is done for half of the tenants.',
  next: 'Yes: drop the old table.\nNo: keep both and write to both.',
  files: ['db/migrations/014-sessions.sql', 'src/login/session.ts'],
  checkFirst: 'That no other migration was merged.',
};

/** A command of the agent and somebody else changed held files. */
export const heldChanges: HeldChangesView = {
  files: [
    { path: 'src/login/session.ts', how: 'changed', at: before(3), call: 'npm run fmt -- --write .', same: false },
    { path: 'src/login/cookies.ts', how: 'added', at: before(2), same: false },
  ],
  lost: false,
  here: true,
  compare: true,
};

const command =
  '/home/ada/.local/bin/claude --resume=9f0c7d5e-1b7a-4d0c-9d47-5a3b8f1f2c3d -- "Holdpoint: a human has decided Q-12, which you parked. Continue as the decision says."';

const answered = (more: Partial<Answered>): Answered => ({
  ...{ type: 'answered', choices: [], text: '', by: ada, at: before(2) },
  delivery: { type: 'waiting', agent: 'copilot-001' },
  ...{ effect: 'proceed', revocable: false },
  ...more,
});

const answeredByMe = answered({ choices: ['Sessions'], delivery: { type: 'waiting', agent: 'claude-code-001' } });

/** What starts it again. */
export const resumes = {
  willStart: { type: 'willStart', command, folder: '/home/ada/work/shop', again: false },
  canStart: { type: 'canStart', command, folder: '/home/ada/work/shop', again: false },
  started: { type: 'started', command, at: before(1), terminal: 'Holdpoint: claude-code-001', here: true },
  running: { type: 'running', agent: 'claude-code-001' },
  elsewhere: { type: 'elsewhere', agent: 'claude-code-001' },
  missing: { type: 'missing', agent: 'claude-code-001', program: 'claude' },
  chat: { type: 'chat' },
} as const satisfies Record<string, NonNullable<QuestionForm['resume']>>;

/** A human waits for the agent's reply. */
export const askedBack: QuestionForm['thread'][number] = {
  text: 'How many clients would have to change if we take sessions now and **JWT** later?',
  by: ada,
  at: before(1),
};

/** The agent has replied. */
export function replied(minutes = 1): QuestionForm['thread'][number] {
  const text =
    'Two: the mobile app and the `export` job. Both go through [src/auth/login.ts](src/auth/login.ts#L48).\n\n' +
    '- the app needs a release, about a week\n- the job is ours';
  return { ...askedBack, at: before(minutes + 4), reply: { text, agent: 'copilot-001', at: before(minutes) } };
}

/** An answer that three others were given since. */
export function givenAgain(change: Partial<Answered> = {}): QuestionForm {
  return full({
    resolution: answered({
      choices: ['Sessions'],
      at: before(3 * 24 * 60),
      delivery: { type: 'received', agent: 'copilot-001', at: before(3 * 24 * 60 - 1) },
      again: {
        count: 3,
        named: [
          { agent: 'claude-002', at: before(4) },
          { agent: 'copilot-003', at: before(90) },
          { agent: 'claude-002', at: before(200) },
        ],
      },
      revocable: true,
      ...change,
    }),
  });
}

export function revoked(): QuestionForm {
  return givenAgain({
    effect: 'proceed',
    revocable: false,
    revoked: {
      by: grace,
      at: before(2),
      reason: 'The gateway now wants stateless tokens: ask me again for each service.',
    },
  });
}

export function approval(change: Partial<QuestionForm> = {}): QuestionForm {
  return {
    ...bare,
    urgency: 'critical',
    kind: 'approval',
    agent: 'claude-002',
    text: 'May I run `DROP TABLE sessions_old` on the staging database?',
    background: 'It holds 41,200 rows, the newest from March. A dump is in `backups/sessions_old.sql.gz`.',
    blocks: {
      work: [{ id: 'w-7', title: 'Release 2.4' }],
      cascade: { count: 11, named: [{ id: 't-20', title: 'Migrate staging' }] },
      files: [],
      wholeSession: true,
    },
    choices: [
      { label: 'Yes', recommended: false },
      { label: 'No', recommended: false, effect: 'do_not', refuses: true },
    ],
    freeText: 'optional',
    secondStep: true,
    expiresAt: after(50),
    ...change,
  };
}

/** An approval that was answered with No. */
export function refusedView(change: Partial<Answered> = {}): QuestionForm {
  return approval({
    resolution: answered({
      choices: ['No'],
      text: 'Not before the backup was tested.',
      at: before(12),
      delivery: { type: 'received', agent: 'claude-002', at: before(11) },
      effect: 'do_not',
      ...change,
    }),
  });
}

export function multiple(change: Partial<QuestionForm> = {}): QuestionForm {
  return {
    ...bare,
    urgency: 'low',
    kind: 'clarification',
    text: 'Which browsers must the new editor support?',
    choices: ['Chrome', 'Firefox', 'Safari', 'Edge'].map((label) => ({ label, recommended: label !== 'Edge' })),
    multiple: true,
    freeText: 'optional',
    ...change,
  };
}

export function asynchronous(change: Partial<QuestionForm> = {}): QuestionForm {
  return {
    ...bare,
    mode: 'async',
    urgency: 'low',
    text: 'Should the CSV export quote every field, or only those that need it?',
    assumption: {
      text: 'only those that need it, as RFC 4180 allows',
      answer: 'Yes: only those that need it, as RFC 4180 allows',
      touched: {
        byAgent: [{ path: 'src/export/csv.ts', exists: true }],
        inWork: [
          { path: 'src/export/csv.ts', exists: true },
          { path: 'test/export/csv.test.ts', exists: true },
        ],
      },
    },
    ...change,
  };
}

export const recoveryView: RecoveryView = {
  type: 'recovery',
  key: 'w1',
  shown: 'sha256-recovery',
  render: 'render-0',
  problem: 'The journal ends 3 acts before what this machine has already acknowledged.',
  detail: 'journal/00000001.jsonl\nexpected position 48,211, head 9f3c…a1\nfound 46,020',
  restore: {
    type: 'available',
    copyFrom: before(9),
    loses: 'nothing that was acknowledged: the copy is complete up to 13:53.',
    confirm: { type: 'tick', text: 'Put the copy of 13:53 in place of the journal' },
  },
  setAside: {
    type: 'unavailable',
    why: 'There is no damaged line: the end of the journal is missing.',
  },
  startAnew: {
    type: 'available',
    loses: '4 open questions, 17 work items and everything they hold. Agents may go on at once.',
    confirm: { type: 'word', word: 'shop' },
  },
  answersAs: { name: 'Ada Lovelace', editable: false },
};

/** Hours that questions wait, as a new workspace has them except for critical ones. */
export const life = (critical: number) => ({ critical, high: 24, medium: 72, low: 168 });

export function policyView(
  change: Partial<PolicyView> = {},
  policy: Partial<Policy> = {},
  isShared = false,
): PolicyView {
  const people = ['Ada Lovelace', 'Grace Hopper', 'Linus'];
  const offered = { isShared, people, responsibilities: [{ id: 'jane@shop', name: 'Jane' }] };
  return {
    ...form('policy', 'policy'),
    fields: policyFields(offered),
    values: valuesOf({ ...defaultPolicy, ...policy }, offered),
    presets: presets(offered),
    proposedRules: [],
    ...change,
  };
}

/** What every form has. */
const form = <Type extends string>(type: Type, key: string, shown: string = type) => ({
  ...{ type, key: `w1/${key}`, shown: `sha256-${shown}`, render: 'render-0' },
  answersAs: { name: 'Ada Lovelace', editable: false },
});

const face = (begin: string): string => `${begin}${' 77c2 10be 3f9a'.repeat(5)}`.slice(0, 79);

export function enrolView(change: Partial<EnrolView> = {}): EnrolView {
  return {
    type: 'enrol',
    key: 'w1/enrol',
    shown: 'sha256-enrol',
    render: 'render-0',
    name: 'ada',
    pinned: [
      { keyid: 'k-1', name: 'Ada Lovelace', fingerprint: face('3f9a'), at: before(60 * 24 * 12) },
      { keyid: 'k-2', name: 'Grace Hopper', fingerprint: face('8ee1'), at: before(60 * 24 * 3) },
    ],
    ...change,
  };
}

export const teamWords = 'This editor’s key is not in the team’s list of keys. Ask Ada or Grace to add it.';
export const managedWords =
  'The keys trusted on this machine are in /etc/holdpoint/keys.json, which only its administrator can change. Keys cannot be added or removed here.';
export const remoteWords =
  'Your key is on the remote machine (ssh-remote), next to your agents. Programs running as you there could sign for you.';

export function keysView(change: Partial<KeysView> = {}): KeysView {
  return {
    ...form('keys', 'keys'),
    sharing: { form: 'w1/share', isShared: false },
    own: {
      name: 'Ada Lovelace',
      fingerprint: face('3f9a'),
      since: before(60 * 24 * 12),
      publicLine: 'MCowBQYDK2VwAyEA5f7m3cQ0 Ada Lovelace',
    },
    others: [
      {
        keyid: 'k-2',
        name: 'Grace Hopper',
        fingerprint: face('8ee1'),
        at: before(60 * 24),
        stranger: false,
        root: false,
      },
    ],
    passkeys: [],
    addsPasskeys: true,
    ...{ inBrowser: false, team: false, onlyRoot: false, retired: [] },
    ...change,
  };
}

export const inBrowserWords = 'The policy requires a passkey: you answer in your browser, and the result appears here.';

/** One in use, and one that does not count yet. */
const passkeyRows: KeysView['passkeys'] = [
  {
    keyid: 'k-8',
    name: 'Ada Lovelace',
    fingerprint: face('51c0'),
    label: 'Ada’s phone',
    origin: 'http://localhost:4764',
    since: before(60 * 24 * 5),
    used: before(12),
    counts: true,
    confirm: 'no',
    changeable: true,
    stranger: false,
  },
  {
    keyid: 'k-9',
    name: 'Ada Lovelace',
    fingerprint: face('77ab'),
    label: 'Security key in the drawer',
    origin: 'http://localhost:4764',
    since: before(3),
    counts: false,
    confirm: 'browser',
    changeable: true,
    stranger: false,
  },
];

export function shareView(change: Partial<ShareView> = {}): ShareView {
  return {
    ...form('share', 'share'),
    project: 'shop',
    counts: { questions: 214, rfcs: 6, events: 1_380, requests: 1, work: 96, agents: 4 },
    secrets: [
      { item: 'Q-12', kind: 'urlPassword', beginning: 'postgresql://shop:' },
      { item: 'E-310', kind: 'token', beginning: 'ghp_' },
      { item: 'RFC-4', kind: 'privateKey', beginning: '-----BEGIN RSA PRIVATE KEY-----' },
    ],
    secretCount: 3,
    name: 'shop',
    server: { login: 'ada', host: 'holdpoint.db.example' },
    agents: 'ada_agent',
    fingerprint: face('3f9a'),
    ...change,
  };
}

export function leaveView(change: Partial<LeaveView> = {}): LeaveView {
  return {
    ...form('leave', 'leave'),
    shared: 'shop',
    ...change,
  };
}

/** A request in a human's inbox, with all it can show. */
export function requestView(change: Partial<RequestView> = {}): RequestView {
  return {
    ...form('request', 'R-7'),
    id: 'R-7',
    kind: 'request_for_action',
    status: 'pending',
    origin: 'Backend (backend)',
    target: 'Ada (ada@shop)',
    subject: 'Renew the certificate of the payment gateway',
    summary: 'It ends on **4 March**. Only the account owner can renew it; see the steps in the runbook.',
    suggested: ['Sign in to the registrar', 'Upload the new key'],
    bundles: [],
    objectives: [],
    files: [{ path: 'docs/runbook.md', exists: true }],
    links: ['https://example.org/certificates'],
    tags: ['payments'],
    work: [],
    steps: [],
    createdAt: before(90),
    dueAt: before(-60 * 24),
    overdue: true,
    actions: ['accept', 'defer', 'reject'],
    history: [{ at: before(90), text: 'created by backend-001' }],
    ...change,
  };
}

export function appointView(change: Partial<AppointView> = {}): AppointView {
  return {
    ...form('appoint', 'responsibilities'),
    known: [
      { id: 'backend', kind: 'agent', name: 'Backend', agents: ['backend-001', 'backend-002'] },
      { id: 'jane@shop', kind: 'steward', name: 'Jane', agents: ['jane-001'] },
    ],
    ...change,
  };
}

export function askView(change: Partial<AskView> = {}): AskView {
  return {
    ...form('ask', 'newRequest'),
    origins: [
      { id: 'ada@shop', kind: 'human', name: 'Ada' },
      { id: 'jane@shop', kind: 'steward', name: 'Jane' },
    ],
    targets: [
      { id: 'backend', kind: 'agent', name: 'Backend' },
      { id: 'ada@shop', kind: 'human', name: 'Ada' },
      { id: 'jane@shop', kind: 'steward', name: 'Jane' },
    ],
    ingestions: [{ id: 'R-4', steward: 'jane@shop', subject: 'Prices of February', bundles: ['billing-2026-02'] }],
    appoint: 'w1/responsibilities',
    ...change,
  };
}

export function releaseAllView(change: Partial<ReleaseAllView> = {}): ReleaseAllView {
  return {
    ...form('releaseAll', 'agent/copilot-001', 'all'),
    agent: 'copilot-001',
    questions: [
      {
        key: 'w1/Q-12',
        id: 'Q-12',
        text: 'JWT or server-side sessions for the public API tokens?',
        urgency: 'high',
        holds: 3,
        expired: false,
      },
      {
        key: 'w1/Q-13',
        id: 'Q-13',
        text: 'Drop the table legacy_orders on production?',
        urgency: 'critical',
        holds: 1,
        expired: true,
      },
      {
        key: 'w1/Q-14',
        id: 'Q-14',
        text: 'Should the CSV export quote every field?',
        urgency: 'low',
        expired: false,
      },
    ],
    ...change,
  };
}

export function workView(change: Partial<WorkView> = {}): WorkView {
  return {
    ...form('work', 'work/tokens'),
    work: { id: 'tokens', title: 'API tokens' },
    kind: 'workflow',
    parts: [
      { id: 'tokens/issue', title: 'Issue tokens' },
      { id: 'tokens/revoke', title: 'Revoke tokens' },
    ],
    holders: [
      { key: 'w1/Q-12', id: 'Q-12', text: 'JWT or server-side sessions for the public API tokens?' },
      { key: 'w1/RFC-3', id: 'RFC-3', text: 'Migrate the store from SQLite to PostgreSQL' },
    ],
    dependants: [{ id: 'docs', title: 'Write the API guide' }],
    ...change,
  };
}

const views: Record<string, () => AnswerSnapshot> = {
  plain: () => plain(),
  full: () => full(),
  imported: () =>
    plain({ imported: { from: 'json', source: 'billing-export-2026-11.json', ref: 'Q-7' }, raisedAt: before(3_000) }),
  approval: () => approval(),
  multiple: () => multiple(),
  async: () => asynchronous(),
  severalPeople: () =>
    full({
      for: 'grace',
      people: {
        needs: '2 of Ada Lovelace, grace, linus must decide this.',
        proposals: [
          {
            text: '1 of 2: grace approved “Sessions: For now.”',
            mine: false,
            fill: { panel: 'answer', choices: ['Sessions'], text: 'For now.' },
          },
          { text: '1 of 2: Ada Lovelace approved dismissing it', mine: true },
        ],
      },
    }),
  unlisted: () =>
    approval({
      people: {
        needs: '2 of grace, linus must decide this.',
        proposals: [],
      },
      locked: 'The policy does not list Ada Lovelace, so your decision would have no effect.',
    }),
  allFiles: () => widened(),
  allFilesByOther: () =>
    approval({
      blocks: {
        ...approval().blocks,
        all: { by: { name: 'Grace Hopper', you: false }, at: before(3 * 24 * 60) },
      },
    }),
  inBrowser: () => approval({ inBrowser: inBrowserWords }),
  inBrowserRefused: () => ({ ...refusedView(), inBrowser: inBrowserWords }),
  byPasskey: () =>
    approval({
      resolution: answered({
        choices: ['Yes'],
        by: ada,
        at: before(1),
        passkey: 'Ada’s phone',
      }),
    }),
  keysPasskeys: () => keysView({ passkeys: passkeyRows }),
  keysPhone: () => keysView({ phone: { link: 'https://holdpoint.example/passkey', size: 2, squares: 'M0 0h1v1h-1z' } }),
  keysInBrowser: () =>
    keysView({
      own: undefined,
      others: [],
      addsPasskeys: false,
      inBrowser: true,
      passkeys: passkeyRows.map((one) => ({
        ...one,
        changeable: false,
        confirm: one.counts ? ('no' as const) : ('here' as const),
      })),
    }),
  policyInBrowser: () =>
    policyView(
      {
        inBrowser:
          'Loosening a rule on passkeys needs a passkey, and so does every change while a rule covers everything. Open this form in the browser for that.',
      },
      { passkeys: { rules: [{ urgencies: ['critical'] }] } },
    ),
  firstUse: () => plain({ answersAs: { name: 'ada', editable: true } }),
  locked: () => full({ locked: 'This workspace is not trusted, so nothing can be answered here. Trust it to answer.' }),
  answered: () =>
    full({
      resolution: answered({
        choices: ['Sessions'],
        text: 'We run Redis from next week on anyway.',
        by: ada,
        at: before(0.2),
        delivery: { type: 'received', agent: 'copilot-001', at: before(0.18) },
        revocable: true,
      }),
    }),
  answeredWaiting: () =>
    plain({
      resolution: answered({
        text: 'UTC, always.',
        by: ada,
        at: before(3),
      }),
    }),
  somebodyElse: () =>
    full({
      resolution: answered({
        choices: ['JWT'],
        by: grace,
        at: before(1),
        delivery: { type: 'received', agent: 'copilot-001', at: before(0.9) },
        revocable: true,
      }),
    }),
  givenAgain: () => givenAgain(),
  revoked: () => revoked(),
  refusedByHuman: () => refusedView(),
  stoppedByHuman: () => refusedView({ effect: 'stop' }),
  lifted: () => refusedView({ lifted: { by: grace, at: before(1), reason: 'The backup was tested this morning.' } }),
  askedBack: () => full({ thread: [askedBack], askBack: false }),
  parked: () => full({ parked: parkedBrief }),
  parkedWillStart: () => full({ parked: parkedBrief, resume: resumes.willStart }),
  parkedRunning: () => full({ parked: parkedBrief, resume: resumes.running }),
  resumable: () => full({ resolution: answeredByMe, resume: resumes.canStart }),
  resumed: () => full({ resolution: answeredByMe, resume: resumes.started }),
  resumableChat: () => full({ resolution: answeredByMe, resume: resumes.chat }),
  resumeMissing: () => full({ resolution: answeredByMe, resume: resumes.missing }),
  replied: () => full({ shown: 'sha256-q12-replied', thread: [replied()] }),
  repliedTwice: () =>
    full({
      urgency: 'critical',
      secondStep: true,
      thread: [replied(90), { ...replied(), text: 'And who runs it at night?' }],
    }),
  repliedThenAnswered: () => ({ ...givenAgain(), thread: [replied(30)], askBack: false }),
  cancelled: () =>
    plain({
      resolution: {
        type: 'cancelled',
        reason: 'We dropped nightly exports.',
        by: grace,
        at: before(200),
        delivery: { type: 'received', agent: 'copilot-001', at: before(199) },
      },
    }),
  released: () =>
    full({
      resolution: {
        type: 'released',
        note: 'Use your judgement, and write down what you chose.',
        by: ada,
        at: before(4),
        delivery: { type: 'waiting', agent: 'copilot-001' },
      },
    }),
  expired: () =>
    full({
      resolution: { type: 'expired', at: before(30), failed: [{ id: 't-1', title: 'API tokens' }], held: true },
      raisedAt: before(24 * 60 + 30),
    }),
  nothing: () => ({
    ...{ type: 'nothing', left: [] },
    rfcs: [],
    proposals: [],
    agents: [
      { agent: 'copilot-001', what: 'API tokens', since: before(4) },
      { agent: 'claude-002', what: 'Migrate staging', since: before(61) },
    ],
  }),
  idle: () => ({ type: 'nothing', left: [], rfcs: [], proposals: [], agents: [] }),
  reviewsWait: () => ({
    ...{ type: 'nothing', left: [] },
    rfcs: [{ key: 'w1/RFC-3', id: 'RFC-3', title: 'Migrate the store from SQLite to PostgreSQL' }],
    proposals: [{ key: 'w1/E-7', id: 'E-7', title: 'copilot-001 proposes to close it' }],
    agents: [{ agent: 'copilot-001', what: 'API tokens', since: before(4) }],
  }),
  policy: () => policyView({ folder: 'shop' }, { hooks: { readOnlyTools: ['docs/search'] } }),
  policyLocked: () =>
    policyView({ locked: 'This folder is not trusted: you can read here, but not decide.' }, { onExpiry: 'escalate' }),
  releaseAll: () => releaseAllView(),
  work: () => workView(),
  workFree: () => workView({ folder: 'shop', kind: 'task', parts: [], holders: [], dependants: [] }),
  request: () => requestView(),
  requestIngest: () =>
    requestView({
      kind: 'ingest_new_context',
      status: 'accepted',
      overdue: false,
      bundles: ['billing-2026-02'],
      objectives: ['Prices changed in February'],
      steps: [
        { step: 'normalise', done: true },
        { step: 'lineage', done: false },
        { step: 'dispatch', done: false },
      ],
      actions: ['lineage'],
    }),
  requestSettled: () => requestView({ status: 'rejected', overdue: false, note: 'Finance renews it.', actions: [] }),
  appoint: () => appointView(),
  ask: () => askView(),
  askWithoutOrigin: () => askView({ origins: [], ingestions: [] }),
  askFirst: () => askView({ answersAs: { name: 'ada', editable: true }, folder: 'shop' }),
  recovery: () => recoveryView,
  enrol: () => enrolView(),
  stranger: () => full({ locked: 'This editor cannot sign for you yet.', enrol: 'w1/enrol' }),
  enrolManaged: () =>
    enrolView({ managed: managedWords, publicLine: 'MCowBQYDK2VwAyEA5f7m3cQ0 ada', remote: remoteWords }),
  enrolTeam: () => enrolView({ team: teamWords, publicLine: 'MCowBQYDK2VwAyEA5f7m3cQ0 ada' }),
  share: () => shareView({ folder: 'shop' }),
  shareFirst: () => {
    const {
      server: _,
      agents: __,
      fingerprint: ___,
      ...rest
    } = shareView({
      secrets: [],
      secretCount: 0,
      answersAs: { name: 'ada', editable: true },
    });
    return rest;
  },
  shareBegun: () => shareView({ begun: 'shop', secrets: [], secretCount: 0 }),
  leaveTeam: () => leaveView(),
  keys: () => keysView({ folder: 'shop' }),
  keysNone: () => {
    const { own: _, ...rest } = keysView({ others: [] });
    return rest;
  },
  keysOnlyRoot: () => keysView({ team: true, onlyRoot: true }),
  keysRoots: () => {
    const { others } = keysView();
    return keysView({ team: true, others: others.map((key) => ({ ...key, root: true })) });
  },
  keysManaged: () => keysView({ managed: managedWords }),
  keysAfterLoss: () =>
    keysView({
      remote: remoteWords,
      others: [
        { keyid: 'k-3', name: 'Mallory', fingerprint: face('0bad'), at: before(3), stranger: true, root: false },
        {
          keyid: 'k-2',
          name: 'Grace Hopper',
          fingerprint: face('8ee1'),
          at: before(60 * 24),
          stranger: false,
          root: false,
        },
      ],
      retired: [
        { name: 'Ada Lovelace', fingerprint: face('1111'), at: before(60), why: 'lost' },
        { name: 'Ada Lovelace', fingerprint: face('2222'), at: before(60 * 24 * 40), why: 'rotated' },
      ],
    }),
  keysCandidate: () => keysView({ shown: 'sha256-candidate', candidate: { name: 'Mary', fingerprint: face('5a5a') } }),
  keysPasskeyCandidate: () =>
    keysView({
      team: true,
      candidate: {
        name: 'Mary',
        fingerprint: face('5a5a'),
        passkey: { label: 'Mary’s phone', origin: 'https://holdpoint.example.com' },
      },
    }),
  keysProblem: () => keysView({ problem: 'this is not a public key of Holdpoint (Ed25519, as base64 or PEM)' }),
  newer: () => ({
    type: 'unavailable',
    title: 'Update Holdpoint',
    text: 'A newer Holdpoint wrote this workspace, and this one cannot tell which work is held: all agents paused. Nothing is lost. Update Holdpoint, then reload this window.',
    action: 'reloadWindow',
    recovery: 'key-recovery',
  }),
  noFolder: () => ({
    type: 'unavailable',
    title: 'No folder is open',
    text: 'Holdpoint keeps the questions waiting for you in the folder you work in. Open one to begin.',
    action: 'openFolder',
  }),
};

/** Every state, by name: what screenshots show and accessibility checks run over. */
export const states: Record<string, () => Snapshot> = {
  ...Object.fromEntries(Object.entries(views).map(([name, view]) => [name, () => snapshot(view())])),
  ignored: () => snapshot(full(), { ignored: 3 }),
};

/** Of the tabs that are about one folder. */
export const twoFolders = [
  { key: '0/x', name: 'shop' },
  { key: '1/x', name: 'docs' },
];
export const noFolder = {
  type: 'unavailable',
  title: 'No folder is open',
  text: 'Open the folder your agents work in.',
  action: 'openFolder',
} as const;
