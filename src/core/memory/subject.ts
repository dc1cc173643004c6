/** The subject line of an entry: its first line, as in a commit message. What follows is the body. */

/** A first line that is longer is not a subject line: then the whole text is shown. */
const subjectAtMost = 120;

export interface Subject {
  readonly subject: string;
  /** Empty where the text is only a subject. */
  readonly body: string;
}

export function splitSubject(text: string): Subject {
  const [, first = '', rest = ''] = /^\s*(?:#{1,6}[ \t]+)?([^\r\n]*)(.*)$/su.exec(text) ?? [];
  const [subject, body] = [first.trim(), rest.trim()];
  if (subject === '' || body === '' || Array.from(subject).length > subjectAtMost)
    return { subject: text.trim(), body: '' };
  return { subject, body };
}

/** A text with a subject line above it. A text that begins with it stays as it is. */
export function withSubject(subject: string, text: string): string {
  return splitSubject(text).subject === subject.trim() ? text : `${subject.trim()}\n\n${text}`;
}
