/** A text by others on one line, so that no line of the output is a text by others alone. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
