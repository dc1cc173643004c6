/** The typed client and its example against the running program. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { connect, HoldpointError, type Holdpoint, type HoldpointEvent } from '../../client/client.ts';
import { root } from '../support/host.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { newToken, startServe, type Served } from './program.ts';

describe('the client', () => {
  let served: Served;
  let workspace: Workspace;
  let human: Human;
  let token = '';
  let holdpoint: Holdpoint;
  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
    token = await newToken(served, 'engine', 'engine-001');
    holdpoint = connect({ url: served.origin, token });
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const earlier: string[] = [];
  const raise = async (question: string) => {
    const asked = await holdpoint.call('create_blocker', { question });
    assert.ok('id' in asked);
    earlier.push(asked.id);
    return asked.id;
  };

  it('calls with the names of the document, in paths, queries and bodies', async () => {
    await holdpoint.call('register_work', { id: 'a/b#1', title: 'Slash and hash' });
    const { work } = await holdpoint.call('list_work', { id: 'a/b#1' });
    assert.deepEqual('title' in work && work.title, 'Slash and hash');
    const id = await raise('Which way?');
    assert.equal((await holdpoint.call('get_blocker', { id })).question, 'Which way?');
    assert.equal((await holdpoint.call('list_blockers', { status: 'PENDING', limit: 1 })).total, 1);
    const gate = await holdpoint.call('check_gate', { files: ['a.txt'] });
    assert.deepEqual([gate.verdict, gate.result], ['deny', 'denied'], 'a denial is an answer, not an error');
  });

  it('throws what was wrong and what to do', async () => {
    await assert.rejects(holdpoint.call('get_blocker', { id: 'Q-99' }), (error: unknown) => {
      assert.ok(error instanceof HoldpointError);
      assert.deepEqual([error.problem.status, error.problem.blocker_id], [404, 'Q-99']);
      return true;
    });
    const wrong = connect({ url: served.origin, token: 'hpt_wrong' });
    await assert.rejects(wrong.events().next(), { name: 'HoldpointError' });
  });

  it('goes on with its events over a killed server', async () => {
    const stop = new AbortController();
    const seen: HoldpointEvent[] = [];
    const reading = (async () => {
      for await (const event of holdpoint.events({ since: '0', signal: stop.signal })) seen.push(event);
    })();
    const first = await raise('Before?');
    const has = (id: string) => seen.some((event) => 'blocker_id' in event && event.blocker_id === id);
    await until('the first', () => has(first));
    const { port } = new URL(served.origin);
    await served.kill();
    served = await startServe(served.sandbox, ['--port', port]);
    const second = await raise('After?');
    await until('the second', () => has(second));
    stop.abort();
    await reading;
    assert.equal(new Set(seen.map(({ position }) => position)).size, seen.length, 'none came twice');
  });

  describe('in the example', () => {
    const file = () => served.sandbox.at('parked.json');

    function runStep(question: string): { readonly child: ChildProcess; readonly said: () => string } {
      const args = [path.join(root, 'examples', 'parkedStep.ts'), served.origin, file(), question];
      const child = spawn(process.execPath, args, {
        env: { PATH: process.env['PATH'], HOLDPOINT_TOKEN: token },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      return { child, said: () => text };
    }

    async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      if (signal) child.kill(signal);
      await exit;
    }

    it('a step asks, parks, is killed, and is called back when a human has answered', async () => {
      // They hold the same session.
      for (const id of earlier) await decide(workspace, human, id, { kind: 'cancel', reason: 'Not needed.' });
      const first = runStep('Deploy version 7?');
      await until('it has parked', () => /parked on Q-\d+/.test(first.said()));
      await end(first.child, 'SIGKILL');
      const { blocker } = JSON.parse(fs.readFileSync(file(), 'utf8')) as { blocker: string };
      await decide(workspace, human, blocker, { kind: 'answer', answer: { choices: ['Yes'] } });
      const second = runStep('Deploy version 7?');
      await end(second.child);
      assert.match(second.said(), /^the step runs: Yes/);
      assert.equal(fs.existsSync(file()), false);
      const seen: string[] = [];
      for await (const event of holdpoint.events({ since: '0' })) {
        if ('blocker_id' in event && event.blocker_id === blocker) seen.push(event.type);
        if (event.type === 'agent_resumed') break;
      }
      assert.deepEqual(seen, ['blocker_created', 'blocker_resolved', 'agent_resumed']);
    });

    it('a step does not run after a no', async () => {
      const step = runStep('Delete the data?');
      await until('it has parked', () => /parked on Q-\d+/.test(step.said()));
      const blocker = /Q-\d+/.exec(step.said())?.[0] ?? '';
      await decide(workspace, human, blocker, { kind: 'answer', answer: { text: 'Keep it.', choices: ['No'] } });
      await end(step.child);
      assert.match(step.said(), /the step does not run: refused/);
    });
  });
});
