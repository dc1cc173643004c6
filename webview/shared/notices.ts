/** What a page says: what is missing, why an act was refused, what was done. And where the keyboard goes next. */
import type { Missing } from './formPage.ts';

interface Note {
  /** The form it is about, where a page has several. */
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
    /** Nothing of it counts once something is edited or sent. */
    quiet(): void {
      hint = refusal = done = undefined;
    },
    unhint(): void {
      hint = undefined;
    },
    /** Says what is missing, and puts the keyboard there. */
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

    /** Where the keyboard goes after the next drawing: the name of a place or a field. */
    focusOn(target: string | undefined): void {
      focus = target;
    },
    /** The keyboard goes there once. */
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
