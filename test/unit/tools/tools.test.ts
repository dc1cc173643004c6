import assert from 'node:assert/strict';
import { appendFileSync, truncateSync } from 'node:fs';
import { operations } from '../../../src/tools/catalog.ts';
import { duration } from '../../../src/tools/kit/texts.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { cancel, decide, enrolledHuman, release, yes, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { callTool, says } from '../../support/store/callTool.ts';

const hour = 60 * 60 * 1000;

describe('the tools', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let human: Human;

  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    human = enrolledHuman(workspace);
  });
  afterEach(removeSandboxes);

  const call = (name: string, input: unknown, more: Parameters<typeof callTool>[3] = {}) =>
    callTool(workspace, name, input, more);

  const register = (id: string, more: object = {}) => call('register_work', { id, title: `Title of ${id}`, ...more });
  const ask = (more: object = {}) => call('raise_question', { text: 'JWT or sessions?', work_id: 't-1', ...more });

  it('register, start, step and finish work', async () => {
    await says(
      register('t-1'),
      'ok',
      /^Registered\. Title of t-1 \(t-1\) is todo\. Set it in_progress when you start it\.$/,
    );
    await says(register('t-1'), 'ok', /^Already registered; nothing changed\. Title of t-1/);
    await says(register('t-1', { title: 'New' }), 'ok', /^Updated: title was "Title of t-1", is now "New"\./);
    await says(register('t-1'), 'ok', /^Updated/);
    await says(
      call('update_work', { id: 't-1', status: 'in_progress', step: 'Tests' }),
      'ok',
      /is in progress, at "Tests"\./,
    );
    await says(call('update_work', { id: 't-1', status: 'done' }), 'ok', /is done/);
    await says(
      call('update_work', { id: 't-9', status: 'done' }),
      'error',
      /"t-9" is not registered.*holdpoint_record_work/,
    );
  });

  it('stop held work, its dependants and its files, and return the next step', async () => {
    await register('t-1', { holds: ['src/auth'] });
    await register('t-2', { depends_on: ['t-1'] });
    await register('t-3');
    await says(
      ask(),
      'ok',
      /^Q-1 is still waiting for a human/,
      /Do not work on Title of t-1 \(t-1\) or what depends on it/,
      /do not edit src\/auth/,
      /holdpoint_await_answer/,
    );
    await says(
      call('update_work', { id: 't-2', status: 'in_progress' }),
      'denied',
      /^Denied: Title of t-2 \(t-2\) is held by Q-1 "JWT or sessions\?"/,
      /Call holdpoint_await_answer \{"id":"Q-1"\}/,
    );
    await says(
      call('check_gate', { work_id: 't-1' }),
      'denied',
      /^Denied: Title of t-1 \(t-1\) is held by Q-1/,
      /Free work: Title of t-3 \(t-3\)\./,
    );
    await says(
      call('check_gate', { files: ['src/auth/a.ts'] }, { as: 'other-001' }),
      'denied',
      /src\/auth\/a\.ts is held by Q-1/,
    );
    await says(call('check_gate', { work_id: 't-3' }), 'ok', /^Allowed: nothing holds t-3\./);
    await says(call('check_gate', { work_id: 't-9' }), 'denied', /"t-9" is not registered/);
    await says(call('check_gate', {}), 'denied', /your session \(copilot-001\) is held by Q-1/);
  });

  it('deliver the answer in the call that waits for it', async () => {
    await register('t-1');
    const waiting = call(
      'raise_question',
      { text: 'JWT or sessions?', work_id: 't-1', choices: [{ label: 'JWT' }, { label: 'Sessions' }] },
      { waitMs: Infinity },
    );
    const decided = new Promise<void>((resolve, reject) => {
      const stop = workspace.onChange(() => {
        if (!workspace.standing().state?.questions.has('Q-1')) return;
        stop();
        decide(workspace, human, 'Q-1', {
          kind: 'answer',
          answer: { choices: ['Sessions'], text: 'Revoking is instant.' },
        }).then(() => {
          workspace.changed();
          resolve();
        }, reject);
      });
    });
    await decided;
    const { data } = await says(
      waiting,
      'ok',
      /^Q-1 answered by Ada, .* UTC: "Sessions", with "Revoking is instant\." Continue with Title of t-1 \(t-1\)\.$/,
    );
    assert.equal(data['outcome'], 'answered');
    await says(call('check_gate', { work_id: 't-1' }), 'ok', /^Allowed/);
    const { data: list } = await call('list_questions', { all: true });
    const [question] = (list as { questions: { acknowledged_at: string | null }[] }).questions;
    assert.ok(question?.acknowledged_at, 'the next call shows that the answer was received');
  });

  for (const [verdict, says1] of [
    [yes, /answered by Ada/],
    [cancel, /was dismissed as no longer needed by Ada, .*: "Not wanted any more\." It no longer holds anything/],
    [release, /was dismissed without an answer by Ada, .*: "Take the simple way\." Continue/],
  ] as const)
    it(`deliver a late outcome (${verdict.kind}) with the next result until it is acknowledged`, async () => {
      await register('t-1');
      await ask();
      await decide(workspace, human, 'Q-1', verdict);
      await says(call('list_questions', { status: 'pending' }), 'ok', /\nAlso: Q-1/, says1);
      const next = await call('list_questions', { status: 'pending' });
      assert.doesNotMatch(next.text, /Also:/);
    });

  it('deliver the outcome to a later await, and say when there is nothing to wait for', async () => {
    await says(call('await_answer', {}), 'ok', /You have no open questions/);
    await says(call('await_answer', { id: 'Q-7' }), 'error', /There is no question Q-7/);
    await register('t-1');
    await ask();
    await says(call('await_answer', {}), 'ok', /Q-1 is still waiting/);
    await decide(workspace, human, 'Q-1');
    await says(call('await_answer', { id: 'Q-1' }), 'ok', /^Q-1 answered by Ada/);
  });

  it('keep the question when the caller cancels the call', async () => {
    await register('t-1');
    const giveUp = new AbortController();
    const waiting = call(
      'raise_question',
      { text: 'JWT or sessions?', work_id: 't-1' },
      { waitMs: Infinity, signal: giveUp.signal },
    );
    await new Promise<void>((resolve) => {
      const stop = workspace.onChange(() => {
        if (!workspace.standing().state?.questions.has('Q-1')) return;
        stop();
        resolve();
      });
    });
    giveUp.abort();
    await says(waiting, 'ok', /Q-1 is still waiting/);
    await says(call('check_gate', { work_id: 't-1' }), 'denied', /Q-1/);
  });

  it('continue on the assumption of an async question, and make it sync when it is asked again as sync', async () => {
    await register('t-1');
    await says(
      ask({ mode: 'async', assumption: 'Sessions' }),
      'ok',
      /It does not stop you: continue, assuming: "Sessions"/,
    );
    await says(call('check_gate', { work_id: 't-1' }), 'ok', /^Allowed/);
    await says(ask(), 'ok', /^You asked this before: it is Q-1\. Q-1 is still waiting/);
    await says(call('check_gate', { work_id: 't-1' }), 'denied', /Q-1/);
  });

  it('say with an answer what still holds the work or the session, and never to continue with it', async () => {
    await register('t-1');
    await register('t-2');
    await ask();
    await ask({ text: 'And which index?', urgency: 'high' });
    await ask({ text: 'Which license?', work_id: undefined });
    await decide(workspace, human, 'Q-1');
    const answered = await call('await_answer', { id: 'Q-1' });
    assert.match(
      answered.text,
      /^Q-1 answered by .* Title of t-1 \(t-1\) and your session are still held by Q-2, Q-3\. Call holdpoint_await_answer \{"id":"Q-2"\}\.$/,
    );
    const { result, outcome, approved, held_by: by } = answered.data;
    assert.deepEqual([result, outcome, approved, by], ['denied', 'still_held', null, ['Q-2', 'Q-3']]);
    await decide(workspace, human, 'Q-2');
    const { data, text } = await call('await_answer', { id: 'Q-2' });
    assert.deepEqual([data['result'], data['held_by']], ['denied', ['Q-3']], text);
    // Neither does an assumption let it go on, nor that there is nothing of its own to wait for.
    await says(
      call('raise_question', { text: 'Log it?', mode: 'async', assumption: 'Yes.', work_id: 't-1', wait_seconds: 0 }),
      'ok',
      /^Q-4 is still waiting for a human \(.*\)\. Your session is still held by Q-3\./,
    );
    await decide(workspace, human, 'Q-3');
    const last = await call('await_answer', { id: 'Q-2' });
    assert.deepEqual([last.data['result'], last.data['held_by']], ['proceed', undefined], last.text);
    assert.match(last.text, /Continue with Title of t-1 \(t-1\)\./);
    await call('update_work', { id: 't-1', status: 'cancelled' });
    await says(call('await_answer', { id: 'Q-2' }), 'ok', /Title of t-1 \(t-1\) is cancelled\.$/);
  });

  it('explain what expiry means', async () => {
    await register('t-1');
    await ask();
    await ask({ text: 'And this?', mode: 'async', work_id: undefined });
    sandbox.clock.now += 73 * hour;
    workspace.reopen();
    await says(
      call('await_answer', { id: 'Q-1' }),
      'ok',
      /Q-1 expired without an answer\. Title of t-1 \(t-1\) has failed and stays held until a human releases it/,
    );
    await says(
      call('await_answer', { id: 'Q-2' }),
      'ok',
      /Q-2 expired without an answer\. It held nothing, and this is not a yes/,
    );
    await says(call('check_gate', { work_id: 't-1' }), 'denied', /sync, expired, held until a human releases it/);
  });

  it('list and show questions', async () => {
    await register('t-1');
    await ask({ urgency: 'high' });
    await says(
      call('list_questions', {}),
      'ok',
      /^1 question, 1 pending, 1 sync\nQ-1 · high · sync · waiting less than 1 min · copilot-001 · Title of t-1 \(t-1\) · JWT or sessions\?$/,
    );
    await says(call('list_questions', { urgent: true, agent: 'other-001' }), 'ok', /^0 questions/);
    await says(
      call('list_questions', { id: 'Q-1' }),
      'ok',
      /^Q-1 · clarification · high · sync · asked by copilot-001, .*\nJWT or sessions\?\n(?:.+\n)+Q-1 is still waiting/,
    );
    await says(call('list_questions', { id: 'Q-2' }), 'error', /There is no question Q-2/);
  });

  it('deny everything while the store is in the state UNKNOWN', async () => {
    await register('t-1');
    workspace.close();
    truncateSync(sandbox.journal, 10);
    workspace = sandbox.open();
    await says(ask(), 'denied', /Stop, and tell your human/);
    await says(call('check_gate', { work_id: 't-1' }), 'denied', /the state of this workspace is UNKNOWN/);
    await says(call('list_questions', {}), 'denied', /Agents are paused/);
  });

  it('continue after a line that another program did not finish', async () => {
    await register('t-1');
    appendFileSync(sandbox.journal, '\n712 0123abc');
    await says(ask(), 'ok', /Q-1 is still waiting/);
  });

  describe('refuse and store nothing for', () => {
    const cases: readonly [what: string, name: string, input: unknown, part: RegExp][] = [
      ['no input', 'raise_question', undefined, /text is missing: give a string/],
      ['a list', 'raise_question', [], /The input must be an object, not an array/],
      ['an empty text', 'raise_question', { text: ' \n ' }, /text: must not be empty/],
      [
        '2 MB of text',
        'raise_question',
        { text: 'x'.repeat(2 * 1024 * 1024) },
        /text: must be at most 2000 characters/,
      ],
      ['a lone surrogate', 'raise_question', { text: 'a\ud800' }, /text: contains half of a surrogate pair/],
      ['a control character', 'raise_question', { text: 'a\u0000' }, /text: contains control characters/],
      ['an unknown field', 'raise_question', { text: 'a', answer: 'yes' }, /answer/],
      [
        'an unknown type',
        'raise_question',
        { text: 'a', type: 'order' },
        /type must be clarification, decision or approval/,
      ],
      [
        'overlong background',
        'raise_question',
        { text: 'a', background: 'x'.repeat(10_001) },
        /background: must be at most 10000/,
      ],
      [
        'choices for an approval',
        'raise_question',
        { text: 'a', type: 'approval', choices: [{ label: 'Sure' }] },
        /choices: an approval question always has/,
      ],
      [
        'a path outside the workspace',
        'raise_question',
        { text: 'a', files: [{ path: '/etc/passwd' }] },
        /files\[0\]\.path .*inside the workspace/,
      ],
      [
        'a hold on all files',
        'raise_question',
        { text: 'a', holds: ['**/*'] },
        /holds\[0\]: would hold the whole workspace/,
      ],
      ['unknown work', 'raise_question', { text: 'a', work_id: 't-9' }, /"t-9" is not registered/],
      ['a wait of several days', 'await_answer', { wait_seconds: 1e9 }, /wait_seconds must be at most /],
      ['a dependency on itself', 'register_work', { id: 'a', title: 'A', depends_on: ['a'] }, /depend on itself/],
      [
        'a workflow that is a task',
        'register_work',
        { id: 'a', title: 'A', workflow: 'b' },
        /workflow b is not registered/i,
      ],
      [
        'a status that work cannot start with',
        'register_work',
        { id: 'a', title: 'A', status: 'done' },
        /status must be todo or in_progress/,
      ],
      ['a gate check on a path outside the workspace', 'check_gate', { files: ['../x'] }, /inside the workspace/],
    ];
    for (const [what, name, input, part] of cases)
      it(what, async () => {
        await says(call(name, input), 'error', part);
        const { state } = workspace.standing();
        assert.equal((state?.questions.size ?? 0) + (state?.work.size ?? 0), 0);
      });
  });

  it('format times for people', () => {
    const cases: readonly [number, string][] = [
      [59_000, 'less than 1 min'],
      [60_000, '1 min'],
      [119 * 60_000, '119 min'],
      [2 * hour, '2 h'],
      [47 * hour, '47 h'],
      [48 * hour, '2 d'],
    ];
    for (const [ms, words] of cases) assert.equal(duration(ms), words);
  });

  it('know their inputs', () => {
    for (const { name, input } of operations) assert.equal(input.safeParse({ nonsense: 1 }).success, false, name);
  });
});
