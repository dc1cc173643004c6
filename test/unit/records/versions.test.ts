/** A program says so if it does not know the version of a record. */
import assert from 'node:assert/strict';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { noLine } from '../../../src/core/records/parts.ts';

describe('a record of a later version', () => {
  it('asks for an update and has no effect if this program does not know the version', () => {
    const state = emptyState();
    const { refused, admitted } = applyLine(
      state,
      {
        ...{ at: 0, end: 1, prev: noLine, hash: noLine, op: '0d9d6b04-1c0f-4f8e-9a69-000000000000' },
        ...{ time: '2026-01-01T00:00:00.000Z', actor: { kind: 'agent', id: 'a-001' } },
        records: [{ kind: 'workspace.created', v: 2, workspace: 'x', minReader: 1, minWriter: 1 }],
      },
      { hash: () => noLine, verify: () => ({ why: 'no' }), keys: () => null, accepts: () => true, counts: () => false },
    );
    assert.equal(admitted.length, 0);
    assert.match(refused[0]?.why ?? '', /version 2 of workspace\.created.*update/);
  });
});
