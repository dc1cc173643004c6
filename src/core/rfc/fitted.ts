/**
 * Fits a document into the limits, so that no human-written document is refused for its length. Shortens names visibly,
 * leaves long descriptions to the text, and keeps the full wording in the section's text.
 */
import type { DocumentChange } from './document.ts';
import { alternative, type Alternative, type RfcDocument, type RfcSection } from '../records/rfc.ts';
import { sameTextKey } from '../kit/text.ts';
import { limits } from '../kit/limits.ts';

type OpenQuestion = RfcDocument['questions'][number];

/** How the document differs from the file. */
export type NoteKind =
  | 'heading_shortened'
  | 'title_shortened'
  | 'question_shortened'
  | 'answer_as_text'
  | 'alternative_as_text'
  | 'question_as_text'
  | 'section_joined';
export type Notes = ReadonlyMap<NoteKind, number>;

export interface Fitted {
  readonly document: DocumentChange;
  readonly notes: Notes;
}

export function fitDocument({ title, sections = [], alternatives, questions }: DocumentChange): Fitted {
  const notes = new Map<NoteKind, number>();
  const note = (kind: NoteKind, count = 1) => {
    if (count > 0) notes.set(kind, (notes.get(kind) ?? 0) + count);
  };
  const isLong = title !== undefined && title.length > limits.title;
  if (isLong) note('title_shortened');
  const whole: RfcSection[] = isLong ? [{ key: 'other', heading: 'Title', text: title }] : [];
  const fit = [...whole, ...sections.map((section) => fittedSection(section, note))];
  return {
    document: {
      ...(title === undefined ? {} : { title: shortenText(title, limits.title) }),
      sections: joinSections(fit, note),
      ...(alternatives && { alternatives: fittedAlternatives(alternatives, note) }),
      ...(questions && { questions: fittedQuestions(questions, note) }),
    },
    notes,
  };
}

type Note = (kind: NoteKind, count?: number) => void;

/** At most `max` characters, with an ellipsis if truncated. */
export function shortenText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

function fittedSection({ key, heading, text }: RfcSection, note: Note): RfcSection {
  if (heading.length <= limits.title) return { key, heading, text };
  note('heading_shortened');
  return { key, heading: shortenText(heading, limits.title), text: `${heading}\n\n${text}` };
}

/** Merges excess sections into the one before, under their headings. */
function joinSections(sections: readonly RfcSection[], note: Note): RfcSection[] {
  const surplus = sections.length - limits.listItems;
  if (surplus <= 0) return [...sections];
  note('section_joined', surplus);
  const others = sections.flatMap(({ key }, index) => (key === 'other' && index > 0 ? [index] : []));
  const moved = new Set(others.slice(-surplus));
  const kept: RfcSection[] = [];
  for (const [index, section] of sections.entries()) {
    const last = kept.at(-1);
    if (last && moved.has(index))
      kept[kept.length - 1] = { ...last, text: `${last.text}\n\n## ${section.heading}\n\n${section.text}` };
    else kept.push(section);
  }
  return kept;
}

/** One that exceeds a limit is only in the text. */
function fittedAlternatives(alternatives: readonly Alternative[], note: Note): Alternative[] {
  const fit = alternatives.filter((one) => alternative.safeParse(one).success).slice(0, limits.listItems);
  note('alternative_as_text', alternatives.length - fit.length);
  return fit;
}

/** Loses no question: beyond the limit, one question stands for the rest, and stays open while any of them is. */
function fittedQuestions(questions: readonly OpenQuestion[], note: Note): OpenQuestion[] {
  const fit = questions.map(({ text, answered, answer, choices }): OpenQuestion => {
    if (text.length > limits.questionText) note('question_shortened');
    const isLong = answer !== undefined && answer.length > limits.otherText;
    if (isLong) note('answer_as_text');
    return {
      text: shortenText(text, limits.questionText),
      answered,
      ...(answer === undefined ? {} : { answer: shortenText(answer, limits.otherText) }),
      ...(choices === undefined ? {} : { choices }),
    };
  });
  const surplus = fit.length - limits.listItems;
  const rest = surplus > 0 ? fit.slice(limits.listItems - 1) : [];
  note('question_as_text', rest.length);
  const kept = [
    ...fit.slice(0, fit.length - rest.length),
    ...(rest.length === 0
      ? []
      : [
          {
            text: `${String(rest.length)} further questions: they are in the text.`,
            answered: rest.every(({ answered }) => answered),
          },
        ]),
  ];
  // Questions that differ only after the cut become one; if either is open, it is open.
  const byText = new Map<string, OpenQuestion>();
  for (const question of kept) {
    const key = sameTextKey(question.text);
    if (!byText.has(key) || !question.answered) byText.set(key, question);
  }
  return [...byText.values()];
}
