/** Describes how an imported document differs from its file. */
import { plural } from '../../core/kit/plural.ts';
import type { NoteKind, Notes } from '../../core/rfc/fitted.ts';

const changed: Readonly<Record<NoteKind, readonly [one: string, many: string]>> = {
  title_shortened: ['shortened title', 'shortened titles'],
  heading_shortened: ['shortened heading', 'shortened headings'],
  name_shortened: ['shortened name of an alternative', 'shortened names of alternatives'],
  description_as_text: ['long description only in its text', 'long descriptions only in its text'],
  argument_shortened: ['shortened pro or con', 'shortened pros and cons'],
  argument_as_text: ['pro or con only in its text', 'pros and cons only in its text'],
  alternative_as_text: ['alternative only in its text', 'alternatives only in its text'],
  question_shortened: ['shortened question', 'shortened questions'],
  question_as_text: ['question only in its text', 'questions only in its text'],
  answer_as_text: ['shortened answer', 'shortened answers'],
  section_joined: ['section joined with the one before', 'sections joined with those before'],
};

/** `2 shortened names of alternatives`; null without changes. The text contains everything. */
export function changedWords(notes: Notes): string | null {
  const said = [...notes].map(([kind, count]) => plural(count, ...changed[kind]));
  return said.length === 0 ? null : said.join(', ');
}
