/**
 * Every record that the fold admits can be written into the index. Otherwise a single line could make lists unreadable,
 * and agents, who have a shell, can append lines of their own.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SqlValue } from 'sql.js';
import { readFrom } from '../../support/store/lab.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { format } from '../../../src/core/records/parts.ts';
import type { Admitted, CountedLine, JournalRecord, RecordInput } from '../../../src/core/records/records.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { changedItems } from '../../../src/store/rows/items.ts';
import { project } from '../../../src/store/rows/project.ts';
import { schema } from '../../../src/store/rows/index.ts';
import { type Engine, loadSqlite, openDatabase } from '../../../src/store/rows/sqlite.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { runs } from '../../support/runs.ts';
import { codeframeLegacy, engram, writeDatabase } from '../../support/store/foreign.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox, wasm } from '../../support/store/sandbox.ts';
import type { StateFile } from '../../../src/store/journal/stateFile.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The same value with one part replaced or, for undefined, left out: each of these in turn. */
function* variants(value: Json, others: readonly (Json | undefined)[]): Generator<Json | undefined> {
  yield* others.filter((other) => other !== value);
  if (typeof value === 'string')
    yield* [`${value} `, `${value}\n`, value.repeat(2), value.toUpperCase(), value.slice(1)];
  if (typeof value === 'number') yield* [value + 1, value - 1, value + 0.5, -value];
  if (value === null || typeof value !== 'object') return;
  if (isList(value)) {
    yield* [[...value, ...value], value.toReversed()];
    for (const [at, one] of value.entries())
      for (const changed of variants(one, others))
        yield changed === undefined ? value.toSpliced(at, 1) : value.with(at, changed);
  } else
    for (const [name, one] of Object.entries(value)) {
      const { [name]: _, ...rest } = value;
      for (const changed of variants(one, others)) yield changed === undefined ? rest : { ...rest, [name]: changed };
    }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

const strange: readonly (Json | undefined)[] = [
  ...[
    undefined,
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    1e300,
    [],
    {},
    '',
    ' ',
    '0',
    'x\u0000y',
    '\ud800',
    'é😀',
  ],
  ...[
    'x'.repeat(300),
    '😀'.repeat(1_500),
    '0000-01-01T00:00:00.000Z',
    '2026-03-02T09:00:00.000Z',
    '2026-13-45',
    '__proto__',
  ],
];

const ids = ['W1', 'T1', 'T4', 'Q-1', 'Q-4', 'RFC-1', 'RFC-3', 'E-1', 'E-2', 'R-1', 'R-2', 'copilot-001', 'claude-002'];

const actors: readonly CountedLine['actor'][] = [
  { kind: 'system', id: 'holdpoint' },
  { kind: 'human', id: 'copilot-001' },
  { kind: 'agent', id: 'codex-003', session: 's-9' },
];

const bot = agent('copilot-001', { session: 's-1' });

async function imported(sandbox: Sandbox, workspace: Workspace): Promise<void> {
  for (const [from, rows] of [
    ['codeframe', codeframeLegacy],
    ['engram', engram(4)],
  ] as const) {
    const source = `${from}.db`;
    await writeDatabase(sandbox.at(source), rows);
    const asked = { path: sandbox.at(source), source, drafts: true };
    await runImport(workspace, bot.actor, await preparedImport(workspace, from, asked));
  }
}

/** What agents, the reviewer and this machine record besides: a line for each. */
async function raw(_: Sandbox, workspace: Workspace): Promise<void> {
  const store = await workspace.store();
  await registerWork(store, bot, { id: 'T1', workKind: 'task', title: 'Tokens' });
  const asked = { type: 'decision', urgency: 'low', mode: 'async', work: 'T1' } as const;
  for (const text of ['Drop the table?', 'Which index?']) await raiseQuestion(store, bot, { ...asked, text });
  await proposeRfc(store, bot, {
    ...{ title: 'Rate limits', summary: 'Fewer.', open_questions: ['How many?'] },
    ...{ workflows: [], tasks: ['T1'], holds: [], contexts: [], submit: true },
  });
  const rfc = { v: 1, id: 'RFC-1' } as const;
  const review = {
    ...rfc,
    kind: 'rfc.reviewed',
    revision: 1,
    model: 'One',
    prompt: { name: 'p', version: '1' },
  } as const;
  const acts: readonly RecordInput[] = [
    { kind: 'format.changed', v: 1, minReader: format.current, minWriter: format.current },
    { kind: 'wait.noted', v: 1, id: 'Q-1' },
    { kind: 'question.parked', v: 1, id: 'Q-1', brief: { doing: 'Moving.', next: 'Drop it.', files: ['a.sql'] } },
    { kind: 'question.escalated', v: 1, id: 'Q-1' },
    { kind: 'question.withdrawn', v: 1, id: 'Q-2', reason: 'Found it.' },
    { ...review, review: 1, verdict: 'revise', stage: 'questions_pending', answers: [] },
    { kind: 'rfc.reviewOffered', ...rfc, review: 1, agent: bot.actor.id },
    { kind: 'rfc.reviewAcknowledged', ...rfc, review: 1, agent: bot.actor.id },
    { kind: 'rfc.handedOver', ...rfc, to: 'claude-002' },
    { kind: 'rfc.widened', ...rfc, addWorkflows: [], addTasks: [], addHolds: ['src/**'], addContexts: [] },
    { kind: 'gate.decidedOffline', v: 1 },
  ];
  for (const record of acts) await store.transact(bot.actor, () => ({ records: [record], result: null }));
}

const journals: Readonly<Record<string, (sandbox: Sandbox, workspace: Workspace) => Promise<void>>> = {
  'items of every kind': ({ clock }, workspace) => fillWithEverything(workspace, clock),
  'what was imported': imported,
  'what is recorded rarely': raw,
};

describe('rows of lines that count', () => {
  afterEach(removeSandboxes);

  for (const [what, fill] of Object.entries(journals))
    it(`are written, whatever they say: ${what}`, async function () {
      this.timeout(600_000);
      const sandbox = makeSandbox();
      const workspace = sandbox.open();
      await fill(sandbox, workspace);
      const lines: CountedLine[] = [];
      workspace.replay((line) => lines.push(line)).catchUp();
      const trust = createTrust(() => workspace.pins());
      const state = emptyState();
      readFrom(state, lines);
      const db = openDatabase(await loadSqlite(wasm));
      for (const statement of schema) db.run(statement);
      const write = (admitted: readonly Admitted[]) => {
        const items = changedItems(db);
        project(db, items, state, admitted);
        items.save(state);
      };
      const admitted = new Map<string, number>();
      const every = 12 / runs(12);
      let tried = 0;

      /** Applies a line to the state and the rows, and undoes it. */
      function attempt(line: CountedLine): void {
        const folded = applyLine(state, line, trust);
        if (folded.admitted.length > 0) {
          db.run('BEGIN');
          try {
            write(folded.admitted);
          } catch (cause) {
            throw new Error(`refused: ${JSON.stringify([line.actor, ...line.records])}`, { cause });
          } finally {
            db.rollback();
          }
          for (const { record } of folded.admitted) admitted.set(record.kind, (admitted.get(record.kind) ?? 0) + 1);
        }
        folded.undo();
      }

      for (const [index, line] of lines.entries()) {
        const following = lines[index + 1]?.records ?? [];
        for (const [at, record] of line.records.entries())
          for (const changed of variants(record as Json, [...strange, ...ids])) {
            if (tried++ % every !== 0) continue;
            const records = changed === undefined ? line.records.toSpliced(at, 1) : line.records.with(at, changed);
            attempt({ ...line, records });
            attempt({ ...line, records: [...records, ...following] });
          }
        for (const other of lines) attempt({ ...line, records: [...other.records, ...line.records] });
        for (const actor of actors) attempt({ ...line, actor });
        db.run('BEGIN');
        write(applyLine(state, line, trust).admitted);
        db.run('COMMIT');
      }
      const kinds = new Set(lines.flatMap(({ records }) => records.map((record) => (record as JournalRecord).kind)));
      assert.deepEqual(
        [...kinds].filter((kind) => !admitted.has(kind)),
        [],
      );
    });
});

/** A database that refuses rows of lines that count: the journal has them, and who reads rows is told. */
const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: null } as const;

/** SQLite as it is, but no row that has this text is written. */
function refusing(sqlite: Engine, text: string): Engine {
  class Database extends sqlite.Database {
    override prepare(sql: string) {
      const statement = super.prepare(sql);
      const run = statement.run.bind(statement);
      statement.run = (values) => {
        if ((values as SqlValue[]).includes(text)) throw new Error('the disk is full');
        run(values);
      };
      return statement;
    }
  }
  return { ...sqlite, Database };
}

describe('rows that the database refuses', () => {
  let sandbox: Sandbox;
  let stateFile: StateFile;
  beforeEach(() => {
    sandbox = makeSandbox();
    ({ stateFile } = sandbox.open());
  });
  afterEach(removeSandboxes);

  async function opened(refused: string | null): Promise<Store> {
    const sqlite = await loadSqlite(wasm);
    return openStore({
      root: sandbox.folder,
      fs: realFs,
      trust: createTrust(() => []),
      stateFile,
      sqlite: refused === null ? sqlite : refusing(sqlite, refused),
      platform: 'linux',
      now: () => new Date(sandbox.clock.now).toISOString(),
      newId: randomUUID,
    });
  }

  const count = ({ rows }: ReturnType<Store['read']>) =>
    rows.all<{ count: number }>("SELECT count(*) AS count FROM items WHERE kind = 'question'")[0]?.count;

  it('fail no act, and each reading until they are written; another program has them', async () => {
    const store = await opened('Drop the table?');
    await raiseQuestion(store, agent(), { ...asked, text: 'Drop the table?' });
    for (let number = 1; number < 70; number++)
      await raiseQuestion(store, agent(), { ...asked, text: `Keep ${String(number)}?` });
    for (let reading = 0; reading < 2; reading++) assert.throws(() => count(store.read()), /the disk is full/);
    assert.equal(store.problem, null);
    assert.equal(store.read().state.questions.size, 70);
    store.close();
    const other = await opened(null);
    assert.equal(count(other.read()), 70);
    other.close();
  });
});
