/** Reminders on real stores, through a real server on loopback and real programs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { remindersFolder, writeReminderSettings, writeWebhook } from '../../../src/app/waiting/reminderFiles.ts';
import {
  type Delivery,
  openReminderLog,
  openReminderSender,
  type SenderRole,
  reminderOverview,
} from '../../../src/app/waiting/reminderSender.ts';
import type { Interruptions } from '../../../src/core/records/policy.ts';
import { checkPrinted } from '../../support/outputs.ts';
import { commandChannel, webhookChannel } from '../../../src/channels/reminding.ts';
import type { Programs } from '../../../src/store/journal/programs.ts';
import { ok, type Receiver, startReceiver, status } from '../../support/receiver.ts';
import { agent, decide, enrolledHuman, signedBy } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { runCli } from '../../support/store/runCli.ts';

const running: Programs = { self: { pid: process.pid, started: null, noted: 0 }, isRunning: () => true };

/** Long, as tests must not depend on how fast the machine is. */
const usualTimeoutMs = 20_000;

let timeoutMs = usualTimeoutMs;

const machineOf = ({ home, clock }: Sandbox) =>
  ({ fs: realFs, env: {}, platform: 'linux', home, clock: () => clock.now, newId: randomUUID }) as const;

const placeOf = (sandbox: Sandbox) => ({ ...machineOf(sandbox), userFolder: sandbox.userFolder });

function senderOf(sandbox: Sandbox, role: SenderRole = 'remind', programs = running) {
  return openReminderSender({
    ...machineOf(sandbox),
    role,
    programs,
    channels: ({ channels }, webhooks) =>
      channels.map((one) =>
        one.type === 'webhook'
          ? webhookChannel({ ...one, address: webhooks.get(one.name), timeoutMs })
          : commandChannel({ ...one, home: sandbox.home, env: {}, timeoutMs }),
      ),
  });
}

function setUp(sandbox: Sandbox, address: string, more: object = {}): void {
  const channels = [{ name: 'chat', type: 'webhook', format: 'slack' }] as const;
  writeReminderSettings(placeOf(sandbox), { v: 1, channels: [...channels], ...more });
  writeWebhook(placeOf(sandbox), 'chat', address);
}

async function ask(sandbox: Sandbox, text = 'JWT or sessions?', urgency: 'critical' | 'high' = 'critical') {
  const asked = { text, type: 'decision', urgency, mode: 'sync', work: null } as const;
  return (await raiseQuestion(await sandbox.open().store(), agent(), asked)).question.id;
}

async function cli(sandbox: Sandbox, ...argv: readonly string[]): Promise<{ code: number; out: readonly string[] }> {
  const { code, said } = await runCli(sandbox, argv);
  return { code, out: said };
}

const sent = (sandbox: Sandbox) =>
  openReminderLog(placeOf(sandbox))
    .latest()
    .filter(({ status: now }) => now !== 'replaced')
    .map(({ name, status: now, attempt, why }) => ({ name, status: now, attempt, why }));

describe('reminders', () => {
  let receiver: Receiver;
  const senders: ReturnType<typeof openReminderSender>[] = [];
  const open = (...given: Parameters<typeof senderOf>) => {
    const sender = senderOf(...given);
    senders.push(sender);
    return sender;
  };

  beforeEach(async () => {
    timeoutMs = usualTimeoutMs;
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) sender.close();
    removeSandboxes();
    await receiver.close();
  });

  it('arrive once, then as often as the rules say, over restarts', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address);
    const first = open(sandbox);
    await first.pass();
    await first.pass();
    assert.equal(receiver.bodies.length, 1);
    assert.match(receiver.bodies[0] ?? '', /copilot-001 asks Q-1.*JWT or sessions\?/);
    first.close();
    const second = open(sandbox);
    await second.pass();
    assert.equal(receiver.bodies.length, 1, 'not again after a restart');
    sandbox.clock.now += 5 * minute;
    await second.pass();
    await second.pass();
    assert.equal(receiver.bodies.length, 2);
    assert.match(receiver.bodies[1] ?? '', /Still waiting/);
    assert.deepEqual(
      sent(sandbox).map((one) => [one.name, one.status]),
      [
        ['Q-1', 'delivered'],
        ['Q-1-critical-1', 'delivered'],
      ],
    );
  });

  it('are sent by one program at a time, and never twice by two', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address);
    const all = [open(sandbox), open(sandbox), open(sandbox)];
    await Promise.all(all.map((one) => one.pass()));
    assert.equal(receiver.bodies.length, 1);
    assert.deepEqual(all.map((one) => one.status().isSending).sort(), [false, false, true]);
  });

  it('are left to the program that sends already, until it closes', async () => {
    const sandbox = makeSandbox();
    const remind = open(sandbox);
    const editor = open(sandbox, 'editor');
    for (const one of [remind, editor, remind]) await one.pass();
    assert.deepEqual([remind.status().isSending, editor.status().isSending], [true, false]);
    remind.close();
    await editor.pass();
    assert.equal(editor.status().isSending, true);
  });

  it('keep what was sent of items that still wait, and forget the rest when much was sent', async () => {
    const sandbox = makeSandbox();
    const human = enrolledHuman(sandbox.open());
    for (const text of ['Which port?', 'JWT or sessions?']) await ask(sandbox, text);
    setUp(sandbox, receiver.address, { rules: { critical: { first: 0, every: 0 } } });
    await open(sandbox).pass();
    senders[0]?.close();
    await decide(sandbox.open(), human, 'Q-2');
    const workspace = sandbox.open().standing().state?.workspace?.id ?? '';
    const at = new Date(sandbox.clock.now).toISOString();
    const log = openReminderLog(placeOf(sandbox));
    log.add(
      ...Array.from({ length: 2_500 }, (_, number) => ({
        ...{ at, channel: 'chat', workspace, id: `Q-${String(number + 10)}`, name: `Q-${String(number + 10)}` },
        ...{ status: 'delivered' as const, attempt: 1, why: null, next: null },
      })),
    );
    sandbox.clock.now += 2 * 24 * 60 * minute;
    await open(sandbox).pass();
    const kept = openReminderLog(placeOf(sandbox));
    const of = { channel: 'chat', workspace };
    assert.ok(kept.latest().length < 600);
    assert.equal(kept.find({ ...of, name: 'Q-1' })?.status, 'delivered');
    assert.equal(kept.find({ ...of, name: 'Q-2' }), undefined, 'the question was decided');
    assert.equal(receiver.bodies.length, 3, 'two questions, and that one has expired');
  });

  it('are taken over from a program that crashed', async () => {
    const sandbox = makeSandbox();
    const crashed = senderOf(sandbox);
    await crashed.pass();
    const other = open(sandbox, 'remind', { ...running, isRunning: () => false });
    await other.pass();
    assert.equal(other.status().isSending, true);
  });

  it('are tried again with growing pauses, and given up', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address, { rules: { critical: { first: 0, every: 0 } } });
    receiver.answer = status(503);
    const sender = open(sandbox);
    await sender.pass();
    await sender.pass();
    assert.equal(receiver.bodies.length, 1, 'not before its time');
    assert.deepEqual(sent(sandbox), [{ name: 'Q-1', status: 'retrying', attempt: 1, why: 'HTTP status 503' }]);
    for (let time = 0; time < 10; time++) {
      sandbox.clock.now += 30 * minute;
      await sender.pass();
    }
    assert.equal(receiver.bodies.length, 5);
    assert.deepEqual(sent(sandbox), [{ name: 'Q-1', status: 'failed', attempt: 5, why: 'HTTP status 503' }]);
  });

  it('arrive when the receiver works again, also after a restart', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address, { rules: { critical: { first: 0, every: 0 } } });
    receiver.answer = status(500);
    const sender = open(sandbox);
    await sender.pass();
    sender.close();
    receiver.answer = ok;
    sandbox.clock.now += minute;
    await open(sandbox).pass();
    assert.deepEqual(sent(sandbox), [{ name: 'Q-1', status: 'delivered', attempt: 2, why: null }]);
  });

  for (const [what, answer, why] of [
    ['that redirects', status(302, { location: 'http://127.0.0.1:9/' }), 'redirected, which is not followed'],
    ['that refuses', status(404), 'HTTP status 404'],
  ] as const)
    it(`are not tried again at a receiver ${what}`, async () => {
      const sandbox = makeSandbox();
      await ask(sandbox);
      setUp(sandbox, receiver.address);
      receiver.answer = answer;
      await open(sandbox).pass();
      assert.deepEqual(sent(sandbox), [{ name: 'Q-1', status: 'failed', attempt: 1, why }]);
    });

  it('do not wait for a receiver that does not answer, and not for the end of a huge answer', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address);
    receiver.answer = () => undefined;
    timeoutMs = 200;
    await open(sandbox).pass();
    timeoutMs = usualTimeoutMs;
    assert.deepEqual(sent(sandbox)[0]?.why, 'no answer in time');
    let isEndless = true;
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (isEndless && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      response.on('close', () => (isEndless = false));
      more();
    };
    sandbox.clock.now += minute;
    await senders[0]?.pass();
    assert.deepEqual(sent(sandbox)[0]?.status, 'delivered');
  });

  it('of one channel do not wait for another that fails', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    const out = sandbox.at('out');
    setUp(sandbox, receiver.address, {
      channels: [
        { name: 'chat', type: 'webhook', format: 'json' },
        { name: 'bell', type: 'command', argv: ['/bin/sh', '-c', 'printf %s "$HOLDPOINT_TEXT" > "$0"', out] },
      ],
    });
    receiver.answer = status(500);
    await open(sandbox).pass();
    assert.match(fs.readFileSync(out, 'utf8'), /^copilot-001 asks Q-1/);
    assert.deepEqual(new Set(sent(sandbox).map((one) => one.status)), new Set(['delivered', 'retrying']));
  });

  it('give a command the texts of agents as data', async () => {
    const sandbox = makeSandbox();
    const [out, trap] = [sandbox.at('out'), sandbox.at('trap')];
    await ask(sandbox, `$(touch ${trap}) \`touch ${trap}\` "; touch ${trap}; echo "`);
    const argv = [process.execPath, '-e', 'fs.writeFileSync(process.argv[1], process.env.HOLDPOINT_TITLE)', out];
    setUp(sandbox, receiver.address, { channels: [{ name: 'bell', type: 'command', argv }] });
    await open(sandbox).pass();
    assert.match(fs.readFileSync(out, 'utf8'), /^\$\(touch /);
    assert.ok(!fs.existsSync(trap));
  });

  it('say why a command did not work', async () => {
    for (const [argv, why] of [
      [['/no/such/program'], 'not started (ENOENT)'],
      [['sh', '-c', 'true'], 'its program must be an absolute path'],
      [['/bin/sh', '-c', 'exit 7'], 'exit code 7'],
    ] as const) {
      const sandbox = makeSandbox();
      await ask(sandbox);
      setUp(sandbox, receiver.address, { channels: [{ name: 'bell', type: 'command', argv: [...argv] }] });
      await open(sandbox).pass();
      assert.equal(sent(sandbox)[0]?.why, why);
    }
  });

  it('become one message if many are due at once', async () => {
    const sandbox = makeSandbox();
    for (let number = 1; number <= 5; number++) await ask(sandbox, `Number ${String(number)}?`);
    setUp(sandbox, receiver.address);
    const sender = open(sandbox);
    await sender.pass();
    await sender.pass();
    assert.equal(receiver.bodies.length, 1);
    assert.match(receiver.bodies[0] ?? '', /5 questions from copilot-001/);
  });

  describe('by a policy on interruptions', () => {
    const rules = { high: { first: 0, every: 0 }, critical: { first: 0, every: 0 } };

    async function setting(interruptions: Partial<Interruptions>): Promise<Sandbox> {
      const { sandbox, human: signer, store } = await withHuman();
      const urgencies = { critical: 'now', high: 'now', medium: 'now', low: 'now' } as const;
      const all = { urgencies, agents: [], digestMinutes: 30, perHour: 0, ...interruptions };
      const policy = { questionLifeHours: 24, onExpiry: 'expire', interruptions: all } as const;
      await changePolicy(signedBy(store, signer), policy, shownPolicyHash(store.read().state));
      setUp(sandbox, receiver.address, { rules });
      return sandbox;
    }

    it('leave out what is only in the list: by urgency, an agent’s exception or a budget, and by an earlier policy’s digest', async () => {
      const now = { critical: 'now', high: 'now', medium: 'now', low: 'now' } as const;
      for (const silent of [
        { urgencies: { ...now, high: 'silent' } },
        { urgencies: { ...now, high: 'digest' } },
        { urgencies: now, agents: [{ agent: 'copilot', how: 'silent' }] },
      ] satisfies Partial<Interruptions>[]) {
        const sandbox = await setting(silent);
        await ask(sandbox, 'One?', 'high');
        sandbox.clock.now += 60 * minute;
        await open(sandbox).pass();
        assert.equal(receiver.bodies.length, 0);
      }
      const limited = await setting({ urgencies: now, perHour: 1 });
      for (const text of ['Two?', 'Three?', 'Four?']) await ask(limited, text, 'high');
      await ask(limited, 'Stop?');
      await open(limited).pass();
      assert.equal(receiver.bodies.length, 2);
      assert.match(receiver.bodies.join(' '), /Two\?.*Stop\?|Stop\?.*Two\?/s);
    });
  });

  it('never show the address of a webhook', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address);
    receiver.answer = status(500);
    await open(sandbox).pass();
    setUp(sandbox, 'https://no-such-host.invalid/services/SECRET');
    sandbox.clock.now += minute;
    await senders[0]?.pass();
    const overview = reminderOverview(machineOf(sandbox));
    assert.equal(overview.deliveries.length, 1);
    const log = fs.readFileSync(sandbox.at('home', '.local', 'state', 'holdpoint', 'reminders', 'sent.json'), 'utf8');
    for (const text of [JSON.stringify(overview), log, JSON.stringify(senders[0]?.status())])
      assert.ok(!/SECRET|no-such-host|services/.test(text), text);
  });

  it('are sent and listed by the command line', async () => {
    const sandbox = makeSandbox();
    sandbox.clock.now = Date.now();
    await ask(sandbox);
    setUp(sandbox, receiver.address);
    const once = await cli(sandbox, 'remind', '--once');
    assert.deepEqual(once, { code: 0, out: ['Sends reminders.'] });
    assert.equal(receiver.bodies.length, 1);
    for (const argv of [['remind', '--once'], ['reminders']]) {
      const { code, out } = await cli(sandbox, ...argv, '--json');
      assert.equal(code, 0);
      for (const line of out) checkPrinted(line);
    }
    const listed = await cli(sandbox, 'reminders');
    assert.match(listed.out.join('\n'), /chat +Q-1 +new +delivered/);
    fs.writeFileSync(sandbox.at('home', '.local', 'state', 'holdpoint', 'reminders.json'), '{}');
    assert.equal((await cli(sandbox, 'reminders')).code, 2);
  });

  it('go to https and loopback only', () => {
    const sandbox = makeSandbox();
    for (const address of [
      'http://example.org/x',
      'ftp://example.org',
      'https://u:p@example.org',
      'file:///etc/passwd',
      'x',
    ])
      assert.throws(
        () => {
          writeWebhook(placeOf(sandbox), 'chat', address);
        },
        { code: 'bad_input' },
        address,
      );
    writeWebhook(placeOf(sandbox), 'chat', 'https://example.org/x');
    writeWebhook(placeOf(sandbox), 'chat', null);
  });

  it('are not sent with settings that other users can change, or addresses that they can read', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    for (const [name, mode, safe] of [
      ['reminders.json', 0o622, 0o600],
      ['reminders.secrets.json', 0o640, 0o600],
    ] as const) {
      setUp(sandbox, receiver.address);
      const file = sandbox.at('home', '.local', 'state', 'holdpoint', name);
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      fs.chmodSync(file, mode);
      const sender = open(sandbox);
      await sender.pass();
      assert.match(sender.status().problem ?? '', /open to other users/);
      assert.match(reminderOverview(machineOf(sandbox)).problem ?? '', /chmod 600/);
      fs.chmodSync(file, safe);
      sender.close();
    }
    assert.deepEqual(receiver.bodies, []);
  });

  it('are not sent with malformed settings, and nothing of a workspace counts as settings', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    fs.mkdirSync(sandbox.at('ws', '.holdpoint'), { recursive: true });
    fs.writeFileSync(sandbox.at('ws', '.holdpoint', 'reminders.json'), '{"v":1,"channels":[]}');
    setUp(sandbox, receiver.address);
    await open(sandbox).pass();
    assert.equal(receiver.bodies.length, 1);
    fs.writeFileSync(sandbox.at('home', '.local', 'state', 'holdpoint', 'reminders.json'), '{"v":1,"channel":[]}');
    sandbox.clock.now += 5 * minute;
    await senders[0]?.pass();
    assert.equal(receiver.bodies.length, 1);
    assert.match(senders[0]?.status().problem ?? '', /reminders\.json/);
  });

  it('that a killed program was sending are not sent again, and shown as unknown', async () => {
    const sandbox = makeSandbox();
    await ask(sandbox);
    setUp(sandbox, receiver.address, { rules: { critical: { first: 0, every: 0 } } });
    const workspace = sandbox.open().standing().state?.workspace?.id ?? '';
    openReminderLog(placeOf(sandbox)).add({
      ...{ channel: 'chat', workspace, name: 'Q-1', attempt: 1 },
      at: new Date(sandbox.clock.now).toISOString(),
      id: 'Q-1',
      status: 'sending',
      why: null,
      next: null,
    });
    sandbox.clock.now += 5 * minute;
    await open(sandbox).pass();
    assert.deepEqual(receiver.bodies, []);
    assert.equal(reminderOverview(machineOf(sandbox)).deliveries[0]?.status, 'unknown');
  });
});

/** The log of reminders, when it becomes long or cannot be read. */
describe('the log of reminders', () => {
  afterEach(removeSandboxes);

  const place = () =>
    ({ fs: realFs, platform: 'linux', newId: randomUUID, userFolder: makeSandbox().userFolder }) as const;
  const entry = (id: string, more: Partial<Delivery> = {}): Delivery => ({
    ...{ at: '2026-03-02T12:00:00.000Z', channel: 'desk', workspace: 'w', id, name: id },
    ...{ status: 'delivered', attempt: 1, why: null, next: null, ...more },
  });
  const many = (count: number) => Array.from({ length: count }, (_, number) => entry(`Q-${String(number)}`));

  it('keeps the latest of each occasion, for the next program', () => {
    const here = place();
    const log = openReminderLog(here);
    log.add(entry('Q-1', { status: 'sending' }), entry('Q-2'));
    log.add(entry('Q-1'), entry('Q-1', { channel: 'chat', status: 'failed' }));
    assert.deepEqual(openReminderLog(here).latest(), log.latest());
    assert.equal(log.find({ channel: 'desk', workspace: 'w', name: 'Q-1' })?.status, 'delivered');
    assert.equal(log.latest().length, 3);
  });

  it('keeps what can still be due, however much was sent since, and the last ones for lists', () => {
    const here = place();
    const log = openReminderLog(here);
    log.add(...many(2_001));
    assert.ok(log.isLong());
    log.shorten(({ id }) => id !== 'Q-1');
    const kept = openReminderLog(here).latest();
    assert.deepEqual([kept.length, kept[0]?.id, kept.at(-1)?.id], [501, 'Q-1', 'Q-2000']);
  });

  it('may stay long while that many items wait, and is then not shortened each time', () => {
    const log = openReminderLog(place());
    log.add(...many(3_000));
    log.shorten(() => false);
    assert.deepEqual([log.latest().length, log.isLong()], [3_000, false]);
  });

  it('is empty where its file cannot be read, and writable', () => {
    const here = place();
    const file = path.join(remindersFolder(here.userFolder), 'sent.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    for (const bytes of ['[{', '[1]', '{}', '']) {
      fs.writeFileSync(file, bytes);
      const log = openReminderLog(here);
      assert.deepEqual(log.latest(), []);
      log.add(entry('Q-1'));
      assert.equal(openReminderLog(here).latest().length, 1);
    }
  });
});
