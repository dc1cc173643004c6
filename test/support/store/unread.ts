/** A state as programs load it from where it was saved. */
import assert from 'node:assert/strict';
import type { State } from '../../../src/core/state/state.ts';
import { SavedStateGone } from '../../../src/store/journal/problem.ts';
import { formatState, stateIn } from '../../../src/store/saved/state.ts';
import { sha256 } from '../../../src/trust/canonical.ts';

export function savedFrom(state: State): State {
  const content = Buffer.from([...formatState(state)].join(''));
  const hash = sha256(content.subarray(content.lastIndexOf('\n') + 1));
  const saved = stateIn(
    {
      size: content.length,
      isWhole: true,
      read: (from, to) => content.subarray(from, to),
      gone: () => new SavedStateGone(),
      close: () => undefined,
    },
    hash,
  );
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
