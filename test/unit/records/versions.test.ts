/** How record kinds gain members: journals of earlier versions stay readable, and their signatures stay valid. */
import assert from 'node:assert/strict';
import * as z from 'zod';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { nextVersion, readAsLatest, readAsWritten, record, versionOf } from '../../../src/core/records/parts.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { noLine } from '../../../src/core/records/format.ts';

const first = record('note.left', () => ({ text: z.string(), urgent: z.boolean().default(false) }));
const second = nextVersion(first, {
  v: 2,
  shape: () => ({ text: z.string(), urgency: z.enum(['low', 'high']) }),
  upcast: ({ text, urgent }) => ({ text, urgency: urgent ? 'high' : 'low' }),
});
const third = nextVersion(second, {
  v: 3,
  shape: () => ({ texts: z.array(z.string()), urgency: z.enum(['low', 'high']) }),
  upcast: ({ text, urgency }) => ({ texts: [text], urgency }),
});

describe('a record kind with several versions', () => {
  const oldest = { kind: 'note.left', v: 1, text: 'a', urgent: true };

  it('reads each earlier version as the current one', () => {
    const latest = { kind: 'note.left', v: 3, texts: ['a'], urgency: 'high' };
    for (const raw of [oldest, { kind: 'note.left', v: 2, text: 'a', urgency: 'high' }, latest])
      assert.deepEqual(readAsLatest(third, raw).data, latest);
  });

  it('is written in its latest version only', () => {
    const written: z.input<(typeof second)['schema']> = { kind: 'note.left', v: 2, text: 'a', urgency: 'low' };
    // @ts-expect-error version 1 is read, not written
    const old: z.input<(typeof second)['schema']> = { kind: 'note.left', v: 1, text: 'a', urgency: 'low' };
    assert.ok(second.schema.safeParse(written).success && !second.schema.safeParse(old).success);
  });

  it('verifies a signature over the text and the defaults of its own version', () => {
    assert.deepEqual(readAsWritten(third, { kind: 'note.left', v: 1, text: 'a' }).data, { ...oldest, urgent: false });
  });

  it('refuses malformed records, and never mistakes a later version for its own', () => {
    for (const raw of [
      { ...oldest, text: 7 },
      { ...oldest, v: 0 },
      { ...oldest, v: 1.5 },
      { ...oldest, v: '1' },
      { ...oldest, v: 4 },
      { kind: 'note.left', text: 'a' },
    ])
      assert.equal(readAsLatest(third, raw).success, false, JSON.stringify(raw));
    assert.equal(versionOf({ v: 4 }), 4);
  });

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
