import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { createLastStanding } from '../../../src/vscode/kit/keys.ts';
import type { SignerStanding } from '../../../src/ui/surface/standing.ts';

const workspace = {} as Workspace;
const first: SignerStanding = { kind: 'first', suggestedName: 'ada' };
const enrolled: SignerStanding = { kind: 'enrolled', name: 'Ada', keyid: 'k', managed: null, team: null };

interface Setting {
  readonly standingIn: ReturnType<typeof createLastStanding>;
  /** What the keys say from now on. */
  says(next: SignerStanding | Error): void;
  readonly changes: () => number;
}

function setting(): Setting {
  let now: SignerStanding | Error = first;
  let changes = 0;
  const standing = () => (now instanceof Error ? Promise.reject(now) : Promise.resolve(now));
  return {
    standingIn: createLastStanding({ standing }, () => {
      changes++;
    }),
    says(next) {
      now = next;
    },
    changes: () => changes,
  };
}

describe('the last standing', () => {
  it('is asked for the first time, then returned at once', async () => {
    const { standingIn, changes } = setting();
    assert.deepEqual(await standingIn(workspace), first);
    assert.deepEqual(await standingIn(workspace), first);
    await nextTurn();
    assert.equal(changes(), 0);
  });

  it('reports that it is another now, and returns that', async () => {
    const { standingIn, says, changes } = setting();
    await standingIn(workspace);
    says(enrolled);
    assert.deepEqual(await standingIn(workspace), first);
    await nextTurn();
    assert.equal(changes(), 1);
    assert.deepEqual(await standingIn(workspace), enrolled);
  });

  it('fails where the keys cannot be asked, instead of going on with an old one', async () => {
    const { standingIn, says, changes } = setting();
    await standingIn(workspace);
    says(new Error('gone'));
    await standingIn(workspace);
    await nextTurn();
    assert.equal(changes(), 1);
    await assert.rejects(standingIn(workspace), /gone/);
  });

  it('is kept for each workspace', async () => {
    const { standingIn, says } = setting();
    await standingIn(workspace);
    says(enrolled);
    assert.deepEqual(await standingIn({} as Workspace), enrolled);
  });
});
