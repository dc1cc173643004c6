/** What the gate, hooks and tools answer on a shared workspace whose server does not. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import fc from 'fast-check';
import path from 'node:path';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { openAudit } from '../../../src/app/audit/audit.ts';
import { checkStore } from '../../../src/app/audit/checkStore.ts';
import { commitGate } from '../../../src/app/hold/commitGate.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { journalPath } from '../../../src/store/journal/files.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Lease } from '../../../src/core/state/state.ts';
import { checkGate } from '../../../src/tools/work/work.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { runs } from '../../support/runs.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, enrolledHuman, signedBy } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, minute, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { appendingHere, confirmNow, markShared } from '../../support/store/sharing.ts';
import { freshnessOf } from '../../../src/app/workspace/freshness.ts';
import { openConfirmed } from '../../../src/store/shared/confirmed.ts';

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
      const signing = signedBy(store, enrolledHuman(workspace));
      await changePolicy(signing, { ...state.policy, lease }, shownPolicyHash(state));
    }
    markShared(workspace);
    confirmNow(workspace);
    return { box, workspace };
  }

  async function hook(box: Sandbox, tool: string, input: object): Promise<{ exit: number; said: string }> {
    const { exit, out, err } = await hookAnswer(box, { tool_name: tool, tool_input: input });
    return { exit, said: out + err };
  }
  const edit = (box: Sandbox, file: string) => hook(box, 'Edit', { file_path: box.at('ws', file) });

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
    const range = { base: 'b', head: 'h', merge_bases: [], files: [], commits: [], required: [], inside: String };
    assert.equal(checkStore(workspace, range).state, 'UNKNOWN');
  });

  it('held and strict files stay denied when the lease is over, and the rest where the policy does not allow it', async () => {
    const strictGlobs = ['payments'];
    const { box, workspace } = await shared({ seconds: 60, strictGlobs, after: 'allow' });
    box.clock.now += 100 * minute;
    const rest = askGate(workspace, { files: ['free.ts'] });
    assert.deepEqual([rest.state, rest.shared], ['CLEAR', { state: 'offline', since: '2026-03-02T09:00:00.000Z' }]);
    assert.equal(askGate(workspace, { files: ['held/a.ts'] }).state, 'BLOCKED');
    assert.equal(askGate(workspace, { files: ['payments/a.ts'] }).state, 'UNKNOWN');
    assert.deepEqual(await edit(box, 'free.ts'), { exit: 0, said: '' });
    assert.match((await edit(box, 'held/a.ts')).said, /is held by Q-1/);
    assert.match((await edit(box, 'payments/a.ts')).said, /UNKNOWN.*payments are never/);
    const other = await shared({ seconds: 60, strictGlobs, after: 'deny' });
    other.box.clock.now += 100 * minute;
    assert.match((await edit(other.box, 'free.ts')).said, /UNKNOWN.*at 2026-03-02 09:00:00 UTC.*Check the network/);
  });

  it('a record that development versions wrote about it is history, and has no effect', async () => {
    const at = '2026-03-02T09:00:00.000Z';
    const record = { kind: 'gate.decidedOffline', v: 1, from: at, count: 3 };
    const other = makeSandbox().open();
    await raiseQuestion(await other.store(), agent(), {
      ...{ text: 'May I?', type: 'clarification', urgency: 'high', mode: 'sync', work: null, holds: ['held'] },
    });
    writeByHand(journalPath(other.location.root), [record]);
    const audit = openAudit(createTrust(other.pins));
    for (const _ of audit.follow(fs.readFileSync(journalPath(other.location.root)))) continue;
    assert.equal(audit.entries.at(-1)?.kind, record.kind);
    assert.equal(askGate(other, { files: ['held/a.ts'] }).state, 'BLOCKED');
    assert.equal(askGate(other, { files: ['a.ts'] }).state, 'CLEAR');
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
      const { text, data } = await runOperation(checkGate, context, { files: ['free.ts'] });
      return { text, shared: data['shared'], state: data['state'] };
    };
    const current = await ask();
    assert.deepEqual([current.shared, current.state], [{ state: 'current', since: null }, 'CLEAR']);
    assert.deepEqual(asked, []);
    box.clock.now += 6 * second;
    const offline = await ask();
    assert.deepEqual(offline.shared, { state: 'offline', since: '2026-03-02T09:00:00.000Z' });
    assert.match(offline.text, /Allowed: nothing holds free\.ts\. .*last answered at 2026-03-02 09:00:00 UTC/);
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

const state = (workspace: Workspace) => freshnessOf(workspace).state;

const why = (workspace: Workspace) => {
  const found = freshnessOf(workspace);
  return found.state === 'unknown' ? found.why : found.state;
};

describe('the confirmation of a copy', () => {
  afterEach(removeSandboxes);

  async function shared(): Promise<{ box: Sandbox; workspace: Workspace }> {
    const box = makeSandbox();
    const workspace = await appendingHere(box.open());
    await raise(workspace, 'Which database?');
    markShared(workspace);
    return { box, workspace };
  }

  async function raise(workspace: Workspace, text: string): Promise<void> {
    await raiseQuestion(await workspace.store(), agent(), {
      text,
      type: 'clarification',
      urgency: 'medium',
      mode: 'sync',
      work: null,
      holds: ['held'],
    });
  }

  it('is not needed on a local journal', async () => {
    const box = makeSandbox();
    const workspace = box.open();
    await raise(workspace, 'Which database?');
    assert.equal(state(workspace), 'local');
  });

  it('makes a shared copy current, then offline, then unknown, for all programs of the machine', async () => {
    const { box, workspace } = await shared();
    assert.equal(why(workspace), 'never');
    confirmNow(workspace);
    const other = box.open();
    assert.equal(state(workspace), 'current');
    assert.equal(state(other), 'current');
    box.clock.now += 6_000;
    assert.deepEqual(freshnessOf(other), { state: 'offline', since: '2026-03-02T09:00:00.000Z' });
    box.clock.now += 15 * minute;
    assert.equal(why(other), 'lease');
    box.clock.now -= 16 * minute;
    assert.equal(why(other), 'clock');
  });

  it('still counts when the copy has grown since', async () => {
    const { box, workspace } = await shared();
    confirmNow(workspace);
    await raise(workspace, 'Which port?');
    assert.equal(state(workspace), 'current');
    workspace.close();
    assert.equal(state(box.open()), 'current');
  });

  it('does not count for a copy that lacks its line, has another one there, or is of another workspace', async () => {
    const { box, workspace } = await shared();
    const { position, head } = workspace.position()!;
    const wrong = [
      { position: position + 1 },
      { position: position - 1 },
      { head: head.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
      { workspace: randomUUID() },
    ];
    for (const changes of wrong) {
      confirmNow(workspace, changes);
      assert.equal(why(workspace), 'never', JSON.stringify(changes));
      box.clock.now += 2_000;
    }
    await raise(workspace, 'Which port?');
    confirmNow(workspace, { position });
    assert.equal(why(workspace), 'never', 'the head of another line');
    box.clock.now += 2_000;
    confirmNow(workspace, { position, head });
    assert.equal(state(workspace), 'current', 'an earlier line of this copy');
  });

  it('shows at once, and until the next confirmation, that the server has other lines', async () => {
    const { box, workspace } = await shared();
    confirmNow(workspace);
    box.clock.now += 10;
    confirmNow(workspace, { trouble: 'forked' });
    assert.equal(why(workspace), 'forked');
    box.clock.now += 10;
    confirmNow(workspace);
    assert.equal(state(workspace), 'current');
  });

  it('confirms nothing with any other content', async () => {
    const { workspace } = await shared();
    confirmNow(workspace);
    const { path: file } = workspace.confirmed;
    const good = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(good)), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
      .filter(([field, value]) => field !== 'up' && value !== good[field])
      .map(([field, value]) => JSON.stringify({ ...good, [field]: value }));
    fc.assert(
      fc.property(fc.oneof(changed, fc.json(), fc.string()), (text) => {
        fs.writeFileSync(file, text);
        assert.equal(state(workspace), 'unknown', text);
      }),
      { numRuns: runs(400) },
    );
    fs.rmSync(file);
    fs.mkdirSync(file);
    assert.equal(state(workspace), 'unknown');
  });

  it('is written at most once a second, in one step, and never fails', () => {
    const box = makeSandbox();
    const anchor = path.join(box.base, 'a.json');
    let now = Date.parse('2026-03-02T09:00:00.000Z');
    let renames = 0;
    const counting = {
      ...realFs,
      renameSync: ((from, to) => {
        renames++;
        realFs.renameSync(from, to);
      }) as typeof fs.renameSync,
    };
    const file = openConfirmed({
      fs: counting,
      anchor,
      clock: () => now,
      newId: randomUUID,
      uptime: () => now / 1_000,
    });
    const answered = { workspace: randomUUID(), position: 10, head: 'a'.repeat(64) };
    for (let i = 0; i < 30; i++, now += 100) file.write({ ...answered, position: 10 + i });
    assert.equal(renames, 3);
    assert.equal(file.read()?.position, 30);
    now += 2_000;
    file.write(answered, { at: now - 700, up: now - 700 });
    const { at, up } = file.read()!;
    assert.deepEqual([Date.parse(at), up], [now - 700, now - 700], 'as old as the question, not as the answer');
    assert.deepEqual(
      fs.readdirSync(box.base).filter((name) => name.startsWith('a.')),
      ['a.confirmed.json'],
    );
    const nowhere = path.join(box.base, 'missing', 'a.json');
    const lost = openConfirmed({ fs: realFs, anchor: nowhere, clock: () => now, newId: randomUUID });
    lost.write(answered);
    assert.equal(lost.read(), null);
  });
});
