/** A state as programs load it from where it was saved. */
import assert from 'node:assert/strict';
import type { State } from '../../../src/core/state/state.ts';
import { SavedStateGone } from '../../../src/store/journal/problem.ts';
import { formatState, stateIn } from '../../../src/store/saved/state.ts';
import { sha256 } from '../../../src/trust/canonical.ts';

/** @param onRead called with the number of bytes of each read */
export function savedFrom(state: State, onRead: (bytes: number) => void = () => undefined): State {
  const content = Buffer.from([...formatState(state)].join(''));
  const hash = sha256(content.subarray(content.lastIndexOf('\n') + 1));
  const saved = stateIn(
    {
      size: content.length,
      isWhole: true,
      read: (from, to) => {
        onRead(to - from);
        return content.subarray(from, to);
      },
      gone: () => new SavedStateGone(),
      close: () => undefined,
    },
    hash,
  );
  assert.ok(saved);
  return saved;
}

/** The state as a gate reads it: going through all of its questions, holders or work items fails. */
export function unreadFrom(state: State): State {
  const { unread = null, questions, holders, work } = savedFrom(state);
  assert.ok(unread);
  return { ...state, unread, questions: oneByOne(questions), holders: oneByOne(holders), work: oneByOne(work) };
}

/** Only what reads or sets one entry. */
function oneByOne<T extends State['questions'] | State['holders'] | State['work']>(all: T): T {
  const single = new Set<string | symbol>(['get', 'has', 'set', 'size']);
  return new Proxy(all, {
    get(target, name) {
      if (!single.has(name)) throw new Error(`all were loaded: ${String(name)}`);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
