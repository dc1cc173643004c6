/** The threads of an RFC with their texts, each of which the content names by its hash. */
import * as z from 'zod';
import { RefusedRequest } from './kind.ts';
import type { Raw, Row, Translator } from './kind.ts';
import type { UnsignedRecord } from '../../core/records/decision.ts';

const text = z.string();
const number = z.int();

export const threadModel = z.looseObject({
  number,
  blocking: z.boolean(),
  resolved: z.boolean(),
  replies: number,
  texts: text.optional(),
});
export type ShownThread = z.infer<typeof threadModel>;

const said = { text, by: text, signed: z.boolean() };
const comment = z.strictObject({
  ...{ id: text, thread: number, revision: number, type: text, blocking: z.boolean() },
  section: z.looseObject({ heading: text }).nullable(),
  quote: text.optional(),
  ...said,
});
const reply = z.strictObject({ before: text, reply: number, ...said });

/** What was said, in order. */
export interface Texts {
  readonly comment: z.infer<typeof comment>;
  readonly replies: readonly z.infer<typeof reply>[];
}

type Part = Raw<UnsignedRecord>['part'];

/**
 * From the last reply back to the comment.
 * @returns null for a thread that began before texts had a hash: the content has its number only
 * @throws RefusedRequest if a text is missing, or is of another thread
 */
export function textsOf(id: string, thread: ShownThread, part: Part): Texts | null {
  if (thread.texts === undefined) return null;
  const replies: z.infer<typeof reply>[] = [];
  let found = part(thread.texts);
  for (let left = thread.replies; left > 0; left -= 1) {
    const { data } = reply.safeParse(found);
    if (data?.reply !== left) throw missing();
    replies.unshift(data);
    found = part(data.before);
  }
  const { data } = comment.safeParse(found);
  if (data?.id !== id || data.thread !== thread.number) throw missing();
  return { comment: data, replies };
}

function missing(): RefusedRequest {
  return new RefusedRequest('the texts of a thread are missing');
}

export function threadRow(thread: ShownThread, texts: Texts | null, l10n: Translator): Row {
  const state = thread.resolved
    ? l10n.t('resolved')
    : thread.blocking
      ? l10n.t('open, blocks the approval')
      : l10n.t('open');
  const label = l10n.t('Thread {0} ({1})', thread.number, state);
  if (texts) return { label, text: wordsOf(texts, l10n), isDocument: true };
  return {
    label,
    text: l10n.t('Its texts are not shown here: the signature has its number only. Read them in the review.'),
  };
}

function wordsOf({ comment: { section, quote, revision, ...first }, replies }: Texts, l10n: Translator): string {
  const about = [
    l10n.t('Revision {0}', revision),
    ...(section === null ? [] : [l10n.t('Section: {0}', section.heading)]),
    ...(quote === undefined ? [] : [l10n.t('Quote: {0}', quote)]),
  ];
  return [about.join('\n'), ...[first, ...replies].map((one) => `${writerOf(one, l10n)}\n${one.text}`)].join('\n\n');
}

/** Only a signature proves a name. */
function writerOf({ by, signed }: { readonly by: string; readonly signed: boolean }, l10n: Translator): string {
  return signed ? l10n.t('{0} (signed)', by) : l10n.t('{0} (not signed)', by);
}
