/** Digests of a window: over restarts and beside other windows, no notice is lost, and none comes twice. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Interruption } from '../../../src/core/kit/words.ts';
import { openClaims } from '../../../src/vscode/status/claims.ts';
import type { News } from '../../../src/vscode/status/telling.ts';
import { openOutbox, type Outgoing } from '../../../src/vscode/status/notices.ts';

const noon = Date.parse('2026-03-02T12:00:00.000Z');
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();

describe('the outbox of a window', () => {
  let folder: string;
  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'holdpoint-')), 'notified');
  });
  afterEach(() => {
    rmSync(path.dirname(folder), { recursive: true });
  });

  const notice = (id: string, minute: number, how: Interruption = 'digest', decided = new Set<string>()): Outgoing => ({
    ...{ kind: 'question', key: id, critical: false, claim: `w-${id}`, at: at(minute) },
    howNow: () => how,
    isCurrent: () => !decided.has(id),
    tell: () => Promise.resolve(),
  });

  function window() {
    const claims = openClaims(folder);
    const now: string[] = [];
    const digests: string[][] = [];
    const keysOf = (ours: readonly News[]) => ours.flatMap((one) => (one.isCurrent() ? [one.key] : []));
    const outbox = openOutbox(
      {
        news: (all) => {
          now.push(...keysOf(claims.takeAll(all)));
        },
        digest: ({ workspace, now: time }, all) => {
          if (claims.takeDigest(workspace, time)) digests.push(keysOf(claims.takeAll(all)));
        },
      },
      claims,
    );
    const look = (minute: number) => outbox.look('w', { minutes: 30, now: at(minute) });
    return {
      now,
      digests,
      look,
      add: (...all: readonly Outgoing[]) => {
        outbox.add('w', all);
      },
    };
  }

  it('gives at once, keeps the rest for the digest, and claims silent ones without showing them', () => {
    const one = window();
    one.add(notice('a', 0), notice('b', 0, 'now'), notice('c', 0, 'silent'), notice('d', 10));
    assert.equal(one.look(10), at(30));
    assert.deepEqual([one.now, one.digests], [['b'], []]);
    one.look(30);
    assert.deepEqual(one.digests, [['a', 'd']]);
    one.add(notice('e', 31));
    assert.equal(one.look(32), at(61));
    one.look(61);
    assert.deepEqual(one.digests, [['a', 'd'], ['e']]);
    const later = window();
    later.add(notice('c', 0, 'now'));
    later.look(99);
    assert.deepEqual(later.now, [], 'the policy changed after it was silent');
  });

  it('finds the waiting notices again after a restart, repeats none, and keeps the interval', () => {
    const before = window();
    before.add(notice('a', 0), notice('b', 25));
    before.look(30);
    assert.deepEqual(before.digests, [['a', 'b']]);
    before.add(notice('c', 35));
    before.look(36);
    const after = window();
    after.add(notice('a', 0), notice('b', 25), notice('c', 20));
    after.look(40);
    assert.equal(after.look(41), at(60), 'not before 30 minutes after the last');
    after.look(60);
    assert.deepEqual([after.now, after.digests], [[], [['c']]]);
  });

  it('is shown by one of two windows, also if the other had already looked', () => {
    const all = [window(), window()] as const;
    for (const one of all) one.add(notice('a', 0), notice('b', 1));
    for (const one of all) one.look(5);
    for (const one of all) one.look(31);
    for (const one of all) one.look(200);
    assert.deepEqual([all[0].digests, all[1].digests], [[['a', 'b']], []]);
  });

  it('leaves out what was decided meanwhile', () => {
    const decided = new Set<string>();
    const one = window();
    one.add(notice('a', 0, 'digest', decided), notice('b', 0, 'digest', decided));
    one.look(1);
    decided.add('a');
    one.look(30);
    assert.deepEqual(one.digests, [['b']]);
    decided.add('b');
    assert.equal(one.look(31), null);
  });

  it('comes in the next digest if the window that claimed one ended before it showed it', () => {
    assert.ok(openClaims(folder).takeDigest('w', at(30)));
    const one = window();
    one.add(notice('a', 0));
    assert.equal(one.look(31), at(60));
    one.look(60);
    assert.deepEqual(one.digests, [['a']]);
  });
});
