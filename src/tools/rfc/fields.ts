/** Input fields of the RFC tools: the document, what it holds, and its references. */
import * as z from 'zod';
import type { Markdown } from '../../app/rfc/files.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { RfcContext, RfcSection } from '../../core/records/rfc.ts';
import { sectionHeadings, type DocumentChange } from '../../core/rfc/document.ts';
import { rfcId, rfcLimits } from '../../core/records/rfcWords.ts';
import { onOneLine } from '../../core/kit/text.ts';
import { textField } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { note, workIdField } from '../kit/fields.ts';

export const rfcIdField = rfcId.describe('Id of an RFC, for example "RFC-3".');

const section = (what: string) => textField(rfcLimits.section).optional().describe(`${what} Markdown.`);
const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems).optional();

const alternative = z.strictObject({
  name: textField(limits.title).describe('Its name.'),
  description: note('What it is.').optional(),
  pros: z.array(note('An argument for it.')).max(limits.listItems).default([]),
  cons: z.array(note('An argument against it.')).max(limits.listItems).default([]),
  effort_estimate: note('Estimated effort.').optional(),
});

/** The document, in parts. Each part that is given replaces the previous one. */
export const documentFields = {
  file: z
    .string()
    .min(1)
    .max(limits.path)
    .optional()
    .describe(
      'A Markdown file in the workspace with the document: its headings become the sections. A check box is an open question (without any box, each point under “Open questions” is); a list beneath it offers answers.',
    ),
  markdown: z
    .string()
    .min(1)
    .max(rfcLimits.documentBytes)
    .optional()
    .describe('The document itself, in place of a file.'),
  summary: section('What is proposed, in a few sentences.'),
  motivation: section('Why: the problem, and what happens without it.'),
  detailed_design: section('How to build it.'),
  implementation_timeline: section('The steps, and when.'),
  rollback_plan: section('How to revert it if it fails.'),
  other_sections: many(
    z.strictObject({ heading: textField(limits.title), text: textField(rfcLimits.section) }),
  ).describe('More sections, under your own headings.'),
  alternatives: many(alternative).describe(
    'Alternatives you considered. Give all of them: the list replaces the previous one.',
  ),
  unresolved_questions: many(textField(limits.questionText)).describe(
    'Open questions, one per entry. The AI reviewer answers what it can; a human gets the rest. A question that begins with HUMAN REQUIRED: goes to a human immediately.',
  ),
};

/** @throws AppError `bad_input` for both */
export function markdownOf({ file, markdown }: Pick<DocumentInput, 'file' | 'markdown'>): Markdown | null {
  if (file !== undefined && markdown !== undefined)
    throw new AppError('bad_input', 'markdown: give a file or the text, not both.');
  return file !== undefined ? { file } : markdown !== undefined ? { text: markdown } : null;
}

export const additionFields = {
  add_alternatives: many(alternative).describe('More alternatives; one with a known name replaces it.'),
  add_questions: many(textField(limits.questionText)).describe('More open questions.'),
};

type DocumentInput = z.output<z.ZodObject<typeof documentFields>>;

const standard = ['summary', 'motivation', 'detailed_design', 'implementation_timeline', 'rollback_plan'] as const;

/** The document as the fields give it, without the file. Omitted fields stay omitted. */
export function documentChange(input: DocumentInput): DocumentChange {
  const sections: RfcSection[] = [
    ...standard.flatMap((key) => {
      const text = input[key];
      return text === undefined ? [] : [{ key, heading: sectionHeadings[key], text }];
    }),
    ...(input.other_sections ?? []).map(({ heading, text }): RfcSection => ({ key: 'other', heading, text })),
  ];
  return {
    ...(sections.length === 0 ? {} : { sections }),
    ...(input.alternatives === undefined ? {} : { alternatives: alternativesOf(input.alternatives) }),
    ...(input.unresolved_questions === undefined ? {} : { questions: questionsOf(input.unresolved_questions) }),
  };
}

/** What is added to the document, besides what replaces a part of it. */
export function documentAddition(input: z.output<z.ZodObject<typeof additionFields>>): DocumentChange {
  return {
    ...(input.add_alternatives === undefined ? {} : { addAlternatives: alternativesOf(input.add_alternatives) }),
    ...(input.add_questions === undefined ? {} : { addQuestions: questionsOf(input.add_questions) }),
  };
}

function alternativesOf(given: readonly z.output<typeof alternative>[]) {
  return given.map(({ effort_estimate, ...rest }) => ({
    ...rest,
    ...(effort_estimate === undefined ? {} : { effortEstimate: effort_estimate }),
  }));
}

function questionsOf(given: readonly string[]) {
  return given.map((text) => ({ text, answered: false }));
}

/** Fields take precedence over the file. `left`: the parts of the file that they replace, which no human will see. */
export function mergedChange(
  file: DocumentChange,
  fields: DocumentChange,
): { readonly change: DocumentChange; readonly left: readonly string[] } {
  const nameOf = ({ key, heading }: RfcSection) => (key === 'other' ? heading : key);
  const given = new Set((fields.sections ?? []).map(nameOf));
  if (fields.alternatives) given.add('alternatives');
  if (fields.questions) given.add('unresolved_questions');
  const sections = file.sections ?? [];
  const kept = [...sections.filter((section) => !given.has(nameOf(section))), ...(fields.sections ?? [])];
  const isRenamed = file.title !== undefined && fields.title !== undefined && fields.title !== file.title;
  return {
    change: { ...file, ...fields, ...(kept.length === 0 ? {} : { sections: kept }) },
    left: [
      ...(isRenamed ? [`the title "${onOneLine(file.title)}"`] : []),
      ...sections
        .filter((section) => given.has(nameOf(section)))
        .map(({ heading }) => `the section "${onOneLine(heading)}"`),
    ],
  };
}

/** Empty if the human sees everything that stands in the file. */
export function leftText(left: readonly string[]): string {
  return left.length === 0 ? '' : ` Not taken from the file, because your fields replace it: ${left.join(', ')}.`;
}

export const workIds = (what: string) => z.array(workIdField).max(limits.listItems).default([]).describe(what);
export const contextIds = (what: string) =>
  z.array(textField(limits.id)).max(limits.listItems).default([]).describe(what);

export function contextsOf(context: readonly string[], reasoning: readonly string[]): RfcContext[] {
  return [
    ...context.map((id): RfcContext => ({ id, role: 'context' })),
    ...reasoning.map((id): RfcContext => ({ id, role: 'reasoning' })),
  ];
}
