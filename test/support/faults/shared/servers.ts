/** A server that crashes, comes back from an old backup, or is flooded with notifications; and a program that stops while it appends. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { askGate } from '../../../../src/app/hold/gate.ts';
import { freshnessOf } from '../../../../src/app/workspace/freshness.ts';
import { defaultLease } from '../../../../src/core/state/state.ts';
import type { Postgres } from '../../postgres.ts';
import { start } from '../../store/programs.ts';
import { aside, count, goesOn, newRow, once, scaled, type Budget, type Row } from '../row.ts';
import { progress, startWork, write } from './acts.ts';
import { checkTeam, settle } from './checks.ts';
import { sizes } from './partitions.ts';
import { free, type Machine, type Team } from './team.ts';

const must = 'as above, on every machine';

/** Repeats one fault while all machines work, and checks everything at the end. */
async function whileWorking(team: Team, budget: Budget, row: Row, fault: () => Promise<void>): Promise<Row[]> {
  const before = sizes(team);
  const working = startWork(team);
  while (row.times < row.wanted && goesOn(budget) && row.wrong.length === 0)
    await once(row, `${row.fault}, ${String(row.times)}`, async () => {
      await progress(working, 8);
      await fault();
    });
  await aside(row, 'the programs', () => working.stop());
  await aside(row, 'at the end', () => checkTeam(team));
  const after = sizes(team);
  count(row, 'acknowledged', after.acknowledged - before.acknowledged);
  count(row, 'refused', after.refused - before.refused);
  count(row, 'unknown', after.unknown - before.unknown);
  return [row];
}

export function crashes(team: Team, budget: Budget): Promise<Row[]> {
  const row = newRow('the server stopped at once (pg_ctl -m immediate) and started again', scaled(budget, 10), must);
  const { postgres } = team.database;
  return whileWorking(team, budget, row, async () => {
    postgres.crash();
    await pause((row.times * 37) % 400);
    postgres.start();
  });
}

/** Any login can notify on any channel: PostgreSQL has no permission for it. */
export async function spam(team: Team, budget: Budget): Promise<Row[]> {
  const row = newRow('1,000 notifications without an act, from another team’s login', scaled(budget, 10), must);
  const eve = await team.database.connect('eve_agent');
  const rows = await whileWorking(team, budget, row, async () => {
    const text = 'select pg_notify($1, number::text) from generate_series(1, 1000) number';
    await eve.query(text, [`holdpoint_${team.workspace}`]);
  });
  await eve.end();
  return rows;
}

/** A program stopped exactly while its append is answered: it keeps nobody waiting. */
export async function stoppedHolders(bundle: string, team: Team, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 10);
  const row = newRow(
    'a program stopped (SIGSTOP) while it appends, and continued later',
    wanted,
    `${must}; the others go on`,
  );
  const [, second] = team.machines;
  await settle(team);
  const first = await team.join('e', 'grace');
  // No other program of this machine copies for it, so its copy is old, and its first attempt is lost.
  first.workspace.close();
  const place = { folder: first.sandbox.folder, home: first.sandbox.home, env: first.env };
  const program = start(bundle, place, { does: 'serve' });
  assert.equal(await program.next(), 'ready');
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await once(row, `stop ${String(row.times)}`, async () => {
      const id = `stopped-${String(sizes(team).said)}`;
      assert.equal(await write(team, second, `${id}-before`), 'acknowledged');
      const stopped = new Promise<void>((resolve) => {
        first.proxy.onReplyTo('append_agent', () => {
          program.signal('SIGSTOP');
          resolve();
        });
      });
      program.give({ does: 'register', id });
      await stopped;
      const others = write(team, second, `${id}-meanwhile`);
      assert.equal(await others, 'acknowledged', 'the others go on');
      program.signal('SIGCONT');
      const said = JSON.parse((await program.next()) ?? '{}') as { ok?: unknown; error?: string };
      const outcome = 'ok' in said ? 'acknowledged' : said.error === 'unknown-outcome' ? 'unknown' : 'refused';
      team.log[outcome].add(id);
      count(row, `its act: ${outcome}`);
    });
  program.kill();
  first.sandbox.remove();
  await first.proxy.close();
  await aside(row, 'at the end', () => checkTeam(team));
  return [row];
}

/** A machine whose server has other lines than its copy. */
async function assertForked({ workspace, name }: Machine): Promise<void> {
  await workspace.confirm(20_000);
  const found = freshnessOf(workspace);
  assert.ok(found.state === 'unknown' && found.why === 'forked', `${name} knows`);
  assert.equal(askGate(workspace, { work: free }).state, 'UNKNOWN');
}

/** No machine saves anything. */
async function assertRefused(team: Team): Promise<void> {
  for (const machine of team.machines) {
    const said = await write(team, machine, `never-${machine.name}-${String(sizes(team).said)}`);
    assert.equal(said, 'refused');
  }
}

/** The newest state of the server is brought back afterwards, and all machines go on. */
export async function backups(team: Team, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 3);
  const row = newRow(
    'the server restored from an old backup',
    wanted,
    'every machine is UNKNOWN and saves nothing; with the true journal back, as above',
  );
  const { postgres } = team.database;
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await once(row, `backup ${String(row.times)}`, async () => {
      await settle(team);
      const restoreOld = postgres.backUp();
      const working = startWork(team);
      await progress(working, 12);
      await working.stop();
      await settle(team);
      const restoreNew = postgres.backUp();
      restoreOld();
      // Acts before anything is asked.
      await assertRefused(team);
      for (const machine of team.machines) await assertForked(machine);
      count(row, 'machines that are UNKNOWN', team.machines.length);
      restoreNew();
      await checkTeam(team);
      for (const { workspace } of team.machines) assert.equal(askGate(workspace, { work: free }).state, 'CLEAR');
    });
  return [row];
}

/** The machines are led to the standby, first while it only reads, then when it has taken over; then back to the server. */
export async function standbys(team: Team, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 3);
  const row = newRow(
    'a lagging standby in place of the server, which then takes over without the last acknowledged lines',
    wanted,
    'every machine is UNKNOWN after the lease, and at once when it takes over; it saves nothing; with the server back, as above',
  );
  const { postgres } = team.database;
  const lead = async (to: Postgres) => {
    for (const { proxy, workspace } of team.machines) {
      proxy.lead(to);
      // An act on a connection that is gone, and not yet known to be, would have an unknown outcome.
      await workspace.confirm(20_000);
    }
  };
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await once(row, `standby ${String(row.times)}`, async () => {
      const standby = postgres.standby();
      try {
        await settle(team);
        await standby.detach();
        const working = startWork(team);
        await progress(working, 12);
        await working.stop();
        await settle(team);
        await lead(standby);
        await assertRefused(team);
        team.time.ahead += defaultLease.seconds * 1_000 + 1;
        for (const { workspace, name } of team.machines) {
          await workspace.confirm(20_000);
          assert.equal(askGate(workspace, { work: free }).state, 'UNKNOWN', `${name}, after the lease`);
        }
        standby.promote();
        await lead(standby);
        await assertRefused(team);
        for (const machine of team.machines) await assertForked(machine);
        count(row, 'machines that are UNKNOWN', team.machines.length);
      } finally {
        await lead(postgres);
        await standby.stop();
      }
      await checkTeam(team);
      for (const { workspace } of team.machines) assert.equal(askGate(workspace, { work: free }).state, 'CLEAR');
    });
  return [row];
}
