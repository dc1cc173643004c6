/** Digests of a window: over restarts and beside other windows, no notice is lost, and none comes twice. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Interruption } from '../../../src/core/kit/words.ts';
import { openClaims } from '../../../src/vscode/kit/claims.ts';
import type { News } from '../../../src/vscode/kit/telling.ts';
import { openOutbox } from '../../../src/vscode/waiting/outbox.ts';
import type { Outgoing } from '../../../src/vscode/waiting/outbox.ts';

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
    let claiming: Promise<unknown>[] = [];
    const keysOf = (ours: readonly News[]) => ours.flatMap((one) => (one.isCurrent() ? [one.key] : []));
    const outbox = openOutbox(
      {
        news: (all) => {
          claiming.push(claims.takeAll(all).then((ours) => now.push(...keysOf(ours))));
        },
        digest: ({ workspace, now: time }, all) => {
          claiming.push(
            claims.takeDigest(workspace, time).then(async (isOurs) => {
              if (isOurs) digests.push(keysOf(await claims.takeAll(all)));
            }),
          );
        },
      },
      claims,
    );
    const look = async (minute: number) => {
      const next = outbox.look('w', { minutes: 30, now: at(minute) });
      await Promise.all(claiming);
      claiming = [];
      return next;
    };
    return {
      now,
      digests,
      look,
      add: (...all: readonly Outgoing[]) => {
        outbox.add('w', all);
      },
    };
  }

  it('gives at once, keeps the rest for the digest, and claims silent ones without showing them', async () => {
    const one = window();
    one.add(notice('a', 0), notice('b', 0, 'now'), notice('c', 0, 'silent'), notice('d', 10));
    assert.equal(await one.look(10), at(30));
    assert.deepEqual([one.now, one.digests], [['b'], []]);
    await one.look(30);
    assert.deepEqual(one.digests, [['a', 'd']]);
    one.add(notice('e', 31));
    assert.equal(await one.look(32), at(61));
    await one.look(61);
    assert.deepEqual(one.digests, [['a', 'd'], ['e']]);
    const later = window();
    later.add(notice('c', 0, 'now'));
    await later.look(99);
    assert.deepEqual(later.now, [], 'the policy changed after it was silent');
  });

  it('finds the waiting notices again after a restart, repeats none, and keeps the interval', async () => {
    const before = window();
    before.add(notice('a', 0), notice('b', 25));
    await before.look(30);
    assert.deepEqual(before.digests, [['a', 'b']]);
    before.add(notice('c', 35));
    await before.look(36);
    const after = window();
    after.add(notice('a', 0), notice('b', 25), notice('c', 20));
    await after.look(40);
    assert.equal(await after.look(41), at(60), 'not before 30 minutes after the last');
    await after.look(60);
    assert.deepEqual([after.now, after.digests], [[], [['c']]]);
  });

  it('is shown by one of two windows, also if the other had already looked', async () => {
    const all = [window(), window()] as const;
    for (const one of all) one.add(notice('a', 0), notice('b', 1));
    for (const one of all) await one.look(5);
    for (const one of all) await one.look(31);
    for (const one of all) await one.look(200);
    assert.deepEqual([all[0].digests, all[1].digests], [[['a', 'b']], []]);
  });

  it('leaves out what was decided meanwhile', async () => {
    const decided = new Set<string>();
    const one = window();
    one.add(notice('a', 0, 'digest', decided), notice('b', 0, 'digest', decided));
    await one.look(1);
    decided.add('a');
    await one.look(30);
    assert.deepEqual(one.digests, [['b']]);
    decided.add('b');
    assert.equal(await one.look(31), null);
  });

  it('comes in the next digest if the window that claimed one ended before it showed it', async () => {
    assert.ok(await openClaims(folder).takeDigest('w', at(30)));
    const one = window();
    one.add(notice('a', 0));
    assert.equal(await one.look(31), at(60));
    await one.look(60);
    assert.deepEqual(one.digests, [['a']]);
  });
});
