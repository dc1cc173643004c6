/** Records that nest deeper than a program can follow: each program refuses them, whatever its stack. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { registerWork } from '../../../src/app/work/work.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a record with deeply nested data', () => {
  afterEach(removeSandboxes);

  for (const levels of [65, 3_000])
    it(`is refused, and the store stays readable (${String(levels)} levels)`, async () => {
      const sandbox = makeSandbox();
      const workspace = sandbox.open();
      await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
      workspace.close();
      const row = {
        ...{ row: 'history', key: 'a'.repeat(64), ref: 'r-1', at: '2026-03-02T11:00:00.000Z', of: 'question' },
        ...{ title: 'Which port?', status: 'answered', agent: null, work: null, data: { more: nested(levels) } },
      };
      writeByHand(sandbox.journal, [{ kind: 'import.rows', v: 1, batch: randomUUID(), part: 1, rows: [row] }]);
      const { problem, state } = sandbox.open().standing();
      assert.equal(problem, null);
      assert.equal(state.refusals.length, 1);
      assert.match(state.refusals[0]?.why ?? '', /at most 64 levels/);
    });
});
