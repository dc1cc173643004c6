import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Notification } from '../../../src/core/waiting/eventStream.ts';
import { acknowledgeOffered, recordOffer } from '../../../src/app/waiting/delivery.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import { writeByHand, zeros } from '../../support/store/handwriting.ts';
import { agent, cancel, decide, enrolledHuman, release } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

/** Resolves once `holds` returns true; checks after each change. */
function until(workspace: Workspace, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = workspace.onChange(check);
    check();
    function check(): void {
      if (!holds()) return;
      stop();
      resolve();
    }
  });
}

const question = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null } as const;
const count = (workspace: Workspace) => workspace.standing().state?.questions.size ?? -1;

describe('two programs on one workspace', () => {
  afterEach(removeSandboxes);

  it('notice each other’s changes, with and without the database', async () => {
    const sandbox = makeSandbox();
    const [one, two, three] = [sandbox.open(), sandbox.open(), sandbox.open()];
    const store = await one.store();
    await two.store();
    const noticed = Promise.all([two, three].map((workspace) => until(workspace, () => count(workspace) === 2)));
    await raiseQuestion(store, agent(), question);
    await raiseQuestion(await two.store(), agent('claude-002'), question);
    await noticed;
    assert.equal(count(one), 2);
  });

  it('notice them even without an earlier read', async () => {
    const sandbox = makeSandbox();
    const listener = sandbox.open();
    let calls = 0;
    const noticed = new Promise<void>((resolve) => {
      listener.onChange(() => {
        calls++;
        if (count(listener) === 1) resolve();
      });
    });
    await raiseQuestion(await sandbox.open().store(), agent(), question);
    await noticed;
    assert.ok(calls > 0);
  });

  it('notice when the journal disappears and returns', async () => {
    const sandbox = makeSandbox();
    const [one, two] = [sandbox.open(), sandbox.open()];
    await raiseQuestion(await one.store(), agent(), question);
    await two.store();
    const gone = until(two, () => two.standing().problem?.code === 'missing');
    fs.renameSync(sandbox.journal, sandbox.at('kept'));
    await gone;
    const back = until(two, () => two.standing().problem === null);
    fs.renameSync(sandbox.at('kept'), sandbox.journal);
    await back;
    assert.equal(count(two), 1);
  });

  it('are not notified after they stop listening or close', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    let calls = 0;
    const stop = workspace.onChange(() => calls++);
    workspace.changed();
    stop();
    workspace.changed();
    assert.equal(calls, 1);
    workspace.onChange(() => calls++);
    const opening = workspace.store();
    workspace.close();
    await assert.rejects(opening, { name: 'StoreError', code: 'closed' });
    assert.equal(calls, 1);
  });

  it('share one store for concurrent requests, and get a new one after it was dropped', async () => {
    const workspace = makeSandbox().open();
    const [one, two] = await Promise.all([workspace.store(), workspace.store()]);
    assert.equal(one, two);
    const early = workspace.store();
    workspace.reopen();
    const late = workspace.store();
    assert.notEqual(await late, one);
    assert.equal(await early, one);
    assert.throws(() => one.read(), StoreError);
  });

  it('can read a read-only store: a failed sweep does not keep it closed', async () => {
    const sandbox = makeSandbox();
    await raiseQuestion(await sandbox.open().store(), agent(), question);
    sandbox.clock.now += 73 * hour;
    const full = {
      ...fs,
      writeSync: () => {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      },
    } as unknown as typeof fs;
    const store = await sandbox.open({ fs: full }).store();
    assert.equal(store.read().state.questions.get('Q-1')?.status, 'pending');
    await assert.rejects(async () => sweep(store), { name: 'StoreError', code: 'disk' });
  });
});

describe('notifications', () => {
  afterEach(removeSandboxes);

  /** Collects the expected number of notifications. */
  function collect(workspace: Workspace, expected: number): Promise<Notification[]> {
    const got: Notification[] = [];
    return new Promise((resolve) => {
      workspace.onNotify((notification) => {
        got.push(notification);
        if (got.length === expected) resolve(got);
      });
    });
  }

  it('reach each program once, in order, from when it started listening', async () => {
    const sandbox = makeSandbox();
    const [one, two] = [sandbox.open(), sandbox.open()];
    const store = await one.store();
    const human = enrolledHuman(one);
    await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Work' });
    await raiseQuestion(store, agent(), { ...question, text: 'Before?', mode: 'async' });
    const notices = [collect(one, 8), collect(two, 8)];
    two.onChange(() => undefined);
    await raiseQuestion(store, agent(), { ...question, work: 'T1', choices: [{ label: 'Left' }] });
    await decide(one, human, 'Q-2', { kind: 'answer', answer: { text: 'at the oak', choices: ['Left'] } });
    await recordOffer(store, agent(), ['Q-2'], false);
    await acknowledgeOffered(store, agent());
    await raiseQuestion(store, agent(), { ...question, text: 'Second?', mode: 'async' });
    await decide(one, human, 'Q-3', cancel);
    await decide(one, human, 'Q-1', release);
    await raiseQuestion(store, agent(), { ...question, text: 'Third?' });
    writeByHand(sandbox.journal, [
      {
        kind: 'question.answered',
        v: 1,
        id: 'Q-4',
        answer: { text: 'forged' },
        envelope: {
          payloadType: 'application/vnd.holdpoint.decision+json',
          payload: '',
          signatures: [{ keyid: zeros, sig: '' }],
        },
      },
    ]);
    sandbox.clock.now += 73 * hour;
    await sweep(store);
    const expected = [
      'blocker_created Q-2 SYNC T1 copilot-001 Which way?',
      'blocker_resolved Q-2 proceed Left: at the oak',
      'agent_resumed Q-2',
      'blocker_created Q-3 ASYNC null copilot-001 Second?',
      'blocker_cancelled Q-3 Not wanted any more.',
      'blocker_released Q-1 Take the simple way.',
      'blocker_created Q-4 SYNC null copilot-001 Third?',
      'blocker_expired Q-4',
    ];
    for (const notifications of await Promise.all(notices)) assert.deepEqual(notifications.map(line), expected);
  });

  function line(notification: Notification): string {
    if (!('blocker_id' in notification)) return `${notification.type} ${notification.rfc_id}`;
    const head = `${notification.type} ${notification.blocker_id}`;
    switch (notification.type) {
      case 'blocker_created':
        return `${head} ${notification.blocker_type} ${String(notification.task_id)} ${notification.agent_id} ${notification.question}`;
      case 'blocker_resolved':
        return `${head} ${notification.effect} ${notification.answer}`;
      case 'blocker_cancelled':
        return `${head} ${notification.reason}`;
      case 'blocker_released':
        return `${head} ${notification.note}`;
      case 'blocker_withdrawn':
      case 'refusal_lifted':
        return `${head} ${notification.reason}`;
      case 'blocker_asked_back':
        return `${head} ${notification.agent_id} ${notification.question}`;
      case 'blocker_replied':
        return `${head} ${notification.agent_id} ${notification.reply}`;
      case 'blocker_parked':
        return `${head} ${notification.agent_id}`;
      case 'blocker_expired':
      case 'agent_resumed':
        return head;
    }
  }
});
