/** What must hold of a team's journal, whatever happened: compared with what the programs said at the time. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { readSegment } from '../../../../src/store/journal/line.ts';
import { freshnessOf } from '../../../../src/app/workspace/freshness.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { until } from '../../until.ts';
import { noLine } from '../../store/sharedDatabase.ts';
import type { Row as Bytes } from '../../../../src/store/shared/server.ts';
import type { Machine, Team } from './team.ts';

/** All rows, read over a connection of its own, past the proxies. */
async function rowsOnServer(team: Team): Promise<Bytes[]> {
  const reader = team.database.another('grace');
  const rows: Bytes[] = [];
  for (;;) {
    const { rows: more, size } = await reader.tail(team.workspace, rows.at(-1) === undefined ? 0 : endOf(rows));
    rows.push(...more);
    if (more.length === 0) {
      assert.equal(endOf(rows), size, 'the rows reach the end');
      await reader.close();
      return rows;
    }
  }
}

function endOf(rows: readonly Bytes[]): number {
  const last = rows.at(-1);
  return last ? last.at + last.bytes.length : 0;
}

/** Asserts that the rows are one chain of lines, none of which is there twice; returns their records. */
function recordsIn(rows: readonly Bytes[]): Record<string, unknown>[] {
  let [at, prev] = [0, noLine];
  const ops = new Set<string>();
  const records: Record<string, unknown>[] = [];
  for (const row of rows) {
    const line = readSegment(row.bytes, row.at, row.at);
    assert.ok(line.kind === 'line', `a line at ${String(row.at)}`);
    assert.equal(row.at, at, 'no gap, and nothing twice');
    assert.equal(line.body.prev, prev, 'one order');
    assert.ok(!ops.has(line.body.op), `${line.body.op} is there once`);
    ops.add(line.body.op);
    records.push(...(line.body.records as Record<string, unknown>[]));
    [at, prev] = [at + row.bytes.length, line.hash];
  }
  return records;
}

const nameOf = ({ kind, id, text }: Record<string, unknown>): string[] =>
  kind === 'work.registered' ? [String(id)] : kind === 'question.raised' ? [String(text)] : [];

/** Restores the network, waits until all copies are confirmed, and checks everything. */
export async function checkTeam(team: Team): Promise<void> {
  await settle(team);
  const rows = await rowsOnServer(team);
  const records = recordsIn(rows);
  checkNames(team, records.flatMap(nameOf));
  checkAnswers(team, records);
  const all = Buffer.concat(rows.map(({ bytes }) => bytes));
  const prints = [];
  for (const machine of team.machines) {
    assert.ok(all.equals(copyOf(machine)), `the copy of ${machine.name} equals the server's journal`);
    const view = (await machine.workspace.store()).read();
    assert.deepEqual(view.state.refusals, [], `${machine.name} counts every line`);
    prints.push(fingerprint(view));
  }
  for (const print of prints) assert.deepEqual(print, prints[0], 'one state on every machine');
}

/** Ends the faults of network and clocks, and waits until every machine is current. */
export async function settle({ machines }: Team): Promise<void> {
  for (const { proxy, clock } of machines) {
    proxy.restore();
    clock.error = 0;
  }
  for (const { workspace, name } of machines)
    await until(`${name} is current`, async () => {
      await workspace.confirm(20_000);
      return workspace.standing().problem === null && freshnessOf(workspace).state === 'current';
    });
}

function checkNames({ log }: Team, names: readonly string[]): void {
  const there = new Set(names);
  assert.equal(there.size, names.length, 'nothing is there twice');
  const lost = [...log.acknowledged].filter((name) => !there.has(name));
  assert.deepEqual(lost, [], 'everything acknowledged is there');
  const saved = [...log.refused].filter((name) => there.has(name));
  assert.deepEqual(saved, [], 'nothing is there of which a program said that it was not saved');
}

function checkAnswers({ log, machines: [{ workspace }] }: Team, records: readonly Record<string, unknown>[]): void {
  const answered = records.filter(({ kind }) => kind === 'question.answered').map(({ id }) => String(id));
  assert.equal(new Set(answered).size, answered.length, 'each question has one answer');
  for (const [id, [text, ...others]] of log.decided) {
    assert.deepEqual(others, [], 'one answer was the first');
    const resolution = workspace.standing().state?.questions.get(id)?.resolution;
    assert.equal(resolution?.how, 'answered', 'an acknowledged answer counts');
    assert.equal(resolution.answer?.text, text, 'the first answer counts');
  }
}

/** The copy's bytes, of all its files in order. */
function copyOf({ sandbox }: Machine): Buffer {
  const folder = path.dirname(sandbox.journal);
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return Buffer.concat(files.sort().map((name) => fs.readFileSync(path.join(folder, name))));
}
