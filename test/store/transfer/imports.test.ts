import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { closeEvent, searchEvents, eventView } from '../../../src/app/memory/events.ts';
import { exported } from '../../support/store/exported.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { importedItem, listImported } from '../../../src/app/transfer/exporting.ts';
import { importReport, runImport, type ImportRun } from '../../../src/app/transfer/importing.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { listQuestions, questionView } from '../../../src/app/question/views.ts';
import { registerWork, workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { codeframeLegacy, codeframeTarget, engram, writeDatabase } from '../../support/store/foreign.ts';
import { completeImport, plannedImport, type ImportChoices } from '../../support/store/importing.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const goldens = path.join(import.meta.dirname, '..', '..', 'fixtures', 'moving');

/** Compares with a file; `UPDATE_GOLDENS=1` rewrites it, for review. */
function golden(name: string, text: string): void {
  const file = path.join(goldens, `${name}.txt`);
  if (process.env['UPDATE_GOLDENS'] === '1') fs.writeFileSync(file, `${text}\n`);
  assert.equal(`${text}\n`, fs.readFileSync(file, 'utf8'), name);
}

function historyIn(...asked: Parameters<typeof listImported>) {
  return listImported(...asked).filter(({ became }) => became === null);
}

describe('imports', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let store: Store;
  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    store = await workspace.store();
  });
  afterEach(removeSandboxes);

  const plan = (from: ImportSource, name: string, choices?: ImportChoices) =>
    plannedImport({ sandbox, workspace }, from, name, choices);
  const run = (from: ImportSource, name: string, choices?: ImportChoices, how?: ImportRun) =>
    completeImport({ sandbox, workspace }, from, name, choices, how);
  const journal = () => (fs.existsSync(sandbox.journal) ? fs.readFileSync(sandbox.journal, 'utf8') : '');

  describe('from CodeFrame', () => {
    it('of the legacy schema: open items ask and hold, and closed ones are history', async () => {
      await writeDatabase(sandbox.at('legacy.db'), codeframeLegacy);
      const dry = await plan('codeframe', 'legacy.db');
      golden('codeframe-legacy-dry-run', importReport(dry, null));
      assert.equal(journal(), '', 'a dry run writes nothing, not even a workspace');
      const { done, plan: planned } = await run('codeframe', 'legacy.db');
      golden('codeframe-legacy', importReport(planned, done));
      const view = store.read();
      assert.deepEqual(
        listQuestions(view).questions.map(({ id, agent_id, mode, urgency, text, work, raised_at, status }) => [
          id,
          agent_id,
          mode,
          urgency,
          text,
          work?.id,
          raised_at,
          status,
        ]),
        [
          [
            'Q-3',
            'unknown-agent-001',
            'sync',
            'high',
            'No question provided',
            undefined,
            '2025-11-08T15:00:00.000Z',
            'pending',
          ],
          [
            'Q-2',
            'alice-001',
            'sync',
            'high',
            'May I deploy on a Friday?',
            'codeframe-task-3',
            '2025-11-08T14:00:00.000Z',
            'pending',
          ],
          [
            'Q-1',
            'unknown-agent-001',
            'async',
            'medium',
            'Which tone?',
            'codeframe-task-2',
            '2025-11-08T13:00:00.000Z',
            'pending',
          ],
        ],
      );
      assert.equal(workView(view.state, 'codeframe-task-3').status, 'blocked_pending_human_input');
      assert.equal(workView(view.state, 'codeframe-task-2').status, 'done');
      const history = historyIn(view, 'question');
      assert.deepEqual(
        history.map(({ ref, status, agent: by, data }) => [ref, status, by, data?.['answer']]),
        [
          ['blocker 5', 'resolved', 'backend-worker-001', 'An odd \uFFFD[31mred answer'],
          ['blocker 1', 'resolved', 'backend-worker-001', 'Use JWT.'],
        ],
      );
      assert.equal(importedItem(view, 'Q-2')?.ref, 'blocker 3');
      assert.match(questionView(view, 'Q-2')?.background ?? '', /^Imported from CodeFrame \(blocker 3, asked by Alice/);
    });

    it('of the target schema, with an unknown column and a question that is too long', async () => {
      await writeDatabase(sandbox.at('target.db'), codeframeTarget);
      const { plan: planned, done } = await run('codeframe', 'target.db');
      golden('codeframe-target', importReport(planned, done));
      assert.deepEqual(
        historyIn(store.read()).map(({ ref, status }) => [ref, status]),
        [
          ['blocker 13', 'pending'],
          ['blocker 12', 'expired'],
          ['blocker 11', 'resolved'],
        ],
      );
      assert.equal(workView(store.read().state, 'codeframe-task-7').assigned_agent, 'pay-worker-002');
    });

    it('without running the constraints of the file', async () => {
      const broken = "UPDATE blockers SET severity = 'loud' WHERE id = 1";
      await writeDatabase(sandbox.at('loud.db'), `${codeframeLegacy}; PRAGMA ignore_check_constraints = on; ${broken}`);
      // SQLite calls such a row damage only when it runs the constraint.
      assert.match(importReport(await plan('codeframe', 'loud.db'), null), /blocker/);
    });

    it('never reuses an imported answer: the same question is asked again', async () => {
      await writeDatabase(sandbox.at('legacy.db'), codeframeLegacy);
      await registerWork(store, agent(), { id: 'codeframe-task-1', workKind: 'task', title: 'Sign-in' });
      await run('codeframe', 'legacy.db');
      const raised = await raiseQuestion(store, agent(), {
        text: 'JWT or sessions?',
        type: 'clarification',
        urgency: 'high',
        mode: 'sync',
        work: 'codeframe-task-1',
      });
      assert.deepEqual([raised.earlier, raised.already, raised.question.status], [false, false, 'pending']);
      assert.equal(askGate(workspace, { work: 'codeframe-task-1' }).verdict, 'deny');
    });

    it('twice has the effect of once, and keeps a human’s decisions in between', async () => {
      await writeDatabase(sandbox.at('legacy.db'), codeframeLegacy);
      await run('codeframe', 'legacy.db');
      const human = enrolledHuman(workspace);
      await decide(workspace, human, 'Q-2', { kind: 'answer', answer: { text: 'Never.', choices: [] } });
      const before = dump(store.read());
      const { done, plan: planned } = await run('codeframe', 'legacy.db');
      assert.deepEqual(done, { outcome: 'nothing_new', rows: 0 });
      golden('codeframe-again', importReport(planned, done));
      assert.deepEqual(dump(store.read()), before);
    });
  });

  describe('of questions with fields that earlier programs ignore', () => {
    const bringing = async (more: Partial<Parameters<typeof raiseQuestion>[2]>): Promise<void> => {
      const there = makeSandbox();
      const other = there.open();
      const elsewhere = await other.store();
      await registerWork(elsewhere, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
      await registerWork(elsewhere, agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
      const asked = { text: 'Drop the table?', type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
      await raiseQuestion(elsewhere, agent(), { ...asked, ...more });
      fs.writeFileSync(sandbox.at('export.json'), await exported(other, 'json'));
    };
    const choices = [{ label: 'Drop it' }, { label: 'Keep it', effect: 'do_not' as const }];

    it('keep the effects of choices', async () => {
      await bringing({ choices });
      assert.equal((await run('json', 'export.json')).done.outcome, 'imported');
      assert.deepEqual(
        questionView(store.read(), 'Q-1')?.choices.map(({ effect }) => effect),
        [undefined, 'do_not'],
      );
      const human = enrolledHuman(workspace);
      await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { choices: ['Keep it'] } });
      assert.equal(questionView(store.read(), 'Q-1')?.effect, 'do_not');
    });

    it('hold all the work that they held', async () => {
      await bringing({ alsoWork: ['W1'] });
      const { plan: planned } = await run('json', 'export.json');
      assert.deepEqual(
        planned.wouldHold.map(({ work }) => work),
        [['T1', 'W1']],
      );
      for (const id of ['T1', 'W1'])
        assert.equal(workView(store.read().state, id).status, 'blocked_pending_human_input', id);
    });

    it('are rejected completely if choices are invalid', async () => {
      await bringing({ choices });
      const file = JSON.parse(fs.readFileSync(sandbox.at('export.json'), 'utf8')) as { questions: object[] };
      file.questions = file.questions.map((one) => ({ ...one, choices: [null, 7, { effect: 'proceed' }] }));
      fs.writeFileSync(sandbox.at('export.json'), JSON.stringify(file));
      await assert.rejects(run('json', 'export.json'), AppError);
      assert.equal(store.read().state.questions.size, 0);
    });
  });

  describe('of questions that exist already', () => {
    const exportedFrom = async (act: (elsewhere: Store) => unknown): Promise<void> => {
      const there = makeSandbox();
      const other = there.open();
      const elsewhere = await other.store();
      await registerWork(elsewhere, agent(), {
        id: 'T1',
        workKind: 'task',
        title: 'Sign-in',
        workflow: null,
        holds: ['src/login'],
      });
      await act(elsewhere);
      fs.writeFileSync(sandbox.at('export.json'), await exported(other, 'json'));
    };
    const ask = async (at: Store, more: Partial<Parameters<typeof raiseQuestion>[2]> = {}) =>
      raiseQuestion(at, agent(), {
        text: 'JWT or sessions?',
        type: 'clarification',
        urgency: 'medium',
        mode: 'async',
        work: 'T1',
        ...more,
      });
    const holdsHere = async () =>
      registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Sign-in', holds: ['src/login'] });

    it('make an async question sync, and add files and urgency', async () => {
      await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
      await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Sign-in', workflow: 'W1' });
      await ask(store);
      assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'allow');
      await exportedFrom(async (elsewhere) =>
        ask(elsewhere, { mode: 'sync', urgency: 'critical', holds: ['docs/*.md'] }),
      );
      const { plan: planned } = await run('json', 'export.json');
      assert.deepEqual(
        planned.wouldHold.map(({ work, holds }) => [work, holds]),
        [[['T1'], ['docs/*.md']]],
      );
      assert.ok(
        planned.changed.some(({ what }) => what === 'asks the same as Q-1, which is open: Q-1 holds what it held'),
      );
      const { state } = store.read();
      assert.equal(state.questions.size, 1);
      assert.equal(workView(state, 'T1').status, 'blocked_pending_human_input');
      assert.equal(workView(state, 'W1').status, 'blocked_pending_human_input', 'critical holds the workflow');
      assert.equal(askGate(workspace, { files: ['docs/a.md'] }).verdict, 'deny');
      const item = importedItem(store.read(), 'Q-1');
      assert.deepEqual([item?.ref, item?.data?.['mode']], ['Q-1', 'sync']);
      assert.deepEqual((await run('json', 'export.json')).done.outcome, 'nothing_new');
      assert.equal(questionView(store.read(), 'Q-1')?.mode, 'sync');
    });

    it('add nothing if the existing question is as strict', async () => {
      await holdsHere();
      await ask(store, { mode: 'sync' });
      await exportedFrom(async (elsewhere) => ask(elsewhere, { mode: 'sync' }));
      const { plan: planned, done } = await run('json', 'export.json');
      // The work item and the question.
      assert.deepEqual([done.outcome, planned.already, planned.rows], ['nothing_new', 2, []]);
    });

    it('add the files of the work to those of the existing question', async () => {
      await holdsHere();
      await ask(store, { mode: 'sync', holds: ['docs'] });
      assert.equal(askGate(workspace, { files: ['src/login'] }).verdict, 'allow');
      await exportedFrom(async (elsewhere) => ask(elsewhere, { mode: 'sync' }));
      await run('json', 'export.json');
      for (const file of ['docs/a.md', 'src/login'])
        assert.equal(askGate(workspace, { files: [file] }).verdict, 'deny', file);
    });

    it('change nothing if it was answered during the import; the next try asks again', async () => {
      await holdsHere();
      await ask(store);
      const human = enrolledHuman(workspace);
      await exportedFrom(async (elsewhere) => ask(elsewhere, { mode: 'sync' }));
      const planned = await plan('json', 'export.json');
      await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { text: 'JWT.', choices: [] } });
      await assert.rejects(runImport(workspace, agent('shell-001').actor, planned), /Q-1 is answered/);
      assert.equal(listImported(store.read()).length, 0);
      await run('json', 'export.json');
      assert.equal(questionView(store.read(), 'Q-2')?.status, 'pending');
      assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
    });
  });

  describe('beyond an agent’s limit of open questions', () => {
    const many = 1_500;
    const blockers = (mode: 'sync' | 'async') =>
      writeDatabase(sandbox.at('many.db'), (db) => {
        db.run(codeframeTarget);
        for (let index = 0; index < many; index++)
          db.run(
            'INSERT INTO blockers (agent_id, project_id, task_id, blocker_type, question, created_at) VALUES (?, 1, 7, ?, ?, ?)',
            ['crowd-001', mode, `Question ${String(index)}?`, '2025-12-03 09:00:00'],
          );
      });
    const ask = async (mode: 'sync' | 'async') =>
      raiseQuestion(store, agent('crowd-001'), {
        text: 'One more?',
        type: 'clarification',
        urgency: 'low',
        mode,
        work: null,
      });

    it('include all questions that hold, and hold the agent too', async () => {
      await blockers('sync');
      await registerWork(store, agent('crowd-001'), { id: 'F1', workKind: 'task', title: 'Free' });
      assert.equal((await run('codeframe', 'many.db')).done.outcome, 'imported');
      assert.equal(store.read().state.holders.size, many + 1);
      assert.equal(askGate(workspace, { work: 'codeframe-task-7' }).verdict, 'deny');
      const asked = { work: 'F1', session: { agent: 'crowd-001' } };
      assert.equal(askGate(workspace, asked).verdict, 'deny', 'even free work');
      await assert.rejects(async () => ask('sync'), /1000 questions and RFCs of crowd-001 already wait for a human/);
    });

    it('include all questions that hold nothing, and the agent can ask no more of those', async () => {
      await blockers('async');
      assert.equal((await run('codeframe', 'many.db')).done.outcome, 'imported');
      assert.equal(store.read().state.holders.size, 1);
      await assert.rejects(async () => ask('async'), /1000 async questions of crowd-001 already wait for a human/);
      assert.equal((await ask('sync')).question.status, 'pending', 'what its work depends on it may ask');
    });
  });

  describe('from Engram', () => {
    for (const version of [1, 2, 3, 4] as const)
      it(`of schema v${String(version)}`, async () => {
        await writeDatabase(sandbox.at('engram.db'), engram(version));
        const { plan: planned, done } = await run('engram', 'engram.db');
        golden(`engram-v${String(version)}`, importReport(planned, done));
        const view = store.read();
        assert.deepEqual(
          searchEvents(view, { limit: 100 })
            .events.map(({ id, type, status, text, posted_at }) => [id, type, status, text, posted_at])
            .at(-1),
          ['E-1', 'warning', 'active', 'The cache is never cleared.', '2026-01-01T10:00:00.123Z'],
        );
        assert.deepEqual(eventView(view, 'E-1')?.scopes, ['src/cache.py']);
        assert.equal(eventView(view, 'E-1')?.imported, true);
        assert.equal(searchEvents(view, { words: 'zürich' }).total, 1);
      });

    it('of schema v4, with status, priority, reasons and successors, in briefings too', async () => {
      await writeDatabase(sandbox.at('engram.db'), engram(4));
      await postNative();
      await run('engram', 'engram.db');
      const view = store.read();
      const event = (number: number) => eventView(view, `E-${String(number)}`);
      assert.deepEqual(
        [event(3)?.status, event(3)?.superseded_by_event_id, event(3)?.closed_at],
        ['superseded', 'E-4', '2026-01-03T10:00:00.123Z'],
      );
      assert.deepEqual(event(4)?.related_ids, ['E-3']);
      assert.deepEqual([event(6)?.status, event(6)?.resolved_reason], ['resolved', 'Fixed in #42.']);
      assert.deepEqual(
        [7, 8, 9].map((number) => event(number)?.status),
        ['resolved', 'resolved', 'resolved'],
      );
      const { briefing } = briefingOf(workspace, view, { focus: null });
      assert.deepEqual(
        briefing.critical_warnings.items.map(({ id }) => id),
        ['E-2'],
      );
      await closeEvent(store, agent(), 'E-2', { how: 'resolved', reason: 'Cleared now.' });
      assert.equal(eventView(store.read(), 'E-2')?.status, 'resolved');
      assert.equal(await postNative(), 'E-10');
    });

    it('link later events to those imported before', async () => {
      const first = engram(4).split('INSERT');
      await writeDatabase(sandbox.at('engram.db'), [first[0], ...first.slice(1, 4)].join('INSERT'));
      await run('engram', 'engram.db');
      assert.equal(searchEvents(store.read(), {}).total, 2);
      await writeDatabase(sandbox.at('engram.db'), engram(4));
      const { plan: planned } = await run('engram', 'engram.db');
      assert.equal(planned.already, 2);
      const superseded = searchEvents(store.read(), { words: 'SQLite' }).events[0];
      assert.equal(
        superseded?.superseded_by_event_id,
        searchEvents(store.read(), { words: 'PostgreSQL' }).events[0]?.id,
      );
    });

    async function postNative(): Promise<string> {
      await writeByHandIfThere();
      const { events } = store.read().state;
      const id = `E-${String(events.size + 1)}`;
      await store.transact(agent().actor, () => ({
        records: [{ kind: 'event.posted', v: 1, id, type: 'outcome', text: `Native ${id}` }],
        result: null,
      }));
      return id;
    }
    async function writeByHandIfThere(): Promise<void> {
      if (journal() === '')
        await registerWork(store, agent(), { id: 'T0', workKind: 'task', title: 'Begins the journal' });
    }
  });

  describe('from Markdown', () => {
    const adr = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(sandbox.at('docs', name)), { recursive: true });
      fs.writeFileSync(sandbox.at('docs', name), text);
    };
    beforeEach(() => {
      adr(
        'adr/0001-record-decisions.md',
        '# 1. Record decisions\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe forget.\n\n## Decision\n\nWe write them down.\n\n## Consequences\n\nFewer surprises.\n',
      );
      adr(
        'adr/0002-use-mysql.md',
        '# 2. Use MySQL\n\nDate: 2024-02-01\n\n## Status\n\nSuperseded by [3. Use PostgreSQL](0003-use-postgresql.md)\n\n## Context\n\nData.\n\n## Decision\n\nMySQL.\n',
      );
      adr(
        'adr/0003-use-postgresql.md',
        '---\nstatus: accepted\ndate: 2024-03-01\ndeciders: Ada\n---\n\n# Use PostgreSQL\n\n## Context and Problem Statement\n\nMySQL was slow.\n\n## Considered Options\n\n* PostgreSQL\n* SQLite\n\n## Decision Outcome\n\nChosen option: "PostgreSQL", because it is fast.\n',
      );
      adr(
        'adr/0004-grpc.md',
        '# Use gRPC\n\n* Status: proposed\n* Date: 2024-04-01\n\n## Context and Problem Statement\n\nCalls.\n',
      );
      adr(
        'adr/0005-soap.md',
        '# Use SOAP\n\n* Status: rejected\n* Date: 2024-04-02\n\n## Context and Problem Statement\n\nCalls.\n',
      );
      adr('adr/template.md', '# Title\n\n## Status\n\nProposed\n');
      adr(
        'rfcs/queue.md',
        '# A queue\n\nStatus: **Implemented**\nDate: 2024-05-01\n\n## Summary\n\nA queue.\n\n## Motivation\n\nLoad.\n\n## Design\n\nOne queue.\n',
      );
      adr('notes.md', 'Just a note.\n');
      adr('binary.md', 'a\u0000b');
      fs.writeFileSync(sandbox.at('docs', 'latin1.md'), Buffer.from([0x23, 0x20, 0xfc, 0xff]));
    });

    it('take accepted RFCs as history and decisions of memory, and drafts only on request', async () => {
      const { plan: planned, done } = await run('markdown', 'docs');
      golden('markdown', importReport(planned, done));
      const view = store.read();
      assert.deepEqual(
        searchEvents(view, {})
          .events.map(({ text, status, superseded_by_event_id: by }) => [text.split('\n')[0], status, by])
          .reverse(),
        [
          ['Record decisions', 'active', null],
          ['Use MySQL', 'superseded', 'E-3'],
          ['Use PostgreSQL', 'active', null],
          ['A queue', 'active', null],
        ],
      );
      assert.match(
        eventView(view, 'E-3')?.text ?? '',
        /Chosen option: "PostgreSQL".*\n\n\(adr\/0003-use-postgresql\.md\)$/s,
      );
      assert.deepEqual(
        historyIn(view, 'rfc').map(({ title, status }) => [title, status]),
        [
          ['A queue', 'approved'],
          ['Use SOAP', 'rejected'],
          ['Use PostgreSQL', 'approved'],
          ['Use MySQL', 'superseded'],
          ['Record decisions', 'approved'],
        ],
      );
      assert.equal(view.state.rfcs.size, 0);
      assert.equal((await run('markdown', 'docs')).done.outcome, 'nothing_new');
    });

    it('take requested drafts as drafts, which hold nothing', async () => {
      await run('markdown', 'docs', { drafts: true });
      const { state } = store.read();
      assert.deepEqual(
        [...state.rfcs.values()].map(({ title, status, workflows, tasks }) => [title, status, workflows, tasks]),
        [['Use gRPC', 'draft', [], []]],
      );
      assert.equal(askGate(workspace, { files: ['src/a.ts'] }).verdict, 'allow');
    });
  });

  describe('refuse, and change nothing,', () => {
    type Make = (file: string) => Promise<void> | void;
    const holding =
      (content: string): Make =>
      (file) => {
        fs.writeFileSync(file, content);
      };
    const folder: Make = (file) => {
      fs.mkdirSync(file);
    };
    const database =
      (content: string): Make =>
      (file) =>
        writeDatabase(file, content);
    const cases: readonly [what: string, from: ImportSource, make: Make, says: RegExp][] = [
      ['a file that is not there', 'codeframe', () => undefined, /source\.db is not there\. Nothing was imported\.$/],
      ['an empty file', 'engram', holding(''), /source\.db is empty \(0 bytes\)/],
      ['a folder', 'engram', folder, /is a folder, not a file/],
      ['what is no database', 'codeframe', holding('Hello, I am no database.'.repeat(50)), /is not a SQLite database/],
      [
        'a database of somebody else',
        'codeframe',
        database('CREATE TABLE a (b); CREATE TABLE c (d)'),
        /not a CodeFrame database: it has no table "blockers" \(but a, c\)/,
      ],
      ['an empty database', 'engram', database('PRAGMA user_version = 1'), /no table "events" \(but none at all\)/],
      [
        'events of somebody else',
        'engram',
        database('CREATE TABLE events (id, name)'),
        /its table "events" has no timestamp, event_type, content/,
      ],
      [
        'a view that would compute for ever',
        'codeframe',
        database(
          'CREATE VIEW blockers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n',
        ),
        /no table "blockers"/,
      ],
      [
        'a generated column, which would run code of the file',
        'codeframe',
        database('CREATE TABLE blockers (id, question AS (hex(zeroblob(900000000))))'),
        /source\.db has a generated column \(blockers\.question\), which would run code of that file: copy the table/,
      ],
      [
        'a virtual table under the name of a table',
        'engram',
        database('CREATE VIRTUAL TABLE events USING fts4(id, timestamp, event_type, content)'),
        /no table "events"/,
      ],
      [
        'a database cut short',
        'codeframe',
        async (file) => {
          await writeDatabase(file, codeframeLegacy);
          fs.truncateSync(file, 4096);
        },
        /is cut short/,
      ],
      [
        'a damaged database',
        'engram',
        async (file) => {
          await writeDatabase(file, engram(4));
          const bytes = fs.readFileSync(file);
          bytes.fill(0xff, 4096, 4096 + 200);
          fs.writeFileSync(file, bytes);
        },
        /is damaged/,
      ],
      [
        'newer rows in a write-ahead log',
        'codeframe',
        async (file) => {
          await writeDatabase(file, codeframeLegacy);
          fs.writeFileSync(`${file}-wal`, 'x');
        },
        /newer rows in .*source\.db-wal.*wal_checkpoint/,
      ],
      [
        'a change that was cut off',
        'engram',
        async (file) => {
          await writeDatabase(file, engram(1));
          fs.writeFileSync(`${file}-journal`, 'x');
        },
        /is being changed, or a change was cut off/,
      ],
      ['a file where a folder belongs', 'markdown', holding('# A'), /is a file: name the folder/],
      ['a folder without Markdown', 'markdown', folder, /has no Markdown files/],
      ['no JSON', 'json', holding('{"holdpoint_export": 1,'), /is not JSON \(or is truncated\)/],
      ['JSON of somebody else', 'json', holding('{"a": 1}'), /is not a Holdpoint export/],
      [
        'an export of a newer program',
        'json',
        holding('{"holdpoint_export": 99}'),
        /exported by a newer Holdpoint \(version 99\): update this one/,
      ],
      [
        'a damaged export',
        'json',
        holding('{"holdpoint_export": 1, "workspace_id": "x", "work": [{}]}'),
        /is damaged: work\.0\./,
      ],
    ];
    for (const [what, from, make, says] of cases)
      it(what, async () => {
        await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'There before' });
        const before = journal();
        await make(sandbox.at('source.db'));
        await assert.rejects(plan(from, 'source.db'), (error) => {
          assert.ok(error instanceof AppError, String(error));
          assert.match(error.message, says);
          return true;
        });
        assert.equal(journal(), before);
      });

    it('but read a database in WAL mode that is not in use', async () => {
      await writeDatabase(sandbox.at('wal.db'), codeframeLegacy);
      const bytes = fs.readFileSync(sandbox.at('wal.db'));
      bytes[18] = bytes[19] = 2;
      fs.writeFileSync(sandbox.at('wal.db'), bytes);
      fs.writeFileSync(sandbox.at('wal.db-wal'), '');
      assert.equal((await plan('codeframe', 'wal.db')).found.blockers, 5);
      assert.deepEqual(fs.readFileSync(sandbox.at('wal.db')), bytes, 'the file is only read');
    });
  });

  describe('are all or nothing', () => {
    const many = 1_500;
    beforeEach(async () => {
      await writeDatabase(sandbox.at('many.db'), (db) => {
        db.run(engram(4));
        for (let index = 0; index < many; index++)
          db.run(
            "INSERT INTO events (id, timestamp, event_type, agent_id, content) VALUES (?, ?, 'discovery', 'claude-code', ?)",
            [
              `evt-m${String(index)}`,
              `2026-02-01T10:00:00.${String(index).padStart(6, '0')}+00:00`,
              `Discovery ${String(index)} `.repeat(20),
            ],
          );
      });
    });
    const content = () => ({
      events: searchEvents(store.read(), {}).total,
      imported: listImported(store.read()).length,
    });

    it('in parts, with progress, and invisible to others before the end', async () => {
      const other = sandbox.open();
      const steps: number[] = [];
      const seen = new Set<number>();
      const planned = await plan('engram', 'many.db');
      const done = await runImport(workspace, agent('shell-001').actor, planned, {
        onProgress(now, total) {
          assert.equal(total, planned.rows.length);
          steps.push(now);
          const { state } = other.standing();
          seen.add(state?.events.size ?? -1);
        },
      });
      assert.equal(done.rows, many + 8);
      assert.ok(
        steps.length > 5 && steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0)),
        steps.join(),
      );
      assert.deepEqual([...seen], [0]);
      assert.deepEqual(content(), { events: many + 8, imported: many + 8 });
      const again = dump((await other.store()).read());
      assert.deepEqual(again, dump(store.read()));
    });

    it('if cancelled halfway: nothing is imported, and the next try imports everything', async () => {
      const controller = new AbortController();
      const { done } = await run(
        'engram',
        'many.db',
        {},
        {
          signal: controller.signal,
          onProgress(now) {
            if (now > 400) controller.abort();
          },
        },
      );
      assert.deepEqual(done, { outcome: 'cancelled', rows: 0 });
      assert.deepEqual(content(), { events: 0, imported: 0 });
      assert.equal(store.read().state.imports.size, 0);
      await run('engram', 'many.db');
      assert.deepEqual(content(), { events: many + 8, imported: many + 8 });
    });

    it('after a crash: nothing is imported, and the next try starts over', async () => {
      let parts = 0;
      const planned = await plan('engram', 'many.db');
      const crash = new Error('power cut');
      await assert.rejects(
        runImport(workspace, agent('shell-001').actor, planned, {
          onProgress() {
            // From here on, this program does nothing, not even clean up.
            if (++parts === 4) workspace.close();
            if (parts === 4) throw crash;
          },
        }),
      );
      workspace = sandbox.open();
      store = await workspace.store();
      assert.equal(store.read().state.imports.size, 1);
      assert.deepEqual(content(), { events: 0, imported: 0 });
      await run('engram', 'many.db');
      assert.equal(store.read().state.imports.size, 0, 'what was left unfinished is given up');
      assert.deepEqual(content(), { events: many + 8, imported: many + 8 });
      const live = dump(store.read());
      workspace.close();
      for (const name of fs.readdirSync(sandbox.at('ws', '.holdpoint')).filter((one) => one.startsWith('holdpoint-')))
        fs.rmSync(sandbox.at('ws', '.holdpoint', name));
      assert.deepEqual(dump((await sandbox.open().store()).read()), live, 'and replay gives the same');
    });

    it('by two programs at once: only one succeeds', async () => {
      const planned = await plan('engram', 'many.db');
      const other = sandbox.open();
      const results = await Promise.allSettled([
        runImport(workspace, agent('shell-001').actor, planned),
        runImport(other, agent('shell-002').actor, planned),
      ]);
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const failed = results.find((result) => result.status === 'rejected');
      assert.match(String(failed?.reason), /another program has just imported the same/);
      assert.deepEqual(content(), { events: many + 8, imported: many + 8 });
    });

    it('if a rule refuses one part: nothing is imported', async () => {
      await writeDatabase(sandbox.at('legacy.db'), codeframeLegacy);
      const planned = await plan('codeframe', 'legacy.db');
      const spoiled = planned.rows.map((row) =>
        row.row === 'question' ? { ...row, raised: { ...row.raised, mode: 'never' } } : row,
      );
      await assert.rejects(
        runImport(workspace, agent().actor, { ...planned, rows: spoiled }),
        /question\.raised: mode/,
      );
      assert.deepEqual([store.read().state.questions.size, listImported(store.read()).length], [0, 0]);
    });
  });
});
