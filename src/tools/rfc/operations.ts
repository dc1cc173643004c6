/** Proposing, revising, reading and listing RFCs. */
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { type importRfc, type Markdown, proposeRfc as propose, updateRfc as update } from '../../app/rfc/rfcs.ts';
import { firstLine, onOneLine, fewNames, plural } from '../../core/kit/text.ts';
import { addressee, agentId, textField } from '../../core/kit/fields.ts';
import {
  holdsField,
  many,
  pathField,
  titleField,
  note,
  workIdField,
  pageFields,
  pageOf,
  pageText,
} from '../kit/fields.ts';
import { rfcText, rfcInFull } from './texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation, type ToolContext, type ToolResult } from '../kit/operation.ts';
import type { ToolOutputs } from '../kit/outputs.ts';
import { sectionKey, rfcStatus, rfcId, rfcLimits, type RfcContext, type RfcSection } from '../../core/records/rfc.ts';
import { limits } from '../../core/kit/limits.ts';
import { alternativeOf, documentOf, documentView } from '../../app/rfc/parts.ts';
import { rfcView, isUnderReview, rfcsOf, rfcSummaries, type RfcView } from '../../app/rfc/views.ts';
import { meantBy } from '../../core/kit/persons.ts';
import { sectionHeadings, type DocumentChange } from '../../core/rfc/document.ts';

// Input fields of the RFC tools: the document, what it holds, and its references.

const rfcIdField = rfcId.describe('Id of an RFC, for example "RFC-3".');

const section = (what: string) => textField(rfcLimits.section).optional().describe(`${what} Markdown.`);
const someOf = <T extends z.ZodType>(item: T) => many(item).optional();

const alternative = z.strictObject({
  name: textField(limits.title).describe('Its name.'),
  description: note('What it is.').optional(),
  pros: many(note('An argument for it.')).default([]),
  cons: many(note('An argument against it.')).default([]),
  effort_estimate: note('Estimated effort.').optional(),
});

/** The document, in parts. Each part that is given replaces the previous one. */
const documentFields = {
  file: pathField
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
  other_sections: someOf(
    z.strictObject({ heading: textField(limits.title), text: textField(rfcLimits.section) }),
  ).describe('More sections, under your own headings.'),
  alternatives: someOf(alternative).describe(
    'Alternatives you considered. Give all of them: the list replaces the previous one.',
  ),
  unresolved_questions: someOf(textField(limits.questionText)).describe(
    'Open questions, one per entry. The AI reviewer answers what it can; a human gets the rest. A question that begins with HUMAN REQUIRED: goes to a human immediately.',
  ),
};

/** @throws AppError `bad_input` for both */
function markdownOf({ file, markdown }: Pick<DocumentInput, 'file' | 'markdown'>): Markdown | null {
  if (file !== undefined && markdown !== undefined)
    throw new AppError('bad_input', 'markdown: give a file or the text, not both.');
  return file !== undefined ? { file } : markdown !== undefined ? { text: markdown } : null;
}

const additionFields = {
  add_alternatives: someOf(alternative).describe('More alternatives; one with a known name replaces it.'),
  add_questions: someOf(textField(limits.questionText)).describe('More open questions.'),
};

type DocumentInput = z.output<z.ZodObject<typeof documentFields>>;

const standard = ['summary', 'motivation', 'detailed_design', 'implementation_timeline', 'rollback_plan'] as const;

/** The document as the fields give it, without the file. Omitted fields stay omitted. */
function documentChange(input: DocumentInput): DocumentChange {
  const sections: RfcSection[] = [
    ...standard.flatMap((key) => {
      const text = input[key];
      return text === undefined ? [] : [{ key, heading: sectionHeadings[key], text }];
    }),
    ...(input.other_sections ?? []).map(({ heading, text }): RfcSection => ({ key: 'other', heading, text })),
  ];
  return {
    ...(sections.length === 0 ? {} : { sections }),
    ...(input.alternatives === undefined ? {} : { alternatives: input.alternatives.map(alternativeOf) }),
    ...(input.unresolved_questions === undefined ? {} : { questions: questionsOf(input.unresolved_questions) }),
  };
}

/** What is added to the document, besides what replaces a part of it. */
function documentAddition(input: z.output<z.ZodObject<typeof additionFields>>): DocumentChange {
  return {
    ...(input.add_alternatives === undefined ? {} : { addAlternatives: input.add_alternatives.map(alternativeOf) }),
    ...(input.add_questions === undefined ? {} : { addQuestions: questionsOf(input.add_questions) }),
  };
}

function questionsOf(given: readonly string[]) {
  return given.map((text) => ({ text, answered: false }));
}

/** Fields take precedence over the file. `left`: the parts of the file that they replace, which no human will see. */
function mergedChange(
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

function writtenResult(
  context: ToolContext,
  rfc: RfcView,
  left: readonly string[],
): ToolResult<ToolOutputs['propose_rfc']> {
  const text = rfcText(rfc, readerOf(context), context.session.actor.id);
  // The human sees everything that stands in the file.
  if (left.length === 0) return { status: 'ok', text, data: { rfc } };
  const missing = ` Not taken from the file, because your fields replace it: ${left.join(', ')}.`;
  return { status: 'ok', text: text + missing, data: { rfc, left_out: left } };
}

const workIds = (what: string) => many(workIdField).default([]).describe(what);
const contextIds = (what: string) => many(textField(limits.id)).default([]).describe(what);

function contextsOf(context: readonly string[], reasoning: readonly string[]): RfcContext[] {
  return [
    ...context.map((id): RfcContext => ({ id, role: 'context' })),
    ...reasoning.map((id): RfcContext => ({ id, role: 'reasoning' })),
  ];
}

export const proposeRfc = defineOperation({
  name: 'propose_rfc',
  readOnly: false,
  input: z.strictObject({
    title: titleField.optional().describe('Short name for people. Default: the title of the file.'),
    ...documentFields,
    affected_workflows: workIds('Workflows it holds until it is approved. They must be registered.'),
    blocked_tasks: workIds('Tasks it holds until it is approved. They must be registered.'),
    holds: holdsField.default([]),
    context_ids: contextIds('Ids of events, questions or RFCs it builds on, for example "E-12".'),
    reasoning_ids: contextIds('Ids of events, questions or RFCs that the reasoning relies on.'),
    for: addressee
      .optional()
      .describe('A person or responsibility that should review it, for example "ada" or "security". Everyone can.'),
    submit: z.boolean().default(false).describe('True if it is finished: submits it to a human immediately.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    const from = markdownOf(input);
    const file = from ? await importedRfc(workspace, from) : {};
    const title = input.title ?? file.title;
    if (title === undefined) throw new AppError('bad_input', 'title: give one, or a file that begins with a heading.');
    const { change, left } = mergedChange(file, { ...documentChange(input), title });
    const rfc = await propose(store, session, {
      ...change,
      title,
      workflows: input.affected_workflows,
      tasks: input.blocked_tasks,
      holds: input.holds,
      contexts: contextsOf(input.context_ids, input.reasoning_ids),
      for: input.for,
      submit: input.submit,
    });
    return writtenResult(context, rfc, left);
  },
});

const reply = z.strictObject({
  thread: z.int().positive().describe('Number of the thread.'),
  text: note('Your reply.'),
});

export const updateRfc = defineOperation({
  name: 'update_rfc',
  readOnly: false,
  input: z.strictObject({
    id: rfcIdField,
    title: titleField.optional(),
    ...documentFields,
    ...additionFields,
    section: sectionKey
      .exclude(['other'])
      .optional()
      .describe('With file: the file contains only this section. Default: the whole document.'),
    note: note('What you changed, for the reviewers.').optional(),
    replies: many(reply).default([]).describe('Replies to feedback threads.'),
    add_workflows: workIds('More workflows it holds.'),
    add_tasks: workIds('More tasks it holds.'),
    add_holds: holdsField.default([]),
    context_ids: contextIds('More ids of events, questions or RFCs it builds on.'),
    reasoning_ids: contextIds('More ids of events, questions or RFCs that the reasoning relies on.'),
    submit: z.boolean().default(false).describe('True if it is finished: submits it to a human.'),
    hand_to: agentId.optional().describe('An agent that may also change and submit it from now on.'),
    for: addressee
      .optional()
      .describe(
        'The person or responsibility that should review it from now on. "everybody": for no one in particular.',
      ),
    implemented: z.boolean().default(false).describe('True once the approved design is implemented.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    const { change, left } = await documentOf();
    const rfc = await update(store, session, input.id, {
      document: change,
      note: input.note,
      replies: input.replies,
      addWorkflows: input.add_workflows,
      addTasks: input.add_tasks,
      addHolds: input.add_holds,
      addContexts: contextsOf(input.context_ids, input.reasoning_ids),
      submit: input.submit,
      handTo: input.hand_to,
      for: input.for === 'everybody' ? null : input.for,
      implemented: input.implemented,
    });
    return writtenResult(context, rfc, left);

    async function documentOf(): Promise<ReturnType<typeof mergedChange>> {
      const from = markdownOf(input);
      if (from === null && input.section !== undefined)
        throw new AppError(
          'bad_input',
          'section: can only be used with file or markdown. To give the text itself, use the field named after the section.',
        );
      const file = from ? await importedRfc(workspace, from, input.section) : {};
      return mergedChange(file, {
        ...documentChange(input),
        ...documentAddition(input),
        ...(input.title === undefined ? {} : { title: input.title }),
      });
    }
  },
});

export const getRfc = defineOperation({
  name: 'get_rfc',
  readOnly: true,
  input: z.strictObject({
    id: rfcIdField,
    revision: z.int().positive().optional().describe('Returns the text of this revision. Default: the latest.'),
  }),
  async run(context, input) {
    const { workspace } = context;
    const view = (await workspace.store()).read();
    const stored = view.state.rfcs.get(input.id);
    const rfc = rfcView(view, input.id);
    if (!rfc || !stored)
      throw new AppError('not_found', `there is no ${input.id}`, {
        advice: (guide) => `${guide.name('list_rfcs')} lists all.`,
      });
    if (input.revision === undefined) return { status: 'ok', text: rfcInFull(rfc, readerOf(context)), data: { rfc } };
    if (input.revision > stored.revisions.length)
      throw new AppError('not_found', `${input.id} has ${plural(stored.revisions.length, 'revision')}`);
    const document = documentView(documentOf(view, stored, input.revision));
    const author = stored.revisions[input.revision - 1]?.by ?? stored.asker.id;
    const text = [
      `${input.id} "${document.title}", revision ${String(input.revision)} of ${String(stored.revisions.length)}, by ${author}.`,
      ...document.sections.map((section) => `## ${section.heading}\n${section.text}`),
    ].join('\n');
    return {
      status: 'ok',
      text,
      data: { rfc, revision: { number: input.revision, ...document } },
    };
  },
});

export const listRfcs = defineOperation({
  name: 'list_rfcs',
  readOnly: true,
  input: z.strictObject({
    status: rfcStatus.optional(),
    agent: agentId.optional().describe('Only RFCs that this agent proposed.'),
    work_id: workIdField.optional().describe('Only RFCs that mention this work item.'),
    waiting: z.boolean().default(false).describe('Only RFCs that wait for a human.'),
    ...pageFields,
  }),
  async run(context, asked) {
    const input = { ...asked, agent: meantBy(context.session.actor.id, asked.agent) };
    const { workspace } = context;
    const view = (await workspace.store()).read();
    const page = pageOf(context, input);
    const all = rfcsOf(view.state, { ...input, work: input.work_id });
    const waiting = all.filter(isUnderReview).length;
    const rfcs = rfcSummaries(view, all.slice(page.skip, page.skip + page.limit));
    const lines = rfcs.map((rfc) => {
      const work = fewNames([...rfc.affected_workflows, ...rfc.blocked_tasks].map(({ id }) => id));
      const holds = rfc.holding && work !== '' ? ` · holds ${work}` : '';
      const to = rfc.for === null ? '' : ` · for ${rfc.for}`;
      return `${rfc.id} · ${rfc.place} · revision ${String(rfc.revision)} · ${rfc.agent_name}${to}${holds} · ${firstLine(rfc.title, context.listsAll ? 120 : 60)}`;
    });
    const total = all.length;
    const what = `${plural(total, 'RFC')}, ${String(waiting)} waiting for a human`;
    const text = pageText(context, page, { lines, total, what });
    return { status: 'ok', text, data: { rfcs, total, waiting_count: waiting } };
  },
});

/** Loads the parser of Markdown, which is large, with the first document. */
async function importedRfc(...given: Parameters<typeof importRfc>): Promise<ReturnType<typeof importRfc>> {
  return (await import('../../app/rfc/rfcs.ts')).importRfc(...given);
}
