/** One line for a human's answer. */

interface Said {
  readonly choices: readonly string[];
  readonly text?: string | null | undefined;
}

/** Choices and text of a human's answer, on one line: `JWT, Sessions: both for now`. */
export function answerLine({ choices, text = null }: Said): string {
  return [choices.join(', '), text].filter((part) => part !== null && part !== '').join(': ');
}
