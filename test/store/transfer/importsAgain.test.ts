import assert from 'node:assert/strict';
import fs from 'node:fs';
import { exported } from '../../support/store/exported.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import type { Store } from '../../../src/store/store.ts';
import { codeframeLegacy, engram, writeDatabase } from '../../support/store/foreign.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { completeImport, type ImportChoices, plannedImport } from '../../support/store/importing.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { openLedger } from '../../../src/store/journal/ledger.ts';
import { loadState } from '../../../src/store/saved/snapshot.ts';
import { loadCurrent } from '../../../src/store/saved/current.ts';
import { createTrust } from '../../../src/trust/envelope.ts';

describe('import of what was imported before', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let store: Store;
  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    store = await workspace.store();
  });
  afterEach(removeSandboxes);

  const run = (from: ImportSource, name: string, choices?: ImportChoices) =>
    completeImport({ sandbox, workspace }, from, name, choices);
  const verdict = (asked: Parameters<typeof askGate>[1]) => askGate(workspace, asked).verdict;

  /** Another workspace, and the path of its export. */
  async function elsewhere(): Promise<{ there: Store; save: () => Promise<void> }> {
    const other = makeSandbox().open();
    const save = async () => {
      fs.writeFileSync(sandbox.at('export.json'), await exported(other, 'json'));
    };
    return { there: await other.store(), save };
  }
  const rest = { holds: [], contexts: [], submit: false };
  const asking = { text: 'JWT or sessions?', type: 'decision', urgency: 'medium', mode: 'async', work: 'T1' } as const;

  it('holds, if the earlier import claimed the rows as its history', async () => {
    await writeDatabase(sandbox.at('legacy.db'), codeframeLegacy);
    await writeDatabase(sandbox.at('events.db'), engram(4));
    await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'There before' });
    const keys: string[] = [];
    for (const [from, name] of [
      ['codeframe', 'legacy.db'],
      ['engram', 'events.db'],
    ] as const) {
      const { rows } = await plannedImport({ sandbox, workspace }, from, name);
      for (const { row, key } of rows) if (row !== 'history') keys.push(key);
    }
    const batch = '6f1c2b34-0000-4000-8000-00000000000a';
    const common = { row: 'history', ref: 'x', at: '2026-01-01T00:00:00.000Z', agent: null, work: null, data: {} };
    writeByHand(sandbox.journal, [
      { kind: 'import.begun', v: 1, batch, from: 'json', source: 'x', digest: '0'.repeat(64) },
      {
        kind: 'import.rows',
        v: 1,
        batch,
        part: 1,
        rows: keys.map((key) => ({ ...common, key, of: 'event', title: 'Nothing', status: 'old' })),
      },
      { kind: 'import.ended', v: 1, batch, rows: keys.length, firstEvent: 'E-1' },
    ]);
    assert.equal((await run('codeframe', 'legacy.db')).done.outcome, 'imported');
    assert.equal(verdict({ work: 'codeframe-task-3' }), 'deny');
    await run('engram', 'events.db');
    assert.equal(store.read().state.criticalWarnings.size, 1);
    assert.equal((await run('codeframe', 'legacy.db')).done.outcome, 'nothing_new');
    assert.equal((await run('engram', 'events.db')).done.outcome, 'nothing_new');
  });

  it('widens a question that holds more in the source by now', async () => {
    const { there, save } = await elsewhere();
    await registerWork(there, agent(), { id: 'T1', workKind: 'task', title: 'Sign-in' });
    await raiseQuestion(there, agent(), asking);
    await save();
    await run('json', 'export.json');
    assert.equal(verdict({ work: 'T1' }), 'allow');
    await raiseQuestion(there, agent(), { ...asking, mode: 'sync', holds: ['docs/*.md'] });
    await save();
    await run('json', 'export.json');
    assert.deepEqual([verdict({ work: 'T1' }), verdict({ files: ['docs/a.md'] })], ['deny', 'deny']);
    assert.equal(store.read().state.questions.size, 1);
    assert.equal((await run('json', 'export.json')).done.outcome, 'nothing_new');
    const human = enrolledHuman(workspace);
    await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { text: 'JWT.', choices: [] } });
    assert.equal((await run('json', 'export.json')).done.outcome, 'nothing_new', 'a human decided it');
    assert.equal(verdict({ work: 'T1' }), 'allow');
  });

  it('asks again what its agent withdrew here, if it is sync in the source by now', async () => {
    const { there, save } = await elsewhere();
    await registerWork(there, agent(), { id: 'T1', workKind: 'task', title: 'Sign-in' });
    await raiseQuestion(there, agent(), { ...asking, choices: [{ label: 'JWT', effect: 'proceed' }] });
    await save();
    await run('json', 'export.json');
    const withdrawn = { kind: 'question.withdrawn', v: 1, id: 'Q-1', reason: 'Not needed.' };
    writeByHand(sandbox.journal, [withdrawn], { actor: agent().actor });
    assert.equal(questionView(store.read(), 'Q-1')?.resolution, 'withdrawn');
    assert.equal((await run('json', 'export.json')).done.outcome, 'nothing_new');
    await raiseQuestion(there, agent(), { ...asking, mode: 'sync' });
    await save();
    await run('json', 'export.json');
    assert.deepEqual([questionView(store.read(), 'Q-2')?.status, verdict({ work: 'T1' })], ['pending', 'deny']);
  });

  it('holds the files of work that is here without them', async () => {
    const { there, save } = await elsewhere();
    await registerWork(there, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
    await registerWork(there, agent(), { id: 'T0', workKind: 'task', title: 'Keys' });
    const task = { id: 'T1', workKind: 'task', title: 'Sign-in' } as const;
    await registerWork(there, agent(), { ...task, workflow: 'W1', dependsOn: ['T0'], holds: ['src/login'] });
    await registerWork(there, agent(), { id: 'T2', workKind: 'task', title: 'Sign-out', holds: ['src/logout'] });
    await raiseQuestion(there, agent(), { ...asking, mode: 'sync' });
    await proposeRfc(there, agent(), { title: 'Sessions', workflows: [], tasks: ['T2'], ...rest });
    await save();
    await registerWork(store, agent(), task);
    await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Sign-out' });
    await run('json', 'export.json');
    for (const file of ['src/login', 'src/logout']) assert.equal(verdict({ files: [file] }), 'deny', file);
    assert.equal((await run('json', 'export.json')).done.outcome, 'nothing_new');
  });

  it('takes an RFC again that holds more in the source by now', async () => {
    const { there, save } = await elsewhere();
    await registerWork(there, agent(), { id: 'T1', workKind: 'task', title: 'Sign-in' });
    await proposeRfc(there, agent(), { title: 'Sessions', workflows: [], tasks: ['T1'], ...rest });
    await save();
    await run('json', 'export.json');
    const widened = { kind: 'rfc.widened', v: 1, id: 'RFC-1', addHolds: ['src/login'] };
    await there.transact(agent().actor, () => ({ records: [widened as never], result: null }));
    await save();
    await run('json', 'export.json');
    assert.equal(verdict({ files: ['src/login'] }), 'deny');
    assert.equal((await run('json', 'export.json')).done.outcome, 'nothing_new');
  });
});

/** After an import, the next program that opens the store does not replay it, counted in lines of the journal. */
describe('after an import', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  /** What a gate would answer from now, without reading a line. */
  function loadedBy({ location, stateFile }: Workspace) {
    return loadCurrent({ fs: realFs, root: location.root, stateFile, keys: createTrust(() => []).keys() });
  }

  /** The number of lines that a program reads beyond the saved state when it opens the store now. */
  function replayed(): number {
    const { stateFile, location } = workspace;
    const trust = createTrust(() => []);
    const origin = loadState({ fs: realFs, root: location.root, stateFile, trust }) ?? undefined;
    let lines = 0;
    const ledger = openLedger({ root: location.root, fs: realFs, trust, stateFile, origin, onLine: () => lines++ });
    assert.equal(ledger.problem, null);
    ledger.close();
    return lines;
  }

  async function importDecisions(count: number): Promise<void> {
    fs.mkdirSync(sandbox.at('adr'));
    for (let number = 1; number <= count; number++)
      fs.writeFileSync(
        sandbox.at('adr', `${String(number)}.md`),
        `# ${String(number)}. Decide\n\nStatus: accepted\n\n## Decision\n\n${'We do it. '.repeat(400)}\n`,
      );
    const { done } = await completeImport({ sandbox, workspace }, 'markdown', 'adr');
    assert.equal(done.outcome, 'imported');
  }

  it('a program that opens the store reads no line beyond the saved state, while the importer still runs', async () => {
    await importDecisions(3);
    assert.equal(replayed(), 0);
  });

  it('a program that replayed a few large lines writes a snapshot, and one that is up to date does not', async () => {
    await importDecisions(80);
    workspace.close();
    for (const name of fs.readdirSync(sandbox.at('ws', '.holdpoint')))
      if (/\.(?:json|sqlite)$/.test(name)) fs.rmSync(sandbox.at('ws', '.holdpoint', name));
    assert.ok(replayed() > 0 && replayed() < 500, 'few lines, and all of them');
    workspace = sandbox.open();
    await workspace.store();
    workspace.close();
    assert.equal(replayed(), 0);
    workspace = sandbox.open();
    await registerWork(await workspace.store(), agent('shell-001'), { id: 't-1', workKind: 'task', title: 'One' });
    workspace.close();
    assert.ok(replayed() > 0, 'a line or two are not worth one');
  });

  it('a gate that replays many lines leaves the next one what to answer from', async () => {
    await importDecisions(200);
    workspace.close();
    for (const name of fs.readdirSync(sandbox.at('ws', '.holdpoint')))
      if (/\.(?:json|sqlite)$/.test(name)) fs.rmSync(sandbox.at('ws', '.holdpoint', name));
    const gate = sandbox.open();
    assert.equal(loadedBy(gate), null);
    assert.equal(gate.current().problem, null);
    assert.notEqual(loadedBy(gate), null);
  });
});
