/** The draft of a review, and which of its parts are open. */
import { bar, commentOn, questionPlace, replyTo } from './places.ts';
import { viewOf } from './core.ts';
import type { Core } from './core.ts';
import { emptyAnswer, emptyComment, emptyDraft } from './saved.ts';
import type { AnswerDraft, CommentDraft, Draft, Panel, TextField } from './saved.ts';

/** A decision of other people. */
export interface Filled extends Pick<Draft, 'waived' | 'way'> {
  readonly panel: 'approve' | 'reject' | 'withdraw';
  readonly text: string;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

export function createDrafts(core: Core, changed: () => void) {
  const view = () => viewOf(core.snapshot());
  const busy = () => core.flight(view()?.key ?? '') !== undefined;
  const draft = (): Draft => core.saved().draft ?? emptyDraft(view()?.shown ?? '');

  /** Whether the act in flight is that of this place, so that its input is being sent. */
  const busyAt = (place: string) => core.formAt(place, view()?.key ?? '', () => false).flight() !== undefined;

  /** Keeps what was entered at a place, also while an act of another place is in flight. */
  function edit(place: string, change: Partial<Draft>): void {
    const current = view();
    if (!current || busyAt(place)) return;
    core.keep({ draft: { ...draft(), ...change, shown: current.shown } });
    core.entered(current.key);
    core.notices.quiet();
    changed();
  }

  const answer = (question: string): AnswerDraft => draft().answers[question] ?? emptyAnswer;
  const comment = (section: string): CommentDraft => draft().comments[section] ?? emptyComment;

  return {
    view,
    edit,
    acts: {
      draft,
      comment,
      answer,
      busy,
      busyAt,

      /** Opens or closes a box in the document: one at a time, and typed text is kept. One that is being sent stays. */
      openBox(place: string, open: boolean): void {
        if (busyAt(draft().open)) return;
        core.unsettle();
        core.notices.focusOn(open ? `${place}.text` : place);
        edit(place, { open: open ? place : '' });
      },

      setText(field: TextField, text: string): void {
        edit(bar, { text: { ...draft().text, [field]: text } });
      },

      setWay(way: Draft['way']): void {
        edit(bar, { way });
      },

      setWaived(question: string, waived: boolean): void {
        const others = draft().waived.filter((one) => one !== question);
        edit(bar, { waived: waived ? [...others, question] : others });
      },

      setComment(section: string, change: Partial<CommentDraft>): void {
        edit(commentOn(section), { comments: { ...draft().comments, [section]: { ...comment(section), ...change } } });
      },

      setAnswer(question: string, change: Partial<AnswerDraft>): void {
        edit(questionPlace(question), {
          answers: { ...draft().answers, [question]: { ...answer(question), ...change } },
        });
      },

      mayComment: (): boolean => view()?.may.comment === true && view()?.locked === undefined && !busy(),

      /** Opens the comment box for words of a section, or for all of it if `quote` is empty. */
      commentAbout(section: string, quote: string): void {
        const { comments } = draft();
        core.unsettle();
        core.notices.focusOn(`${commentOn(section)}.text`);
        const place = commentOn(section);
        edit(place, { comments: { ...comments, [section]: { ...comment(section), quote } }, open: place });
      },

      setReply(thread: string, text: string): void {
        edit(replyTo(thread), { replies: { ...draft().replies, [thread]: text } });
      },

      /** Fills a panel with what the others signed; sending it stays a step of its own. */
      fillWith({ panel, text, conditions, constraints, waived, way }: Filled): void {
        core.unsettle();
        core.notices.focusOn(panel === 'approve' ? 'conditions' : panel);
        const terms = { conditions: conditions.join('\n'), constraints: constraints.join('\n') };
        const words = panel === 'approve' ? terms : { [panel]: text };
        edit(bar, { panel, way, waived, text: { ...draft().text, ...words } });
      },

      openPanel(panel: Panel): void {
        core.unsettle();
        // Focuses the first text field, never the button.
        core.notices.focusOn(panel === 'approve' ? 'conditions' : panel);
        edit(bar, { panel });
      },

      isUnfolded: (part: string): boolean => core.saved().unfolded.includes(part),

      unfold(part: string, open: boolean): void {
        const others = core.saved().unfolded.filter((one) => one !== part);
        core.keep({ unfolded: open ? [...others, part].slice(-200) : others });
        changed();
      },
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
