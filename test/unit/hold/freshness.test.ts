import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  currentMs,
  freshness,
  freshnessFor,
  isStrictIn,
  lengthOf,
  type Confirmed,
  type Freshness,
} from '../../../src/core/hold/freshness.ts';

const minute = 60_000;
const started = Date.parse('2026-03-02T09:00:00.000Z');
const at = (ms: number, up: number | null = ms): Confirmed => ({ at: started + ms, up });
const asked = (confirmed: Confirmed | null, now: Confirmed, leaseMs = minute, shared = true): Freshness =>
  freshness({ shared, confirmed, now, leaseMs });

describe('the freshness of a copy', () => {
  it('does not matter on a journal of this machine', () => {
    assert.deepEqual(asked(null, at(0), minute, false), { state: 'local' });
  });

  it('is current for five seconds, offline until the lease ends, and unknown after it', () => {
    const since = '2026-03-02T09:00:00.000Z';
    assert.deepEqual(asked(at(0), at(5_000)), { state: 'current' });
    assert.deepEqual(asked(at(0), at(5_001)), { state: 'offline', since });
    assert.deepEqual(asked(at(0), at(minute)), { state: 'offline', since });
    assert.deepEqual(asked(at(0), at(minute + 1)), { state: 'unknown', since, why: 'lease' });
    assert.deepEqual(asked(at(0), at(5_001), 0), { state: 'unknown', since, why: 'lease' });
  });

  it('is unknown without a confirmation, or when the server has other lines', () => {
    assert.deepEqual(asked(null, at(0)), { state: 'unknown', since: null, why: 'never' });
    assert.equal(asked({ ...at(0), forked: true }, at(1)).state, 'unknown');
  });

  it('is unknown when either clock shows less than at the confirmation', () => {
    const why = (found: Freshness) => found.state === 'unknown' && found.why;
    assert.equal(why(asked(at(10, 10), at(9, 20))), 'clock', 'set back, or a time in the future');
    assert.equal(why(asked(at(10, 10), at(20, 9))), 'clock', 'the machine has restarted');
  });

  it('counts the longer time when the clocks disagree', () => {
    const set = at(0, 0);
    assert.equal(asked(set, at(1_000, 2 * minute)).state, 'unknown', 'set back by nearly as much as has passed');
    assert.equal(asked(set, at(2 * minute, 1_000)).state, 'unknown', 'set forward');
    assert.equal(asked(set, at(1_000, null)).state, 'current', 'only one clock is known');
  });

  it('is never current or offline unless both clocks prove it, for any reading and lease', () => {
    const reading = fc.oneof(
      fc.integer({ min: -2 * minute, max: 2 * minute }),
      fc.double(),
      fc.constantFrom(Number.NaN, Infinity, -Infinity, 8.64e15, 8.65e15),
    );
    const moment = fc.record({ at: reading, up: fc.option(reading) });
    fc.assert(
      fc.property(fc.option(moment), moment, reading, fc.boolean(), (confirmed, now, leaseMs, forked) => {
        const found = asked(confirmed && { ...confirmed, forked }, now, leaseMs);
        assert.notEqual(found.state, 'local');
        if (found.state === 'unknown') return;
        assert.ok(confirmed !== null && !forked);
        const most = found.state === 'current' ? currentMs : leaseMs;
        const age = now.at - confirmed.at;
        assert.ok(age >= 0 && age <= most, `${String(age)} ms by the clock`);
        if (now.up === null || confirmed.up === null) return;
        const longer = now.up - confirmed.up;
        assert.ok(longer >= 0 && longer <= most, `${String(longer)} ms since the start`);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the lease', () => {
  const lease = { seconds: 60, strictGlobs: ['payments/**', 'src/*.sql'] };

  it('lasts as long as the policy says, or until the server answers', () => {
    assert.equal(lengthOf(lease), minute);
    assert.equal(lengthOf({ ...lease, after: 'deny' }), minute);
    assert.equal(asked(at(0), at(100 * minute), lengthOf({ ...lease, after: 'allow' })).state, 'offline');
  });

  it('is none for a strict glob, for what is in it and for a folder around it', () => {
    for (const file of ['payments', 'payments/api/a.ts', 'src/a.sql', 'src', '.'])
      assert.ok(isStrictIn(lease, file, false), file);
    const wild = { ...lease, strictGlobs: ['**/*.sql'] };
    assert.deepEqual([isStrictIn(wild, 'db', false, true), isStrictIn(wild, 'db', false)], [true, false]);
    for (const file of ['paymentsOld/a.ts', 'src/a.ts']) assert.ok(!isStrictIn(lease, file, false), file);
  });

  it('ignores case where the file system does', () => {
    assert.ok(!isStrictIn(lease, 'PAYMENTS/a.ts', false));
    assert.ok(isStrictIn(lease, 'PAYMENTS/a.ts', true));
  });

  it('ends only an outage: what is current, local or unknown stays so', () => {
    const since = '2026-03-02T09:00:00.000Z';
    const offline = { state: 'offline', since } as const;
    assert.deepEqual(freshnessFor(offline, true), { state: 'unknown', since, why: 'strict' });
    assert.equal(freshnessFor(offline, false), offline);
    assert.deepEqual(freshnessFor({ state: 'current' }, true), { state: 'current' });
    assert.deepEqual(freshnessFor({ state: 'local' }, true), { state: 'local' });
  });
});
