/** Limits of the tasks of one MCP connection. */
import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { endedAtMost, openTasks, workingAtMost } from '../../src/mcp/tasks.ts';
import { until } from '../support/until.ts';

const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };
const never = () => new Promise<CallToolResult>(() => undefined);

describe('Tasks of an MCP connection', () => {
  it('start no call beyond the limit, until one has ended', () => {
    const tasks = openTasks();
    let calls = 0;
    const start = () =>
      tasks.start(undefined, () => {
        calls += 1;
        return never();
      });
    const started = Array.from({ length: workingAtMost }, start);
    assert.ok(started.every((task) => task !== null));
    assert.equal(start(), null);
    assert.equal(calls, workingAtMost);
    assert.equal(tasks.cancel(started[0]?.id ?? '')?.status, 'cancelled');
    assert.notEqual(start(), null);
    assert.equal(start(), null);
  });

  it('keep the results of the latest that ended, and those that work', async () => {
    const tasks = openTasks();
    const working = tasks.start(undefined, never);
    const ended: (string | undefined)[] = [];
    for (let count = 0; count < endedAtMost + 5; count++) {
      const id = tasks.start(undefined, () => Promise.resolve(done))?.id;
      ended.push(id);
      await tasks.ended(id ?? '', new AbortController().signal);
    }
    assert.equal(tasks.list().length, endedAtMost + 1);
    assert.equal(tasks.get(working?.id ?? '')?.status, 'working');
    assert.equal(tasks.get(ended[0] ?? ''), undefined);
    assert.equal(tasks.get(ended.at(-1) ?? '')?.result, done);
  });

  it('last no time at all with a negative one', async () => {
    const tasks = openTasks();
    const task = tasks.start(-5, never);
    await until('it expired', () => tasks.get(task?.id ?? '') === undefined);
  });
});
