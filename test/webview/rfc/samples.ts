/** What the host might send about an RFC: close to what agents and reviewers really write. */
import type { RfcSnapshot, RfcView, OpenQuestion, Section, Thread } from '../../../src/ui/rfc/model.ts';
import { before, heldChanges, now } from '../question/samples.ts';

let renders = 0;

export function snapshot(view: RfcSnapshot['view'], more: Partial<RfcSnapshot> = {}): RfcSnapshot {
  return {
    type: 'snapshot',
    now,
    limits: { text: 10_000, name: 200, lines: 100, answer: 5_000 },
    view: 'render' in view ? { ...view, render: `render-${++renders}` } : view,
    ...more,
  };
}

const you = 'Ada Lovelace';
const byHuman = { by_kind: 'human', signed: true } as const;
const byAgent = { by: 'copilot-001', by_kind: 'agent', signed: false } as const;
/** Of a comment. */
const onDesign = { section: { key: 'detailed_design', heading: 'Detailed design' }, resolved: null } as const;

export function section(id: string, title: string, text: string, more: Partial<Section> = {}): Section {
  return { id, title, text, questions: [], threads: [], change: 'none', ...more };
}

export const concern: Thread = {
  ...{ number: 1, ...onDesign, by: you, ...byHuman },
  type: 'concern',
  blocking: true,
  at: before(50),
  quote: 'Writes stop for the length of the copy',
  text: 'How long is that, for the **largest** customer? We promised at most five minutes in `docs/sla.md`.',
  revision: 2,
  outdated: true,
  replies: [
    { number: 1, by: 'Ada', by_kind: 'human', signed: false, at: before(40), text: 'Is there a number?' },
    {
      ...{ number: 2, ...byAgent },
      at: before(31),
      text: 'About 40 minutes as written. Revision 3 copies while writes go on, see *Design*.',
    },
  ],
};

const suggestion: Thread = {
  ...{ number: 2, ...onDesign, by: 'Claude Sonnet 5', by_kind: 'reviewer', signed: false },
  type: 'suggestion',
  blocking: false,
  at: before(20),
  quote: 'Compare nightly, row by row.',
  text: 'Name the metric that tells when phase 2 may begin.',
  revision: 3,
  outdated: false,
  replies: [],
};

const settled: Thread = {
  ...{ number: 3, section: { key: 'summary', heading: 'Summary' }, by: 'Grace Hopper', ...byHuman, quote: null },
  type: 'question',
  blocking: true,
  at: before(70),
  text: 'Do we need PostgreSQL at all?',
  revision: 1,
  outdated: true,
  replies: [{ number: 1, ...byAgent, at: before(60), text: 'For concurrent writers, yes.' }],
  resolved: { by: 'Grace Hopper', at: before(55) },
};

const waiting: OpenQuestion = {
  ...{ number: 1, text: '', state: 'unanswered', in_document: true, choices: [], more: '' },
  ...{ author_answer: null, ai_answer: null, human: null },
};

/** An open question: without more, one that nobody has answered. */
function question(number: number, text: string, more: Partial<OpenQuestion> = {}): OpenQuestion {
  return { ...waiting, number, text, ...more };
}

const answered = { model: 'Claude Sonnet 5', prompt: 'review 1', at: before(20) };

export function revision(number: number, start: string, at: string): RfcView['revisions'][number] {
  return { number, hash: start.padEnd(64, '0'), at, author: 'copilot-001', note: null };
}

const bare: RfcView = {
  type: 'rfc',
  key: '0/RFC-3',
  shown: 'sha256-rfc3',
  render: 'render-0',
  id: 'RFC-3',
  title: 'Migrate the store from SQLite to PostgreSQL',
  agent: 'copilot-001',
  proposedAt: before(95),
  status: 'under_review',
  revisions: [revision(1, '4be91c07', before(95))],
  revision: 1,
  latest: 1,
  sections: [section('summary', 'Summary', 'Move the store to PostgreSQL in three phases, without downtime.')],
  references: [],
  ...{ you, own: null, approval: null },
  blocks: { work: [], cascade: { count: 0, named: [] }, files: [] },
  missing: { threads: 0, questions: 0 },
  may: {
    approve: true,
    requestChanges: true,
    reject: true,
    withdraw: true,
    holdAll: true,
    holdNamed: false,
    comment: true,
    answer: true,
    askReviewer: false,
  },
  answersAs: { name: 'Ada Lovelace', editable: false },
  history: [],
};

/** The smallest possible RFC. */
export function small(change: Partial<RfcView> = {}): RfcView {
  return { ...bare, ...change };
}

const design = `The store keeps its interface (\`Store\` in [src/store.ts](src/store.ts#L12)); only what is behind it changes.

### Phase 1: write to both

Each write goes to SQLite first, then to PostgreSQL through an outbox. A failed second write is retried and never
shown to the caller.

1. Create the schema with \`migrations/0042_postgres.sql\`.
2. Turn the outbox on for one tenant, then for ten, then for all.
3. Compare nightly, row by row.

### Phase 2: read from PostgreSQL

| Step | Guard | Way back |
| ---- | ----- | -------- |
| reads of reports | p95 below 80 ms | a flag |
| reads of carts | no difference for 7 days | a flag |

#### What could go wrong

> The outbox grows without a bound if PostgreSQL is away for long.

It has a limit of one million rows; beyond it writes are refused.

\`\`\`sql
create table outbox (
  id bigint generated always as identity primary key,
  body jsonb not null,
  tried int not null default 0
);
\`\`\`
`;

const alternatives = `We looked at two.

### SQLite with WAL

Keep the file, allow one writer beside readers.

For:

- No server
- One day of work

### A hosted service

Against:

- Data leaves the region
`;

/** Everything that an RFC can have before a human decides. */
export function full(change: Partial<RfcView> = {}): RfcView {
  return {
    ...bare,
    folder: 'shop',
    reviewing: {
      stage: 'awaiting_human',
      model: 'Claude Sonnet 5',
      verdict: 'approve',
      at: before(20),
      round: 2,
      rounds: 5,
      summary: 'Sound and in small steps. The way back is described for each. **One question needs a human.**',
    },
    revisions: [
      revision(1, '4be91c07', before(95)),
      revision(2, 'a09d1f32', before(62)),
      revision(3, '7c55e2b8', before(30)),
    ],
    revision: 3,
    latest: 3,
    reviewed: 2,
    sections: [
      section(
        'summary',
        'Summary',
        'Move the store from SQLite to PostgreSQL in three phases, without downtime. Each phase can be taken back.',
        { threads: [settled] },
      ),
      section(
        'motivation',
        'Motivation',
        'Two processes cannot write at once, and reports block checkout for **up to 4 s** at noon. See [the incident](docs/incidents/2026-10-02.md).',
      ),
      section('detailed_design', 'Detailed design', design, { change: 'changed', threads: [concern, suggestion] }),
      section('alternatives', 'Alternatives', alternatives),
      section('unresolved_questions', 'Open questions', '', {
        change: 'changed',
        questions: [
          question(1, 'Does the outbox need a limit?', {
            state: 'ai_answered',
            ai_answer: {
              ...answered,
              answer: 'Yes. One million rows is about 40 minutes of writes at peak.',
              evidence: [
                '`docs/load.md`: 420 writes a second at peak',
                'the design names the limit in *What could go wrong*',
              ],
              confidence: 'high',
            },
          }),
          question(2, 'May customer data be copied to the new region during phase 1?', {
            state: 'human_required',
            human: { question_id: 'Q-14', answer: null, by: null, at: null },
          }),
          question(3, 'Is `jsonb` needed?', {
            state: 'ai_answered',
            ai_answer: { ...answered, answer: 'It is convenient for comparison.', evidence: [], confidence: 'low' },
          }),
          question(4, 'Which version of PostgreSQL?', {
            state: 'human_answered',
            human: { question_id: 'Q-13', by: you, at: before(40), answer: '17, as everywhere.' },
          }),
          question(5, 'Who runs it?', { state: 'author_answered' }),
          question(6, 'How long do we keep the SQLite file?', {
            more: 'It is 12 GB for the largest tenant.',
            choices: [
              { label: '30 days', description: 'As for every other backup.', recommended: true },
              { label: 'Until the end of phase 3' },
            ],
          }),
        ],
      }),
      section('rollback_plan', 'Rollback plan', 'Turn the flag off. SQLite has everything until the end of phase 3.', {
        change: 'new',
      }),
    ],
    references: [
      { id: 'E-31', role: 'context' },
      { id: 'E-12', role: 'reasoning' },
    ],
    blocks: {
      work: [
        { id: 'w-store', title: 'Store migration' },
        { id: 't-17', title: 'Write the outbox' },
        { id: 't-18', title: 'Nightly comparison' },
      ],
      cascade: { count: 2, named: [{ id: 't-30', title: 'Reports read the replica' }] },
      files: ['src/store/**', 'migrations/**'],
    },
    missing: { threads: 1, questions: 2 },
    history: [
      { at: before(95), text: 'copilot-001 proposed it' },
      { at: before(62), text: 'Revision 2 by copilot-001' },
      { at: before(30), text: 'Revision 3 by copilot-001' },
    ],
    ...change,
  };
}

const prose =
  'Each write goes to the first store and then, through an outbox, to the second one; a write that fails there is tried again until it is done, and the caller never sees that. ';

/** Parts of a long document: prose, wide tables, code in several languages, a diagram, an image, links. */
export function technical(): RfcView {
  const text = `${prose.repeat(4)}

### The tables

| Table | Rows today | Written by | Read by | Index that is missing | Migration |
| --- | ---: | --- | --- | --- | --- |
| orders_with_their_positions | 1,200,000 | src/checkout/placeOrder.ts | reports, invoices | created_at, tenant | 0042_postgres_orders.sql |
| carts | 80,000 | checkout | checkout | none | 0043_carts.sql |

### How it is written

\`\`\`ts
/** Writes to both stores. */
export async function write(order: Order, { first, outbox }: Stores): Promise<void> {
  await first.insert(order); // the outbox has the same transaction, so that no write is lost in between: see below
  if (outbox.size > 1_000_000) throw new Error(\`too much: \${outbox.size}\`);
}
\`\`\`

\`\`\`json
{ "outbox": { "limit": 1000000, "alarm": true, "retry": null } }
\`\`\`

#### In pictures

![The way of a write](docs/write.png)

![a remote one](https://evil.test/p.png)

\`\`\`mermaid
sequenceDiagram
  Checkout->>SQLite: insert
\`\`\`

See [src/store.ts](src/store.ts#L12).`;
  return small({
    sections: [section('summary', 'Summary', prose), section('detailed_design', 'Detailed design', text)],
  });
}

/** Everything is complete. */
export function approvable(change: Partial<RfcView> = {}): RfcView {
  const view = full({ missing: { threads: 0, questions: 0 } });
  return {
    ...view,
    shown: 'sha256-rfc3-ready',
    sections: view.sections.map((one) => ({
      ...one,
      threads: one.threads.map((thread) => ({ ...thread, resolved: thread.resolved ?? { by: you, at: before(3) } })),
      questions: one.questions.filter(({ state }) => state !== 'human_required' && state !== 'unanswered'),
    })),
    ...change,
  };
}

/** The same, compared with the revision of the last review. */
export function comparing(change: Partial<RfcView> = {}): RfcView {
  const view = full({ compared: 2, ...change });
  return {
    ...view,
    sections: [
      ...view.sections.map((one): Section => {
        if (one.id === 'detailed_design')
          return {
            ...one,
            difference: [
              { type: 'gap', lines: 4 },
              { type: 'same', text: '### Phase 1: write to both' },
              { type: 'same', text: '' },
              {
                type: 'removed',
                pieces: [
                  { text: 'Each write goes to ', changed: false },
                  { text: 'PostgreSQL first. Writes stop for the length of the copy', changed: true },
                  { text: '.', changed: false },
                ],
              },
              {
                type: 'added',
                pieces: [
                  { text: 'Each write goes to ', changed: false },
                  { text: 'SQLite first, then to PostgreSQL through an outbox', changed: true },
                  { text: '.', changed: false },
                ],
              },
              { type: 'added', pieces: [{ text: 'A failed second write is retried.', changed: true }] },
              { type: 'gap', lines: 1 },
            ],
          };
        if (one.id === 'rollback_plan')
          return {
            ...one,
            difference: [{ type: 'added', pieces: [{ text: 'Turn the flag off.', changed: true }] }],
          };
        return one;
      }),
      section('risks', 'Risks', '', {
        change: 'gone',
        difference: [{ type: 'removed', pieces: [{ text: 'The copy may take long.', changed: true }] }],
      }),
    ],
  };
}

const decision: NonNullable<RfcView['decided']> = {
  ...{ number: 1, action: 'withdrawn', revision: null, amendment: false, reason: null, then: null },
  ...{ conditions: [], constraints: [], waived: [], by: you, at: before(5), keyid: 'a1b2', signed_with: 'key' },
};

const approved: typeof decision = {
  ...decision,
  ...{ action: 'approved', at: before(2), revision: 3 },
  conditions: [
    'Phase 2 begins only after seven days without a difference',
    'The outbox has an alarm at 100,000 rows',
    'PostgreSQL 17',
  ],
};

/** The approval of a revision, with its terms. */
function approval(number: number, ...conditions: string[]): RfcView['approval'] {
  return { revision: number, hash: '', by: you, at: before(40), conditions, constraints: [], waived: [] };
}

const nothingMore = {
  approve: false,
  requestChanges: false,
  reject: false,
  withdraw: false,
  holdAll: false,
  holdNamed: false,
  answer: false,
  askReviewer: false,
};
const over = { may: { ...nothingMore, comment: true } } satisfies Partial<RfcView>;

/** Held files have changed. */
export function changed(change: Partial<RfcView> = {}): RfcView {
  return full({ shown: 'sha256-rfc3-changed', changes: heldChanges, ...change });
}

/** A human extended the hold to all files. */
export function widened(change: Partial<RfcView> = {}): RfcView {
  const all = { by: { name: 'Grace Hopper', you: false }, at: before(118) };
  const may = { ...full().may, holdAll: false, holdNamed: true };
  return full({ shown: 'sha256-rfc3-all', blocks: { ...full().blocks, all }, may, ...change });
}

/** What a template tells its authors, on separate lines and within a line. */
const commented =
  '<!--\nWrite one short paragraph.\n\n- no list\n-->\n\nMove the store. <!-- in three phases --> Each can be taken back.\n\n<!-- Why now? -->\n\n`<!-- code -->`';

const views: Record<string, () => RfcSnapshot['view']> = {
  small: () => small(),
  imported: () => small({ imported: { from: 'markdown', source: 'docs/adr', ref: '0007-postgres.md' } }),
  full: () => full(),
  technical: () => technical(),
  comments: () => small({ sections: [section('summary', 'Summary', commented)] }),
  approvable: () => approvable(),
  changed: () => changed(),
  severalPeople: () =>
    approvable({
      for: 'security',
      people: {
        needs: '2 of Ada Lovelace, grace, linus must decide this.',
        proposals: [
          {
            text: '1 of 2: grace approved, on these terms: Log every refund; At most 100 a day',
            mine: false,
            fill: {
              ...{ panel: 'approve', text: '', conditions: ['Log every refund', 'At most 100 a day'] },
              way: 'otherWay',
            },
          },
        ],
      },
    }),
  unlisted: () =>
    approvable({
      people: { needs: '2 of grace, linus must decide this.', proposals: [] },
      unlisted: 'The policy does not list Ada Lovelace, so your decision would have no effect.',
      may: { ...approvable().may, approve: false, requestChanges: false, reject: false, withdraw: false },
    }),
  inBrowser: () =>
    approvable({
      inBrowser: 'The policy requires a passkey: you answer in your browser, and the result appears here.',
      may: { ...approvable().may, approve: false, requestChanges: false, reject: false, withdraw: false },
    }),
  inBrowserStranger: () =>
    approvable({
      inBrowser: 'The policy requires a passkey: you answer in your browser, and the result appears here.',
      locked: { why: 'This editor cannot sign for you yet.', enrol: '0/enrol' },
      may: { ...approvable().may, approve: false, requestChanges: false, reject: false, withdraw: false },
    }),
  byPasskey: () =>
    approvable({
      status: 'approved',
      ...over,
      decided: { ...approved, conditions: [], passkey: 'Ada’s phone' },
      received: { agent: 'copilot-001', at: before(1) },
    }),
  allFiles: () => widened(),
  comparing: () => comparing(),
  firstUse: () => approvable({ answersAs: { name: 'ada', editable: true } }),
  reading: () =>
    full({
      reviewing: { stage: 'reviewing', model: 'Claude Sonnet 5', at: before(0), round: 1, rounds: 5 },
      missing: { threads: 0, questions: 0 },
    }),
  noModel: () =>
    full({
      reviewing: {
        stage: 'awaiting_human',
        note: 'No language model was available: it came straight to you.',
      },
      may: { ...full().may, askReviewer: true },
    }),
  older: () => full({ revision: 2, sections: full().sections.slice(0, 3) }),
  amendment: () =>
    approvable({
      status: 'approved',
      may: { ...full().may, holdAll: false },
      approval: approval(2, 'Tests for the outbox'),
    }),
  amendmentRejected: () =>
    approvable({
      status: 'approved',
      ...over,
      revision: 2,
      approval: approval(2, 'Tests for the outbox', 'No new service'),
      decided: { ...decision, action: 'rejected', amendment: true, reason: 'Keep the outbox.' },
      received: { agent: 'copilot-001', at: before(1) },
    }),
  approved: () =>
    approvable({
      status: 'approved',
      ...over,
      decided: approved,
      received: { agent: 'copilot-001', at: before(1) },
      approval: approval(3),
    }),
  changesRequested: () =>
    full({
      status: 'draft',
      may: { ...nothingMore, reject: true, withdraw: true, holdAll: true, comment: true },
      decided: {
        ...decision,
        ...{ action: 'changes_requested', at: before(1), reason: 'Say how phase 2 is taken back.' },
      },
      received: { agent: 'copilot-001' },
    }),
  rejected: () =>
    full({
      status: 'rejected',
      ...over,
      decided: {
        ...decision,
        ...{ action: 'rejected', by: 'Grace Hopper', then: 'another_way' },
        reason: 'We leave the region next year. Use WAL until then.',
      },
    }),
  withdrawn: () =>
    small({
      status: 'withdrawn',
      ...over,
      decided: { ...decision, reason: 'Not now.' },
    }),
  locked: () => full({ locked: { why: 'This editor cannot sign for you yet.', enrol: '0/enrol' } }),
  unavailable: () => ({
    type: 'unavailable',
    title: 'No folder is open',
    text: 'RFC-3 belongs to a folder that is not open here. Open it to read on.',
    action: 'openFolder',
  }),
};

export const states: Record<string, () => RfcSnapshot> = Object.fromEntries(
  Object.entries(views).map(([name, view]) => [name, () => snapshot(view())]),
);
