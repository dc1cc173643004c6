/** A streaming standby in place of the server: one that lags, and one that took over without the last acknowledged lines. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { teamStatus } from '../../../src/app/team/servers.ts';
import { confirmWith, freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { defaultLease } from '../../../src/core/state/state.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { owner, type Standby } from '../../support/postgres.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { schema, sharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, join, openAs } from '../../support/store/sharedWorkspace.ts';

describe('a standby in place of the server', function () {
  this.timeout(240_000);
  const database = sharedDatabase();
  afterEach(removeSandboxes);

  const register = async (workspace: Workspace, id: string) =>
    registerWork(await workspace.store(), agent(), { id, workKind: 'task', title: id });
  const hold = async (workspace: Workspace, work: string) => {
    const asking = { type: 'decision', urgency: 'low', mode: 'sync', work } as const;
    await raiseQuestion(await workspace.store(), agent(), { ...asking, text: `Go on with ${work}?` });
  };

  /** Ada's and Grace's machines, current, with the standby that was made before they wrote. */
  async function team(standby: Standby) {
    const one = await adasWorkspace(database, (workspace) => register(workspace, 'Held'));
    const hers = makeSandbox();
    const there = openAs(database, hers, 'grace');
    await one.join(there);
    return { ...one, hers, there, standby };
  }

  /** The same machine, whose programs have the standby's address. */
  function led(to: Standby, sandbox: Sandbox, human: 'ada' | 'grace' = 'grace'): Workspace {
    sandbox.close();
    return openAs({ postgres: to }, sandbox, human);
  }

  it('that lags is refused by "team init" and "team join"', async () => {
    const { standby, name, ada } = await team(database.postgres.standby());
    const settings = settingsOfUrl(standby.url(owner));
    const preparing = prepareDatabase({ owner: settings, schema, logins: [] });
    await assert.rejects(preparing, { code: 'refused', message: /is a standby/ });
    const there = openAs({ postgres: standby }, makeSandbox(), 'grace');
    const joining = join(there, name, ada);
    await assert.rejects(joining, { code: 'bad_input', message: /is a standby/ });
  });

  it('that lags confirms nothing: a machine is UNKNOWN after the lease, and says why', async () => {
    const { workspace, hers, standby } = await team(database.postgres.standby({ recovery_min_apply_delay: '1h' }));
    await hold(workspace, 'Held');
    const late = led(standby, hers);
    const state = async () => {
      await confirmWith(late);
      return askGate(late, { work: 'Held' }).state;
    };
    hers.clock.now += 10_000;
    await state();
    assert.equal(freshnessOf(late).state, 'offline');
    hers.clock.now += defaultLease.seconds * 1_000;
    assert.equal(await state(), 'UNKNOWN');
    assert.match((await teamStatus(late)).problem ?? '', /is a standby/);
    await assert.rejects(register(late, 'Never'), { code: 'offline', message: /is a standby/ });
    // With the server's own address, the hold is there.
    hers.close();
    const again = openAs(database, hers, 'grace');
    await confirmWith(again);
    assert.equal(askGate(again, { work: 'Held' }).state, 'BLOCKED');
  });

  it('that took over without acknowledged lines is another journal to machines that have seen them', async () => {
    const { sandbox, workspace, hers, there, ada, name, standby } = await team(database.postgres.standby());
    const early = makeSandbox();
    await join(openAs(database, early, 'grace'), name, ada);
    await standby.detach();
    await hold(workspace, 'Held');
    await there.confirm(20_000);
    assert.equal(askGate(there, { work: 'Held' }).state, 'BLOCKED');
    standby.promote();
    const machines = [sandbox, hers].map((one) => led(standby, one));
    for (const { clock } of [sandbox, hers, early]) clock.now += minute;
    for (const machine of machines) {
      await machine.confirm(20_000);
      const found = freshnessOf(machine);
      assert.ok(found.state === 'unknown' && found.why === 'forked');
      assert.equal(askGate(machine, {}).state, 'UNKNOWN');
      await assert.rejects(register(machine, 'Never'));
    }
    const third = led(standby, early);
    await third.confirm(20_000);
    assert.equal(askGate(third, { work: 'Held' }).state, 'CLEAR', 'no program of this machine saw the hold');
  });
});
