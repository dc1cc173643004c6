/** The log of reminders when it becomes long: what still waits is kept, and so is what other programs add meanwhile. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { remindersFolder, writeReminderSettings } from '../../../src/app/waiting/reminderFiles.ts';
import { openReminderLease } from '../../../src/app/waiting/reminderLease.ts';
import { openReminderLog } from '../../../src/app/waiting/reminderLog.ts';
import type { Delivery } from '../../../src/app/waiting/reminderLog.ts';
import { openReminderSender } from '../../../src/app/waiting/reminderSender.ts';
import type { ReminderSender, SenderOptions } from '../../../src/app/waiting/reminderSender.ts';
import type { Programs } from '../../../src/store/journal/programs.ts';
import { agent, cancel, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const day = 24 * 60 * minute;
const megabytes = 1024 * 1024;
const running: Programs = { self: { pid: process.pid, started: null, noted: 0 }, isRunning: () => true };

describe('the log of reminders', () => {
  let sandbox: Sandbox;
  const senders: ReminderSender[] = [];
  const sent: string[] = [];
  beforeEach(() => {
    sandbox = makeSandbox();
    sent.length = 0;
  });
  afterEach(() => {
    for (const sender of senders.splice(0)) sender.close();
    removeSandboxes();
  });

  const machine = () =>
    ({
      fs: realFs,
      env: {},
      platform: 'linux',
      home: sandbox.home,
      clock: () => sandbox.clock.now,
      newId: randomUUID,
    }) as const;
  const place = (files = realFs) => ({ ...machine(), fs: files, userFolder: sandbox.userFolder });
  const file = () => path.join(remindersFolder(sandbox.userFolder), 'deliveries.jsonl');
  /** Bytes of all of its files. */
  const size = () =>
    fs
      .globSync(path.join(remindersFolder(sandbox.userFolder), 'deliveries*.jsonl'))
      .reduce((sum, each) => sum + fs.statSync(each).size, 0);
  const claims = () => path.join(remindersFolder(sandbox.userFolder), 'claims');
  const entry = (id: string, more: Partial<Delivery> = {}): Delivery => ({
    ...{ at: new Date(sandbox.clock.now).toISOString(), channel: 'desk', workspace: 'w', id, name: id },
    ...{ status: 'delivered', attempt: 1, why: null, next: null, ...more },
  });
  const names = () =>
    openReminderLog(place())
      .latest()
      .map(({ name }) => name);

  function fill(lines: readonly Delivery[]): void {
    fs.mkdirSync(path.dirname(file()), { recursive: true });
    fs.appendFileSync(file(), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** Another program of this machine, with a channel that notes what it gets. */
  async function pass(lease?: SenderOptions['lease']): Promise<void> {
    const sender = openReminderSender({
      ...machine(),
      ...{ role: 'remind', programs: running, lease },
      channels: () => [
        {
          name: 'desk',
          send({ reminders }) {
            sent.push(...reminders.map(({ name }) => name));
            return Promise.resolve({ outcome: 'delivered' });
          },
        },
      ],
    });
    senders.push(sender);
    await sender.pass();
    assert.equal(sender.status().problem, null);
    sender.close();
  }

  it('keeps what was sent of items that still wait, however much was sent since', async () => {
    const rules = { critical: { first: 0, every: 0 } };
    const channels = [{ name: 'desk', type: 'webhook', format: 'slack' }] as const;
    writeReminderSettings(place(), { v: 1, channels: [...channels], rules });
    const workspace = sandbox.open();
    const ada = enrolledHuman(workspace);
    const asked = { type: 'decision', urgency: 'critical', mode: 'sync', work: null } as const;
    for (const text of ['Which port?', 'JWT or sessions?'])
      await raiseQuestion(await workspace.store(), agent(), { ...asked, text });
    sandbox.clock.now += minute;
    await pass();
    assert.deepEqual(sent.sort(), ['Q-1', 'Q-2']);
    await decide(workspace, ada, 'Q-2', cancel);
    const id = workspace.standing().state?.workspace?.id ?? '';
    fill(Array.from({ length: 15_000 }, (_, nr) => entry(`Q-${String(nr + 10)}`, { workspace: id })));
    assert.ok(fs.statSync(file()).size > 2 * megabytes);
    sandbox.clock.now += 2 * day;
    await pass();
    await pass();
    assert.deepEqual(sent.sort(), ['Q-1', 'Q-1-expired', 'Q-2'], 'each occasion is sent once');
    assert.ok(size() < megabytes);
    const log = openReminderLog(place());
    const of = { channel: 'desk', workspace: id };
    assert.equal(log.find({ ...of, name: 'Q-1' })?.status, 'delivered');
    assert.equal(log.claim({ ...of, name: 'Q-1', attempt: 1 }), false, 'the claim is kept too');
    assert.equal(log.find({ ...of, name: 'Q-2' }), undefined, 'the question was decided');
    assert.equal(log.find({ ...of, name: 'Q-15009' })?.status, 'delivered', 'the last lines stay for the overview');
  });

  it('is shortened by a program that sends without the lease too, if no other has it', async () => {
    fill(Array.from({ length: 15_000 }, (_, nr) => entry(`Q-${String(nr)}`)));
    sandbox.clock.now += 91 * day;
    const reminding = openReminderLease({ ...place(), role: 'editor', programs: running });
    assert.ok(reminding.hold());
    const always = { hold: () => true, release: () => undefined };
    await pass(always);
    assert.ok(fs.statSync(file()).size > 2 * megabytes);
    reminding.release();
    await pass(always);
    assert.equal(names().length, 500);
    assert.ok(reminding.hold(), 'the lease is free again');
    reminding.release();
  });

  it('may stay long while that many items wait, and is then not written again each time', () => {
    const waiting = Array.from({ length: 15_000 }, (_, nr) => entry(`Q-${String(nr)}`));
    fill([...waiting, ...waiting]);
    const log = openReminderLog(place());
    assert.ok(log.isLong);
    log.shorten(() => false);
    assert.ok(size() > 2 * megabytes);
    assert.ok(!log.isLong);
    assert.deepEqual(
      names(),
      waiting.map(({ name }) => name),
    );
  });

  it('keeps a line that another program adds before the new file is there, and one that it adds after', () => {
    fill([entry('Q-1'), entry('Q-2')]);
    const other = openReminderLog(place());
    const renameSync: typeof fs.renameSync = (from, to) => {
      other.add(entry('Q-3', { status: 'sending' }));
      fs.renameSync(from, to);
      other.add(entry('Q-4', { status: 'sending' }));
    };
    openReminderLog(place({ ...realFs, renameSync })).shorten(() => false);
    assert.deepEqual(names().sort(), ['Q-1', 'Q-2', 'Q-3', 'Q-4']);
  });

  it('keeps a line of a program that had opened the file before it was replaced', () => {
    fill([entry('Q-1')]);
    let replaced = 0;
    const writeSync = ((descriptor: number, bytes: Buffer) => {
      if (replaced++ < 2) openReminderLog(place()).shorten(() => false);
      return fs.writeSync(descriptor, bytes);
    }) as typeof fs.writeSync;
    openReminderLog(place({ ...realFs, writeSync })).add(entry('Q-2'));
    assert.deepEqual(names().sort(), ['Q-1', 'Q-2']);
  });

  it('is shortened where no open file can be replaced or removed, as on Windows', () => {
    fill([entry('Q-1'), entry('Q-1', { status: 'failed' }), entry('Q-2')]);
    const reader = openReminderLog(place());
    assert.equal(reader.latest().length, 2);
    const open = new Map<number, string>();
    const refuse = (name: fs.PathLike) => {
      if ([...open.values()].includes(String(name)))
        throw Object.assign(new Error(`EPERM: ${String(name)}`), { code: 'EPERM' });
    };
    const onWindows = {
      ...realFs,
      openSync: ((name: fs.PathLike, ...how: [string, number]) => {
        const descriptor = fs.openSync(name, ...how);
        open.set(descriptor, String(name));
        return descriptor;
      }) as typeof fs.openSync,
      closeSync(descriptor: number) {
        open.delete(descriptor);
        fs.closeSync(descriptor);
      },
      renameSync(from: fs.PathLike, to: fs.PathLike) {
        refuse(to);
        fs.renameSync(from, to);
      },
      rmSync(name: fs.PathLike, how?: fs.RmOptions) {
        refuse(name);
        fs.rmSync(name, how);
      },
    };
    const log = openReminderLog(place(onWindows));
    for (const turn of [1, 2, 3]) {
      log.shorten(({ id }) => id === 'Q-9');
      log.add(entry(`Q-${String(turn + 2)}`));
    }
    assert.deepEqual(names(), ['Q-1', 'Q-2', 'Q-3', 'Q-4', 'Q-5']);
    assert.equal(reader.latest()[0]?.status, 'failed');
  });

  it('loses nothing when the program ends while it shortens the log', () => {
    for (const step of [1, 2, 3, 4]) {
      fs.rmSync(path.dirname(file()), { recursive: true, force: true });
      fill([entry('Q-1'), entry('Q-2')]);
      let left = step;
      const crashing =
        <Args extends unknown[], Result>(act: (...args: Args) => Result) =>
        (...args: Args): Result => {
          if (left-- === 0) throw new Error('crash');
          return act(...args);
        };
      const dying = {
        ...realFs,
        renameSync: crashing(fs.renameSync),
        writeSync: crashing(fs.writeSync) as typeof fs.writeSync,
        rmSync: crashing(fs.rmSync),
      };
      try {
        openReminderLog(place(dying)).shorten(() => false);
      } catch (error) {
        assert.equal((error as Error).message, 'crash');
      }
      openReminderLog(place()).add(entry('Q-3'));
      assert.deepEqual(names(), ['Q-1', 'Q-2', 'Q-3'], `step ${String(step)}`);
      openReminderLog(place()).shorten(() => false);
      assert.deepEqual(names(), ['Q-1', 'Q-2', 'Q-3'], `step ${String(step)}, again`);
    }
  });

  it('keeps a claim whose line is not there yet, and removes old ones without a line', () => {
    fill([entry('Q-1')]);
    const log = openReminderLog(place());
    const of = (name: string) => ({ channel: 'desk', workspace: 'w', name, attempt: 1 });
    assert.ok(log.claim(of('Q-8')));
    const [old = ''] = fs.readdirSync(claims());
    const before = (Date.now() - 2 * day) / 1_000;
    fs.utimesSync(path.join(claims(), old), before, before);
    for (const name of ['Q-1', 'Q-9']) assert.ok(log.claim(of(name)));
    log.shorten(() => false);
    assert.equal(log.claim(of('Q-9')), false, 'another program is about to send it');
    assert.equal(log.claim(of('Q-1')), false);
    assert.equal(log.claim(of('Q-8')), true);
  });
});
