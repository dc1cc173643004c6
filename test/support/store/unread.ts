/** A state as programs load it from where it was saved. */
import assert from 'node:assert/strict';
import type { State } from '../../../src/core/state/state.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { formatState, stateIn } from '../../../src/store/saved/state.ts';
import { sha256 } from '../../../src/trust/canonical.ts';

export function savedFrom(state: State): State {
  const content = Buffer.from([...formatState(state)].join(''));
  const hash = sha256(content.subarray(content.lastIndexOf('\n') + 1));
  const fs = { readFileSync: () => content } as unknown as FileSystem;
  const saved = stateIn({ fs, file: '', reads: 'whole' }, hash);
  assert.ok(saved);
  return saved;
}

/** The state as a gate reads it: any access to all of its questions or holders fails. */
export function unreadFrom(state: State): State {
  const { unread = null } = savedFrom(state);
  assert.ok(unread);
  return {
    ...state,
    unread,
    get questions(): State['questions'] {
      throw new Error('all questions were loaded');
    },
    get holders(): State['holders'] {
      throw new Error('all holders were loaded');
    },
  };
}
