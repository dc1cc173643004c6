/** The log of reminders, when it becomes long or cannot be read. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { remindersFolder } from '../../../src/app/waiting/reminderFiles.ts';
import { openReminderLog, type Delivery } from '../../../src/app/waiting/reminderLog.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

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
