import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { exported } from '../../support/store/exported.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { agentNamed } from '../../../src/app/transfer/importReading.ts';
import { preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import { raiseHumanQuestions } from '../../../src/app/rfc/review.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runs } from '../../support/runs.ts';
import { actsOnGraph, globs, numbered } from '../../support/store/arbitraries.ts';
import { engram, writeDatabase } from '../../support/store/foreign.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { never } from '../../../src/core/question/question.ts';
import { writeByHand, writeManyByHand } from '../../support/store/handwriting.ts';
import { makeLab } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { visibleText } from '../../../src/core/kit/visible.ts';
import { postEvent } from '../../../src/app/memory/events.ts';
import { type ExportFile, textPieces, writeExport } from '../../../src/app/transfer/exporting.ts';
import type { View } from '../../../src/store/store.ts';

type Row = Readonly<Record<string, unknown>>;

interface Lists {
  readonly work: readonly Row[];
  readonly questions: readonly Row[];
  readonly rfcs: readonly Row[];
  readonly events: readonly Row[];
  readonly requests: readonly Row[];
  readonly responsibilities: readonly Row[];
  readonly decisions: readonly Row[];
}

/** Imports a file into a new, empty workspace. */
async function moved(
  from: Workspace,
  now: number,
): Promise<{ workspace: Workspace; sandbox: Sandbox; file: ExportFile }> {
  const bytes = await exported(from, 'json');
  const sandbox = makeSandbox();
  sandbox.clock.now = now;
  fs.writeFileSync(sandbox.at('export.json'), bytes);
  const workspace = sandbox.open();
  const options = { path: sandbox.at('export.json'), source: 'export.json', drafts: false };
  const plan = await preparedImport(workspace, 'json', options);
  const done = await runImport(workspace, agent('shell-001').actor, plan);
  assert.equal(done.outcome, plan.rows.length === 0 ? 'nothing_new' : 'imported');
  return { workspace, sandbox, file: JSON.parse(bytes.toString()) as ExportFile };
}

function exportOf(view: View): ExportFile {
  return JSON.parse([...textPieces(view, 'json')].join('')) as ExportFile;
}

/**
 * The content of each list, both active items and history.
 * @param moved whether to use the ids of the original workspace
 */
function lists({ history, ...file }: ExportFile, moved = false): Lists {
  const origin = new Map((moved ? history : []).flatMap(({ became, ref }) => (became === null ? [] : [[became, ref]])));
  const was = (kind: string) =>
    history.flatMap((item) =>
      item.kind === kind && item.became === null && item.status !== 'former' ? [item.data ?? {}] : [],
    );
  const all = (kind: string, live: readonly object[]) =>
    [...live.map((row) => renamed(row, origin)), ...was(kind)]
      .map((row) => sorted(row) as Row)
      .sort((a, b) => (JSON.stringify([a['id'], a]) < JSON.stringify([b['id'], b]) ? -1 : 1));
  return {
    work: all('work', file.work),
    questions: all('question', file.questions),
    rfcs: all('rfc', file.rfcs),
    events: all('event', file.events),
    requests: all('request', file.requests),
    responsibilities: all('responsibility', file.responsibilities),
    decisions: all('decision', file.decisions),
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

/** Replaces ids by those of the original workspace. */
function renamed(value: unknown, origin: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(text.replace(/"((?:Q|RFC|E)-\d+)"/g, (_, id: string) => JSON.stringify(origin.get(id) ?? id)));
}

/**
 * Omits fields that cannot be moved (see docs/moving.md): the owner of a name, sessions, deliveries, which of two items
 * with the same text opens the other, and the hash of a whole row.
 */
function comparable(list: readonly Row[], drop: readonly string[]): Row[] {
  return list.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        drop.includes(name)
          ? []
          : [[name, ofAgents.includes(name) && typeof value === 'string' ? agentNamed(value) : value]],
      ),
    ),
  );
}

const ofAgents = ['agent_id', 'assigned_agent'];

const unlike: Readonly<Record<keyof Lists, readonly string[]>> = {
  work: [],
  questions: [
    'agent_name',
    'session',
    'recipient',
    'reopens',
    'offered_at',
    'acknowledged_at',
    'status',
    'expires_at',
    'cascade',
    'rfc',
    // A human's follow-up question becomes part of the background.
    ...['ask_backs', 'waiting_for', 'background'],
  ],
  rfcs: [
    'agent_name',
    'session',
    'updated_at',
    'revision',
    'text_revision',
    'waiting_since',
    'revisions',
    'sections',
    'documents',
    'threads',
    'reviews',
    'review',
    'questions',
    'missing',
    'decisions',
    'last_decision',
    'last_review',
    'handed_to',
    'cascade',
    'waiting',
  ],
  events: ['author_kind', 'imported', 'number', 'proposal', 'lineage', 'mentioned_at'],
  requests: [],
  responsibilities: [],
  decisions: [],
};

function assertSame(before: Lists, after: Lists): void {
  for (const name of Object.keys(unlike) as (keyof Lists)[])
    assert.deepEqual(comparable(after[name], unlike[name]), comparable(before[name], unlike[name]), name);
}

/** The queries of docs/moving.md. */
const documented = (/```sql\n([^`]*)```/.exec(fs.readFileSync('docs/moving.md', 'utf8'))?.[1] ?? '').split(/;\n/);

/** Columns that other programs know, by table. */
const promised = {
  blockers: [
    'id',
    'agent_id',
    'project_id',
    'task_id',
    'blocker_type',
    'question',
    'answer',
    'status',
    'created_at',
    'resolved_at',
  ],
  rfcs: [
    'id',
    'title',
    'review_status',
    'affected_workflows',
    'blocked_tasks',
    'approval_conditions',
    'rejection_reason',
  ],
  rfc_feedback: ['rfc_id', 'reviewer', 'feedback_type', 'content', 'given_at'],
  requests: [
    ...[
      'id',
      'type',
      'origin_responsibility_id',
      'target_responsibility_id',
      'origin_mandate_id',
      'subject',
      'summary',
    ],
    ...['body_md_path', 'payload_json', 'workspace_id', 'status', 'priority', 'sla_response_seconds'],
    ...[
      'sla_completion_seconds',
      'acknowledged_at',
      'created_at',
      'available_at',
      'due_at',
      'processed_at',
      'closed_at',
    ],
    ...['idempotency_key', 'attempts', 'last_error', 'authored_by', 'author_agent_id', 'source_context'],
  ],
  request_events: [
    ...['id', 'request_id', 'event_type', 'old_status', 'new_status', 'note', 'created_at', 'created_by'],
    'created_agent_id',
  ],
  events: ['id', 'type', 'text', 'status', 'priority', 'resolved_reason', 'superseded_by_event_id', 'related_ids'],
  work_items: ['id', 'kind', 'title', 'status', 'workflow_id', 'depends_on', 'assigned_agent'],
} as const;

describe('export', () => {
  afterEach(removeSandboxes);

  async function full(): Promise<{ sandbox: Sandbox; workspace: Workspace }> {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await fillWithEverything(workspace, sandbox.clock);
    return { sandbox, workspace };
  }

  it('as JSON can be imported into an empty workspace: the lists are the same, and no decision is in effect', async () => {
    const { sandbox, workspace } = await full();
    const there = await moved(workspace, sandbox.clock.now);
    const store = await there.workspace.store();
    const before = lists(there.file);
    assertSame(before, lists(exportOf(store.read()), true));
    const { state } = store.read();
    const asked = [...state.questions.values()].find(({ raised }) => raised?.text === 'Delete the old table?');
    assert.deepEqual(
      [asked?.askBacks, asked?.raised?.background],
      [
        [],
        'Ada asked: Is there a backup?\n\ncopilot-001 replied: Yes, of **last night**.\n\nAda asked: Did you try to restore it?',
      ],
    );
    for (const question of state.questions.values()) assert.equal(question.resolution, null, question.id);
    for (const rfc of state.rfcs.values()) assert.deepEqual([rfc.approval, rfc.ended], [null, null], rfc.id);
    assert.equal(state.policy.questionLifeHours, 24, 'a policy is signed: it stays there');
    assert.deepEqual([state.nonces.size, state.requests.size, state.refusals.length], [0, 0, 0]);
    assert.equal(askGate(there.workspace, { work: 'T1' }).verdict, 'deny');
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
  });

  it('with a question that does not expire can be imported into an empty workspace', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Tokens' });
    const asked = { id: 'Q-1', text: 'Which way?', type: 'decision', urgency: 'low', mode: 'sync', work: null };
    writeByHand(sandbox.journal, [{ ...asked, kind: 'question.raised', v: 1, expiresAt: never }]);
    const { workspace: there, file } = await moved(workspace, sandbox.clock.now);
    assert.equal(file.questions[0]?.expires_at, null);
    assert.equal((await there.store()).read().state.questions.get('Q-1')?.raised?.text, 'Which way?');
  });

  it('cannot be imported into its own workspace', async () => {
    const { sandbox, workspace } = await full();
    fs.writeFileSync(sandbox.at('own.json'), await exported(workspace, 'json'));
    const options = { path: sandbox.at('own.json'), source: 'own.json', drafts: false };
    await assert.rejects(preparedImport(workspace, 'json', options), /was exported from this very workspace/);
  });

  it('of arbitrary records can be imported into an empty workspace, and holds the same there', async () => {
    const seen = { questions: 0, rfcs: 0, events: 0, work: 0, held: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(actsOnGraph(40), { minLength: 2, maxLength: 3 }), async (acts) => {
        const sandbox = makeSandbox();
        const workspace = sandbox.open();
        await registerWork(await workspace.store(), agent(), { id: 'W1', workKind: 'workflow', title: 'First' });
        const lab = makeLab();
        const lines = acts.flat().flatMap((acting) => {
          if (!('records' in acting)) return [];
          const records = acting.records.map((record) => numbered(record, lab.state));
          lab.write(records, acting.actor, acting.time);
          return [{ records, actor: { ...acting.actor }, time: acting.time }];
        });
        writeManyByHand(sandbox.journal, lines);
        const store = await workspace.store();
        await raiseHumanQuestions(store);
        const { state } = store.read();
        // Later than any of their clocks, because times in the future are replaced by the current time.
        const there = await moved(workspace, Date.parse('2100-01-01T00:00:00.000Z'));
        const arrived = (await there.workspace.store()).read();
        const before = lists(there.file);
        const after = lists(exportOf(arrived), true);
        for (const name of ['requests', 'responsibilities', 'decisions'] as const)
          assert.deepEqual(after[name], before[name], name);
        assert.deepEqual(comparable(after.events, unlike.events), comparable(before.events, unlike.events), 'events');
        // Two questions with the same text become one, which holds everything that either held.
        const merging = [...unlike.questions, 'mode', 'urgency', 'holding', 'holds', 'added_holds', 'blocks'];
        merging.push('also_work', 'holds_work');
        assert.deepEqual(comparable(after.questions, merging), comparable(before.questions, merging), 'questions');
        for (const [at, { urgency, also_work }] of after.questions.entries()) {
          assert.ok(urgency === 'critical' || urgency === before.questions[at]?.['urgency'], 'as urgent as either was');
          const [was, is] = [before.questions[at]?.['also_work'] ?? [], also_work ?? []] as string[][];
          assert.ok(
            was!.every((id) => is!.includes(id)),
            'stops what it stopped',
          );
        }
        assert.deepEqual(comparable(after.rfcs, unlike.rfcs), comparable(before.rfcs, unlike.rfcs), 'RFCs');
        const timeless = ['created_at', 'updated_at', 'blocks'];
        assert.deepEqual(comparable(after.work, timeless), comparable(before.work, timeless), 'work');
        for (const glob of globs)
          if (askGate(workspace, { files: [glob.replace('*', 'x')] }).verdict === 'deny')
            assert.equal(askGate(there.workspace, { files: [glob.replace('*', 'x')] }).verdict, 'deny', glob);
        for (const id of state.work.keys())
          if (askGate(workspace, { work: id }).verdict === 'deny') {
            seen.held++;
            assert.equal(askGate(there.workspace, { work: id }).verdict, 'deny', id);
          }
        for (const name of ['questions', 'rfcs', 'events', 'work'] as const) seen[name] += before[name].length;
        for (const { workspace: one, sandbox: place } of [{ workspace, sandbox }, there]) {
          one.close();
          fs.rmSync(place.base, { recursive: true });
        }
      }),
      { numRuns: runs(24), endOnFailure: true },
    );
    assert.ok(
      Object.values(seen).every((count) => count > 0),
      JSON.stringify(seen),
    );
  }).timeout(120_000);

  it('as SQLite is a database that other programs can open', async () => {
    const { workspace } = await full();
    const sqlite = await initSqlJs();
    const db = new sqlite.Database(await exported(workspace, 'sqlite'));
    const value = (sql: string) => db.exec(sql)[0]?.values[0]?.[0];
    assert.equal(value('PRAGMA integrity_check'), 'ok');
    assert.deepEqual(db.exec('PRAGMA foreign_key_check'), []);
    const file = exportOf((await workspace.store()).read());
    assert.equal(value('SELECT count(*) FROM blockers'), file.questions.length);
    for (const name of ['rfcs', 'requests', 'decisions'] as const)
      assert.equal(value(`SELECT count(*) FROM ${name}`), file[name].length, name);
    assert.equal(
      value("SELECT count(*) FROM items JOIN words ON docid = row WHERE words MATCH 'zürich' AND kind = 'event'"),
      1,
    );
    for (const [view, columns] of Object.entries(promised))
      assert.deepEqual(db.exec(`SELECT ${columns.join(', ')} FROM ${view}`)[0]?.columns, columns, view);
    assert.ok(documented.length >= 5);
    for (const query of documented) db.exec(query);
    db.close();
  });

  it('as Markdown contains everything for people, with agents’ text quoted', async () => {
    const { workspace } = await full();
    const text = (await exported(workspace, 'markdown')).toString();
    for (const said of [
      'JWT or sessions?',
      'Stateless, please.',
      'Rate limits',
      'Zürich — ünïcode',
      'Describe the API',
      'Tokens',
    ])
      assert.ok(text.includes(said), said);
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('## ')),
      ['## Work', '## Questions', '## RFCs', '## Project memory', '## Requests', '## Decisions'],
    );
    assert.match(text, /\(\.\/src\//, 'links are relative to the workspace');
    assert.doesNotMatch(text, /\(\.\.\//);
  });

  it('as Markdown escapes the status of imported history', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await writeDatabase(sandbox.at('events.db'), (db) => {
      db.run(engram(2).replaceAll("'discovery'", "'<img src=x> [a](https://a.b)'"));
      db.run('ALTER TABLE events ADD COLUMN status TEXT');
      db.run("UPDATE events SET status = '<img src=x> ![a](https://a.b)'");
    });
    const options = { path: sandbox.at('events.db'), source: 'events.db', drafts: false };
    await runImport(workspace, agent('shell-001').actor, await preparedImport(workspace, 'engram', options));
    const text = (await exported(workspace, 'markdown')).toString();
    assert.ok(text.includes('\\<img src=x\\> \\!\\[a\\](https://a.b)'), text);
    assert.doesNotMatch(text, /[^\\][<[]/);
  });
});

/** An export is written row by row, so its memory does not grow with the workspace. */
describe('an export in pieces', () => {
  afterEach(removeSandboxes);

  for (const [format, mark] of [
    ['json', '"id":"E-'],
    ['markdown', '\n### E-'],
  ] as const)
    it(`as ${format} creates only the rows of the next piece`, async () => {
      const workspace = makeSandbox().open();
      const store = await workspace.store();
      for (let number = 0; number < 150; number++)
        await postEvent(store, agent('a-001'), {
          type: 'discovery',
          text: `${String(number)} ${'words '.repeat(800)}`,
        });
      const view = store.read();
      const made = new Set<unknown>();
      const note = (parameters: readonly unknown[]) => {
        for (const id of parameters) if (String(id).startsWith('E-')) made.add(id);
      };
      const counting: View = {
        ...view,
        rows: {
          ...view.rows,
          all(sql, ...parameters) {
            note(parameters);
            return view.rows.all(sql, ...parameters);
          },
        },
      };
      let written = 0;
      let pieces = 0;
      for (const piece of textPieces(counting, format)) {
        pieces++;
        written += piece.split(mark).length - 1;
        assert.ok(made.size - written <= 5, `${String(made.size)} rows made, ${String(written)} written`);
        assert.ok(piece.length < 80_000);
      }
      assert.equal(written, 150);
      assert.equal(made.size, 150);
      assert.ok(pieces > 5);
    });

  it('has the same bytes on a terminal, because hidden characters are escaped', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const text = 'rm \u202Egnp.exe';
    await postEvent(store, agent('a-001'), { type: 'discovery', text });
    const made = [...textPieces(store.read(), 'json')].join('');
    assert.equal(visibleText(made), made);
    const { events } = JSON.parse(made) as { events: { text: string }[] };
    assert.deepEqual(
      events.map((event) => event.text),
      [text],
    );
  });

  it('that fails midway keeps the existing file, and leaves no other', () => {
    const sandbox = makeSandbox();
    const file = sandbox.at('ws', 'out.json');
    fs.writeFileSync(file, 'before');
    const target = { fs: realFs, file, temporary: `${file}.1.tmp`, put: fs.renameSync };
    assert.throws(
      () =>
        writeExport(
          target,
          (function* () {
            yield 'half';
            throw new Error('the rows end here');
          })(),
        ),
      /the rows end here/,
    );
    assert.deepEqual([fs.readdirSync(sandbox.folder), fs.readFileSync(file, 'utf8')], [['out.json'], 'before']);
    assert.equal(writeExport(target, ['whole', Buffer.from('!')]), 6);
    assert.deepEqual([fs.readdirSync(sandbox.folder), fs.readFileSync(file, 'utf8')], [['out.json'], 'whole!']);
  });
});
