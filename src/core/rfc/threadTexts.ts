/**
 * The texts of a thread as one hash, so that a decision on it covers them: that of its comment, or of its last reply with
 * the hash before it. The state has no texts; programs that have them can compute the hash again.
 */
import type { RecordOf } from '../records/records.ts';
import type { Thread } from '../state/rfc.ts';
import type { Folding } from '../state/effect.ts';

/** What a record says. The schema has written out each default. */
type Comment = Pick<
  RecordOf<'rfc.feedbackGiven' | 'rfc.commented'>,
  'id' | 'thread' | 'revision' | 'type' | 'section' | 'quote' | 'text' | 'blocking'
>;
type Reply = Pick<RecordOf<'rfc.feedbackReplied' | 'rfc.threadReplied'>, 'reply' | 'text'>;

export interface Writer {
  readonly by: string;
  /** Whether a human's signature proves who wrote it. */
  readonly signed: boolean;
}

function commentContent(comment: Comment, { by, signed }: Writer): object {
  const { id, thread, revision, type, section, quote, text, blocking } = comment;
  return { id, thread, revision, type, section, ...(quote === undefined ? {} : { quote }), text, blocking, by, signed };
}

function replyContent(before: string, { reply, text }: Reply, { by, signed }: Writer): object {
  return { before, reply, text, by, signed };
}

type Trusting = Pick<Folding, 'trust'>;

export function textsOfComment({ trust }: Trusting, comment: Comment, writer: Writer): string {
  return trust.hash(commentContent(comment, writer));
}

export function textsWithReply({ trust }: Trusting, { texts }: Thread, reply: Reply, writer: Writer): string {
  return trust.hash(replyContent(texts, reply, writer));
}
