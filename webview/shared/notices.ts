/** A page's messages: validation, refused acts and finished ones; and where focus moves next. */
import type { Missing } from './formPage.ts';

interface Note {
  /** The form it belongs to, if a page has several. */
  readonly place: string;
  readonly text: string;
}

export function createNotices() {
  let hint: (Note & Missing) | undefined;
  let refusal: Note | undefined;
  let done: Note | undefined;
  let focus: string | undefined;
  let spoken = '';
  return {
    /** Clears everything once something is edited or sent. */
    quiet(): void {
      hint = refusal = done = undefined;
    },
    unhint(): void {
      hint = undefined;
    },
    /** Shows a validation message and moves focus to its field. */
    miss(place: string, missing: Missing): void {
      hint = { ...missing, place };
      focus = missing.field;
    },
    refuse(place: string, text: string): void {
      refusal = { place, text };
    },
    finish(place: string, text: string | undefined): void {
      done = text === undefined ? undefined : { place, text };
    },
    hintAt: (place: string): Missing | undefined => (hint?.place === place ? hint : undefined),
    refusalAt: (place: string): string | undefined => (refusal?.place === place ? refusal.text : undefined),
    doneAt: (place: string): string | undefined => (done?.place === place ? done.text : undefined),

    /** The place or field that gets focus after the next redraw. */
    focusOn(target: string | undefined): void {
      focus = target;
    },
    /** Moves focus there once. */
    takeFocus(): string | undefined {
      const target = focus;
      focus = undefined;
      return target;
    },

    /** For screen readers. */
    say(text: string): void {
      spoken = text;
    },
    spoken: (): string => spoken,
  };
}
