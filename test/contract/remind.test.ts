/** `holdpoint remind` as a program of its own: killed while it sends, another takes over, and nothing is sent twice. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../src/app/question/questions.ts';
import { writeReminderSettings, writeWebhook } from '../../src/app/waiting/reminderFiles.ts';
import { root } from '../support/host.ts';
import { ok, startReceiver, type Receiver } from '../support/receiver.ts';
import { agent } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const cli = path.join(root, 'dist', 'cli.cjs');

function startRemind({ folder, home }: Sandbox): ChildProcess {
  return spawn(process.execPath, [cli, 'remind'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('holdpoint remind', function () {
  this.timeout(240_000);
  let receiver: Receiver;
  const children: ChildProcess[] = [];
  const start = (sandbox: Sandbox) => {
    const child = startRemind(sandbox);
    children.push(child);
    return child;
  };

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    removeSandboxes();
    await receiver.close();
  });

  it('takes over from one that was killed while it sent, and sends nothing twice', async () => {
    const sandbox = makeSandbox();
    sandbox.clock.now = Date.now();
    const workspace = sandbox.open();
    const ask = async (text: string) => {
      const asked = { text, type: 'decision', urgency: 'critical', mode: 'sync', work: null } as const;
      await raiseQuestion(await workspace.store(), agent(), asked);
    };
    await ask('First?');
    const place = { ...workspace.options, userFolder: sandbox.userFolder };
    writeReminderSettings(place, {
      v: 1,
      rules: { critical: { first: 0, every: 0 } },
      channels: [{ name: 'chat', type: 'webhook', format: 'json' }],
    });
    writeWebhook(place, 'chat', receiver.address);
    receiver.answer = () => undefined; // it never hears whether the message arrived
    const killed = start(sandbox);
    const second = start(sandbox);
    await until('the first message arrives', () => receiver.bodies.length === 1);
    const folder = path.join(sandbox.userFolder, 'reminders');
    const leaseHolder = () => {
      const [lease = ''] = readdirSync(folder).filter((name) => name.startsWith('sender.'));
      return (JSON.parse(readFileSync(path.join(folder, lease), 'utf8')) as { pid: number }).pid;
    };
    const holder = leaseHolder();
    const [first, other] = killed.pid === holder ? [killed, second] : [second, killed];
    assert.equal(first.pid, holder);
    receiver.answer = ok;
    first.kill('SIGKILL');
    await once(first, 'exit');
    await ask('Second?');
    await until('the other program sends', () => receiver.bodies.some((body) => body.includes('Second?')));
    assert.equal(leaseHolder(), other.pid);
    assert.equal(receiver.bodies.filter((body) => body.includes('First?')).length, 1);
  });
});
