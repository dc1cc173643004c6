/** What the gate, hooks and tools answer on a shared workspace whose server does not. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import fc from 'fast-check';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { openAudit } from '../../../src/app/audit/audit.ts';
import { checkStore } from '../../../src/app/audit/checkStore.ts';
import { commitGate } from '../../../src/app/hold/commitGate.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { recordOffline } from '../../../src/app/hold/offline.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { journalPath } from '../../../src/store/journal/segments.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { sharingFormat } from '../../../src/core/records/sharing.ts';
import { askForFormat } from '../../../src/core/state/askForFormat.ts';
import type { Lease } from '../../../src/core/state/state.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import { checkGate } from '../../../src/tools/hold/checkGate.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { runs } from '../../support/runs.ts';
import { agent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';
import { appendingHere, confirmNow, markShared } from '../../support/store/sharing.ts';

const second = 1_000;

describe('during an outage of the server', () => {
  afterEach(removeSandboxes);

  /** `held/` is held unless the question is async; the server confirmed that just now. */
  async function shared(
    lease?: Lease,
    mode: 'sync' | 'async' = 'sync',
  ): Promise<{ box: Sandbox; workspace: Workspace }> {
    const box = makeSandbox();
    const workspace = box.open();
    const store = await workspace.store();
    await raiseQuestion(store, agent('other-001'), {
      text: 'May I?',
      type: 'clarification',
      urgency: 'high',
      mode,
      work: null,
      holds: ['held'],
    });
    if (lease) {
      const { state } = store.read();
      const signing = { store, signer: enrolledHuman(workspace), newId: randomUUID };
      await changePolicy(signing, { ...state.policy, lease }, shownPolicyHash(state));
    }
    markShared(workspace);
    confirmNow(workspace);
    return { box, workspace };
  }

  async function hook(box: Sandbox, tool: string, input: object): Promise<{ exit: number; said: string }> {
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: box.folder, tool_name: tool };
    const { exit, out, err } = await answerHook(
      {
        host: 'claude-code',
        folder: box.folder,
        bytes: Buffer.from(JSON.stringify({ ...payload, tool_input: input })),
      },
      {
        fs: realFs,
        env: {},
        platform: 'linux',
        home: box.home,
        clock: () => box.clock.now,
        newId: randomUUID,
        wasm,
      },
    );
    return { exit, said: out + err };
  }
  const edit = (box: Sandbox, file: string) => hook(box, 'Edit', { file_path: box.at('ws', file) });
  const noted = ({ offlineLog }: Workspace) => offlineLog.take(randomUUID).flatMap(({ lines }) => lines);

  it('held files stay denied, and the rest goes on within the lease and is noted', async () => {
    const { box, workspace } = await shared();
    assert.equal(askGate(workspace, { files: ['free.ts'] }).state, 'CLEAR');
    assert.ok(workspace.offlineLog.isEmpty());
    box.clock.now += 6 * second;
    const answer = askGate(workspace, { files: ['free.ts'], session: { agent: 'copilot-001' } });
    assert.equal(answer.state, 'CLEAR');
    assert.deepEqual(answer.shared, { state: 'offline', since: '2026-03-02T09:00:00.000Z' });
    assert.equal(askGate(workspace, { files: ['held/a.ts'] }).state, 'BLOCKED');
    assert.deepEqual(noted(workspace), [
      { at: '2026-03-02T09:00:06.000Z', since: '2026-03-02T09:00:00.000Z', by: 'copilot-001', paths: ['free.ts'] },
    ]);
  });

  it('nothing goes on when the lease is over, and the reason says what to do', async () => {
    const { box, workspace } = await shared();
    box.clock.now += 15 * minute + 1;
    for (const request of [{ files: ['free.ts'] }, { files: ['held/a.ts'] }, {}]) {
      const { verdict, state, problem } = askGate(workspace, request);
      assert.deepEqual([verdict, state], ['deny', 'UNKNOWN']);
      assert.match(
        problem?.message ?? '',
        /last confirmed this machine’s copy at 2026-03-02 09:00:00 UTC\..* 15 minutes.*Check the network and the server.*Reading/,
      );
    }
    assert.equal(commitGate(workspace, [{ name: 'c', files: ['free.ts'], message: '' }]).state, 'UNKNOWN');
    const range = { base: 'b', head: 'h', merge_bases: [], files: [], commits: [], inside: (file: string) => file };
    assert.equal(checkStore(workspace, range).state, 'UNKNOWN');
    assert.ok(workspace.offlineLog.isEmpty());
  });

  it('files that match a strict glob never go on, whatever else is named with them', async () => {
    const { box, workspace } = await shared({ seconds: 600, strictGlobs: ['payments/**'] });
    assert.equal(askGate(workspace, { files: ['payments/a.ts'] }).state, 'CLEAR', 'while the server answers');
    box.clock.now += 300 * second;
    assert.equal(askGate(workspace, { files: ['free.ts'] }).state, 'CLEAR');
    const strict = askGate(workspace, { files: ['free.ts', 'payments/a.ts'] });
    assert.equal(strict.state, 'UNKNOWN');
    assert.match(strict.problem?.message ?? '', /Files that match payments\/\*\* are never changed without it/);
  });

  it('hooks answer alike', async () => {
    const { box, workspace } = await shared({ seconds: 60, strictGlobs: ['payments'] });
    const allowed = { exit: 0, said: '' };
    assert.deepEqual(await edit(box, 'free.ts'), allowed);
    assert.ok(workspace.offlineLog.isEmpty());
    box.clock.now += 6 * second;
    assert.deepEqual(await edit(box, 'free.ts'), allowed);
    assert.match((await edit(box, 'held/a.ts')).said, /is held by Q-1/);
    assert.match((await edit(box, 'payments/a.ts')).said, /UNKNOWN.*payments are never/);
    assert.deepEqual(
      noted(workspace).map(({ by, paths }) => [by.replace(/-\d+$/, ''), paths]),
      [['claude-code', ['free.ts']]],
    );
    box.clock.now += minute;
    assert.match((await edit(box, 'free.ts')).said, /UNKNOWN.*60 seconds/);
    assert.deepEqual(await hook(box, 'Read', { file_path: box.at('ws', 'free.ts') }), allowed);
    assert.deepEqual(await hook(box, 'Bash', { command: 'cat held/a.ts' }), allowed);
  });

  it('hooks take what may change a strict file for one', async () => {
    const lease = { seconds: 60, strictGlobs: ['payments'] };
    const { box } = await shared(lease, 'async');
    box.clock.now += 6 * second;
    const strict: [string, object][] = [
      ['Edit', { file_path: box.at('ws', 'payments', 'a.ts') }],
      ['Write', { file_path: box.at('elsewhere.ts'), content: '' }],
      ['Bash', { command: 'sed -i s/a/b/ payments/a.ts' }],
      ['Bash', { command: 'node -e "write(\'payments/a.ts\')"' }],
      ['Bash', { command: 'python3 -c "open(\'Payments/\' + name)"' }],
      ['RemoteTrigger', {}],
    ];
    for (const [tool, input] of strict)
      assert.match((await hook(box, tool, input)).said, /UNKNOWN.*payments are never/, JSON.stringify(input));
    const allowed = { exit: 0, said: '' };
    assert.deepEqual(await hook(box, 'Bash', { command: 'sed -i s/a/b/ free.ts' }), allowed);
    const other = await shared({ ...lease, strictGlobs: [] }, 'async');
    other.box.clock.now += 6 * second;
    assert.deepEqual(await hook(other.box, 'RemoteTrigger', {}), allowed);
  });

  it('what cannot be noted does not go on', async () => {
    const { box, workspace } = await shared();
    box.clock.now += 6 * second;
    fs.mkdirSync(workspace.stateFile.path.replace(/\.json$/, '.offline.jsonl'));
    const { state, problem } = askGate(workspace, { files: ['free.ts'] });
    assert.equal(state, 'UNKNOWN');
    assert.match(problem?.message ?? '', /cannot be recorded/);
    assert.match((await edit(box, 'free.ts')).said, /cannot be recorded/);
  });

  it('the tool asks the server first, and says what it knows', async () => {
    const { box, workspace } = await shared();
    const asked: number[] = [];
    const answers = { now: false };
    const connected: Workspace = {
      ...workspace,
      confirm: (timeoutMs) => {
        asked.push(timeoutMs);
        if (answers.now) confirmNow(workspace);
        return Promise.resolve();
      },
    };
    const context = { workspace: connected, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    const ask = async () => {
      const { text, data } = await runTool(checkGate, context, { files: ['free.ts'] });
      return { text, shared: data['shared'], state: data['state'] };
    };
    const current = await ask();
    assert.deepEqual([current.shared, current.state], [{ state: 'current', since: null }, 'CLEAR']);
    assert.deepEqual(asked, []);
    box.clock.now += 6 * second;
    const offline = await ask();
    assert.deepEqual(offline.shared, { state: 'offline', since: '2026-03-02T09:00:00.000Z' });
    assert.match(offline.text, /Allowed: nothing holds free\.ts\. .*recorded as decided offline/);
    box.clock.now += 15 * minute;
    const unknown = await ask();
    assert.deepEqual(
      [unknown.shared, unknown.state],
      [{ state: 'unknown', since: '2026-03-02T09:00:00.000Z' }, 'UNKNOWN'],
    );
    assert.match(unknown.text, /^Denied: the state of this workspace is UNKNOWN/);
    answers.now = true;
    assert.equal((await ask()).state, 'CLEAR');
    assert.deepEqual(asked, [2_000, 2_000, 2_000]);
  });

  it('no answer is CLEAR later than the lease after a confirmation, with any clock and lease', async () => {
    const { box, workspace } = await shared();
    const confirmedAt = box.clock.now;
    const { state } = workspace.standing();
    const file = fc.constantFrom('free.ts', 'held/a.ts', 'strict/b.ts', 'src');
    fc.assert(
      fc.property(
        fc.integer({ min: -5 * minute, max: 5 * minute }),
        fc.integer({ min: 0, max: 240 }),
        fc.array(file, { maxLength: 3 }),
        (passed, seconds, files) => {
          box.clock.now = confirmedAt + passed;
          state!.policy = { ...state!.policy, lease: { seconds, strictGlobs: ['strict'] } };
          const answer = askGate(workspace, { files });
          if (answer.state !== 'CLEAR') return;
          const isStrict = files.some((one) => one.startsWith('strict'));
          assert.ok(passed >= 0 && passed <= Math.max(5 * second, isStrict ? 0 : seconds * second), String(passed));
          assert.ok(!files.includes('held/a.ts'));
          assert.ok(answer.shared.state === 'current' || answer.shared.state === 'offline');
        },
      ),
      { numRuns: runs(800) },
    );
  });
});

describe('what went on without the server', () => {
  afterEach(removeSandboxes);

  /** As the first record of a shared journal does. */
  async function askForSharing(workspace: Workspace): Promise<void> {
    const store = await workspace.store();
    await store.transact(agent().actor, ({ state }) => ({
      records: askForFormat(state, sharingFormat),
      result: null,
    }));
  }

  /** Two outages, in which two agents edit files, and the contact after them. */
  async function twoOutages(): Promise<{ box: Sandbox; workspace: Workspace }> {
    const box = makeSandbox();
    const workspace = await appendingHere(box.open());
    await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Work' });
    await askForSharing(workspace);
    markShared(workspace);
    for (const by of ['copilot-001', 'codex-001']) {
      confirmNow(workspace);
      box.clock.now += 10 * second;
      for (const file of ['a.ts', 'b.ts', 'a.ts']) {
        assert.equal(askGate(workspace, { files: [file], session: { agent: by } }).state, 'CLEAR');
        box.clock.now += second;
      }
    }
    return { box, workspace };
  }

  const recorded = async (workspace: Workspace) =>
    (await workspace.store())
      .read()
      .rows.all((await workspace.store()).read().rows.query.selectFrom('offline_spans').selectAll())
      .map(({ agents, first_at: from, last_at: to, count, paths, more }) => [agents, from, to, count, paths, more]);

  const expected = [
    ['["copilot-001"]', '2026-03-02T09:00:10.000Z', '2026-03-02T09:00:12.000Z', 3, '["a.ts","b.ts"]', 0],
    ['["codex-001"]', '2026-03-02T09:00:23.000Z', '2026-03-02T09:00:25.000Z', 3, '["a.ts","b.ts"]', 0],
  ];

  it('is recorded at the next contact, once for each outage, and appears in the audit', async () => {
    const { workspace } = await twoOutages();
    await recordOffline(workspace);
    assert.deepEqual(await recorded(workspace), [], 'not before the server answers');
    confirmNow(workspace);
    await Promise.all([recordOffline(workspace), recordOffline(workspace)]);
    await recordOffline(workspace);
    assert.deepEqual(await recorded(workspace), expected);
    assert.ok(workspace.offlineLog.isEmpty());
    const audit = openAudit(createTrust(workspace.pins));
    for (const _ of audit.follow(fs.readFileSync(journalPath(workspace.location.root)))) continue;
    const said = audit.entries.filter(({ kind }) => kind === 'gate.decidedOffline').map((entry) => entry.said);
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /^3 acts of copilot-001, 2026-03-02T09:00:10.*: a\.ts, b\.ts$/);
  });

  it('is recorded once when a program ended before it removed its notes', async () => {
    const { box, workspace } = await twoOutages();
    const [taken] = workspace.offlineLog.take(() => '6f1c2b34-0000-4000-8000-000000000001');
    assert.equal(taken?.lines.length, 6);
    const file = workspace.stateFile.path.replace(/json$/, 'offline.6f1c2b34-0000-4000-8000-000000000001.jsonl');
    const text = fs.readFileSync(file);
    confirmNow(workspace);
    await recordOffline(workspace);
    fs.writeFileSync(file, text);
    box.clock.now += 2 * second;
    confirmNow(workspace);
    await recordOffline(workspace);
    assert.deepEqual(await recorded(workspace), expected);
    assert.ok(!fs.existsSync(file));
  });

  it('says that there was more when its notes were full or damaged', async () => {
    const { workspace } = await twoOutages();
    const file = workspace.stateFile.path.replace(/json$/, 'offline.jsonl');
    fs.appendFileSync(file, `${'x'.repeat(600 * 1024)}\n`);
    assert.equal(askGate(workspace, { files: ['c.ts'] }).state, 'CLEAR');
    confirmNow(workspace);
    await recordOffline(workspace);
    const rows = await recorded(workspace);
    assert.deepEqual(
      rows.map((row) => row.at(-1)),
      [0, 1],
    );
  });

  it('needs a workspace that programs of earlier formats do not open', async () => {
    const store = await makeSandbox().open().store();
    const record = {
      kind: 'gate.decidedOffline' as const,
      v: 1 as const,
      span: `${randomUUID()}.0`,
      count: 1,
      by: ['a'],
    };
    const at = '2026-03-02T09:00:00.000Z';
    await assert.rejects(
      store.transact(agent().actor, () => ({ records: [{ ...record, since: at, from: at, to: at }], result: null })),
      /format 9/,
    );
  });
});
