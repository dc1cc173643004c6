/** The texts of an RFC's threads, as their hashes were taken. */
import { commentContent, replyContent } from '../../core/rfc/threadTexts.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { threadsOf } from '../rfc/parts.ts';
import type { ThreadView } from '../rfc/parts.ts';

/** @param number of the only one; null: all of them */
export function threadTexts(view: View, { id, threads }: Rfc, number: number | null): object[] {
  const hashed = new Set(threads.flatMap((thread) => (thread.texts === undefined ? [] : [thread.number])));
  return threadsOf(view, id)
    .filter((thread) => hashed.has(thread.number) && (number === null || thread.number === number))
    .flatMap((thread) => contentsOf(id, thread));
}

/** The comment, then each reply with the hash of what is before it. */
function contentsOf(id: string, { number, quote, by, signed, replies, ...comment }: ThreadView): object[] {
  const about = { id, thread: number, ...comment, ...(quote === null ? {} : { quote }) };
  const contents = [commentContent(about, { by, signed })];
  for (const reply of replies)
    contents.push(replyContent(hashOf(contents.at(-1)), { reply: reply.number, text: reply.text }, reply));
  return contents;
}
