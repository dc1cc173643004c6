/** Which people must decide an item, and who has signed so far: for lists, forms and tools. */
import { rulesFor, progressOf, progressWords, quorumWords } from '../../core/state/quorum.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Question, State } from '../../core/state/state.ts';

export interface QuorumView extends NonNullable<ReturnType<typeof quorumView>> {}

/** Null for an item that one person decides. */
export function quorumView(state: State, item: Question | Rfc) {
  const rules = rulesFor(state, item);
  const text = quorumWords(state, item);
  if (text === null) return null;
  return {
    /** Each of these must be met. `people` are names of keys in the ring. */
    rules: rules.map(({ count, people }) => ({ count, people })),
    /** Decisions that too few have signed; they have no effect yet. */
    proposals: progressOf(state, item.id, rules).map((progress) => ({
      /** The kind of its record. */
      kind: progress.pending.record.kind,
      approved_by: progress.approvals.map(({ name }) => name),
      have: progress.have,
      of: progress.of,
      /** `1 of 2: grace approved "JWT"` */
      text: progressWords(progress),
    })),
    text,
  };
}

/** What a human signed a decision with: for lists, forms and tools. */
export type SignedWith = 'key' | 'passkey';

/** For documents and the command line, after a person's name; empty for a key of the editor. */
export function passkeyWords(signed: SignedWith | null): string {
  return signed === 'passkey' ? ', signed with a passkey, verified by PIN or fingerprint' : '';
}

export function signedWith(
  by: { readonly keyid: string; readonly passkey?: true } | null | undefined,
): SignedWith | null {
  if (!by || by.keyid === '') return null;
  return by.passkey ? 'passkey' : 'key';
}
