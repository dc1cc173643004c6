/** Names of the places where acts happen: the bar, a section's comment box, a thread, an open question. */

export const bar = 'bar';

export function commentOn(section: string): string {
  return `comment:${section}`;
}

export function replyTo(thread: string): string {
  return `reply:${thread}`;
}

export function questionPlace(question: string): string {
  return `question:${question}`;
}

/** Below the header. */
export const changesPlace = 'changes';
