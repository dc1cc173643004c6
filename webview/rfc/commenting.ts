/** Comments on a section or its words: sent one by one, or collected in a review. */
import type { RfcAct } from '../../src/ui/rfc/messages.ts';
import type { Missing } from '../shared/formPage.ts';
import type { mark } from '../shared/marks.ts';
import { t } from '../shared/strings.ts';
import { commentsOf, missingText } from './acts.ts';
import type { Core } from './core.ts';
import type { Drafts } from './drafts.ts';
import { bar, commentOn } from './places.ts';

export type Attempt = (
  place: string,
  lacking: Missing | undefined,
  make: (marks: ReturnType<typeof mark>) => RfcAct,
) => void;

export function createCommenting(core: Core, { view, edit, acts: { draft, comment } }: Drafts, attempt: Attempt) {
  return {
    /** Sends one comment immediately. */
    sendComment(section: string): void {
      const [current, snapshot] = [view(), core.snapshot()];
      if (current?.may.comment !== true || !snapshot) return;
      const place = commentOn(section);
      const written = comment(section);
      const lacking = missingText(`${place}.text`, written.text, t('Write a comment first.'), snapshot.limits);
      attempt(place, lacking, (common) => ({
        ...{ type: 'addFeedback', ...common, revision: current.revision },
        comments: commentsOf(current, [{ ...written, section }]),
      }));
    },

    /** Adds a comment to the review, which is sent with the decision or separately. */
    addToReview(section: string): void {
      const snapshot = core.snapshot();
      if (view()?.may.comment !== true || !snapshot) return;
      const place = commentOn(section);
      const written = comment(section);
      const lacking = missingText(`${place}.text`, written.text, t('Write a comment first.'), snapshot.limits);
      if (lacking) {
        core.complain(place, lacking);
        return;
      }
      const { [section]: _, ...comments } = draft().comments;
      core.notices.focusOn(place);
      edit(place, { comments, open: '', pending: [...draft().pending, { ...written, section }] });
    },

    /** Sends the review's comments without a decision. */
    sendReview(): void {
      const current = view();
      const { pending } = draft();
      if (current?.may.comment !== true || pending.length === 0) return;
      attempt(bar, undefined, (common) => ({
        ...{ type: 'addFeedback', ...common, revision: current.revision },
        comments: commentsOf(current, pending),
      }));
    },

    removePending(index: number): void {
      edit(bar, { pending: draft().pending.filter((_, other) => other !== index) });
    },
  };
}
