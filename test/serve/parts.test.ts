/** Codes, sessions and limits over time. */
import assert from 'node:assert/strict';
import { createCodes, createSessions } from '../../src/serve/security/sessions.ts';
import { createLimit } from '../../src/serve/security/guard.ts';
import { createSender } from '../../src/serve/routes/pages.ts';

const minute = 60_000;

describe('a one-time code', () => {
  it('opens one session, however it is typed', () => {
    const codes = createCodes(() => 0);
    const code = codes.issue();
    assert.equal(codes.redeem(code.toLowerCase().replaceAll('-', ' ')), true);
    assert.equal(codes.redeem(code), false);
  });

  it('ends after five minutes', () => {
    let now = 0;
    const codes = createCodes(() => now);
    const [one, other] = [codes.issue(), codes.issue()];
    now = 5 * minute - 1;
    assert.equal(codes.redeem(one), true);
    now = 5 * minute;
    assert.equal(codes.redeem(other), false);
  });

  it('has sixty bits or nearly so, and no letter twice in the alphabet', () => {
    const codes = createCodes(() => 0);
    const seen = new Set(Array.from({ length: 500 }, () => codes.issue()));
    assert.equal(seen.size, 500);
    for (const code of seen) assert.match(code, /^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/);
  });
});

describe('a session', () => {
  it('ends after two idle hours, and after twelve in any case', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const idle = sessions.open(null, undefined);
    now = 120 * minute + 1;
    assert.equal(sessions.find(idle), null);
    const busy = sessions.open(null, undefined);
    for (let turn = 0; turn < 7; turn += 1) {
      now += 100 * minute;
      assert.notEqual(sessions.find(busy), null);
    }
    now += 100 * minute;
    assert.equal(sessions.find(busy), null);
  });

  it('ends as well where a stream only asks whether it is open, which renews nothing', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const secret = sessions.open(null, undefined);
    const session = sessions.find(secret);
    assert.ok(session);
    for (now = 0; now <= 120 * minute; now += 10 * minute) assert.equal(sessions.isOpen(session), true);
    now = 120 * minute + 1;
    assert.equal(sessions.isOpen(session), false);
    const other = sessions.find(sessions.open(null, undefined));
    assert.ok(other);
    assert.equal(sessions.isOpen(other), true);
    const ended = sessions.open(null, undefined);
    const known = sessions.find(ended);
    sessions.end(ended);
    assert.ok(known);
    assert.equal(sessions.isOpen(known), false);
  });

  it('is over after twelve hours for a stream, too', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const secret = sessions.open(null, undefined);
    const session = sessions.find(secret);
    assert.ok(session);
    for (; now < 12 * 60 * minute; now += 60 * minute) assert.notEqual(sessions.find(secret), null);
    assert.equal(sessions.isOpen(session), true);
    now += 1;
    assert.equal(sessions.isOpen(session), false);
  });

  it('gets a new id at each login, and the earlier one ends', () => {
    const sessions = createSessions(() => 0);
    const first = sessions.open(null, undefined);
    const second = sessions.open('a'.repeat(64), first);
    assert.notEqual(first, second);
    assert.equal(sessions.find(first), null);
    assert.equal(sessions.find(second)?.keyid, 'a'.repeat(64));
  });

  it('does not keep more than some hundred others', () => {
    const sessions = createSessions(() => 0);
    const first = sessions.open(null, undefined);
    for (let turn = 0; turn < 300; turn += 1) sessions.open(null, undefined);
    assert.equal(sessions.find(first), null);
  });
});

describe('a limit', () => {
  it('allows a burst, then as many as its rate', () => {
    let now = 0;
    const may = createLimit({ burst: 3, perMinute: 6, clock: () => now });
    assert.deepEqual([may('a'), may('a'), may('a'), may('a')], [true, true, true, false]);
    assert.equal(may('b'), true);
    now = 10_000;
    assert.deepEqual([may('a'), may('a')], [true, false]);
  });
});

describe('the queue for a client that reads nothing', () => {
  const closedAfter = (...lengths: readonly number[]): boolean => {
    let isClosed = false;
    const sender = createSender(
      () => new Promise(() => undefined),
      () => {
        isClosed = true;
      },
    );
    for (const length of lengths) void sender.send('x'.repeat(length));
    return isClosed;
  };

  it('is limited to a few million characters, and a longer message can be sent alone', () => {
    assert.equal(closedAfter(2_000_000, 2_000_000), false);
    assert.equal(closedAfter(2_000_000, 2_000_001), true);
    assert.equal(closedAfter(6_000_000), false);
    assert.equal(closedAfter(6_000_000, 1), true);
  });
});

/** How pages share what they show. */
