/** Verdicts on RFCs, and remarks. */
import * as z from 'zod';
import { rfcDocument } from '../../core/records/rfc.ts';
import type { RfcDocument } from '../../core/records/rfc.ts';
import { list, main, optional, RefusedRequest, shows } from './kind.ts';
import type { Decision, Raw, Row, Show, Translator } from './kind.ts';
import { filesOf, namedOr } from './questions.ts';
import { textsOf, threadModel, threadRow } from './threads.ts';

const text = z.string();
const texts = z.array(text);
const number = z.int();
const revision = z.looseObject({ number, hash: text, by: text });
const openQuestion = z.looseObject({ number, text, state: text.optional() });

export const rfcModel = z.looseObject({
  id: text,
  status: text,
  title: text,
  revision,
  workflows: texts,
  tasks: texts,
  holds: texts,
  widened: z.unknown().optional(),
  threads: z.array(threadModel),
  questions: z.array(openQuestion),
});
type ShownRfc = z.infer<typeof rfcModel>;

type Verdict = 'rfc.approved' | 'rfc.changesRequested' | 'rfc.rejected' | 'rfc.withdrawn';

function verdict<R extends Decision<Verdict>>(
  title: (l10n: Translator, id: string) => string,
  decided: (record: R, rfc: ShownRfc, l10n: Translator) => readonly Row[],
): Show<R> {
  return (raw) => {
    const { rfc, document } = documentWith(raw);
    const threads = rfc.threads.map((thread) => ({ thread, texts: textsOf(rfc.id, thread, raw.part) }));
    return shows<R, ShownRfc>({
      model: rfcModel,
      fits: ({ record, content }) => content.id === record.id && isLatest(record, content),
      describe: ({ record, content }, l10n) => ({
        title: title(l10n, content.id),
        rows: [
          main(l10n.t('RFC'), content.title),
          ...decided(record, content, l10n),
          ...rfcRows(content, l10n),
          { label: l10n.t('Document'), text: documentText(document, l10n), isDocument: true },
          ...threads.map(({ thread, texts }) => threadRow(thread, texts, l10n)),
        ],
      }),
    })(raw);
  };
}

/** A withdrawal names no revision; an approval also names its text. */
function isLatest(record: Decision<Verdict>, { revision: latest }: ShownRfc): boolean {
  if ('hash' in record && record.hash !== latest.hash) return false;
  return !('revision' in record) || record.revision === latest.number;
}

/** The text of the latest revision: a person must be able to read what they decide on. */
function documentWith({ shown, part }: Raw<Decision<Verdict>>): { rfc: ShownRfc; document: RfcDocument } {
  const rfc = rfcModel.safeParse(shown).data;
  if (!rfc) throw new RefusedRequest('the content is of another item');
  const found = rfcDocument.safeParse(part(rfc.revision.hash)).data;
  if (!found) throw new RefusedRequest('the text of the revision is missing');
  return { rfc, document: found };
}

interface Remarked {
  readonly id: string;
}

/** A remark on a part of an RFC. */
function remark<
  R extends Decision<'rfc.commented' | 'rfc.threadReplied' | 'rfc.threadResolved'>,
  Content extends Remarked,
>(
  model: z.ZodType<Content>,
  about: {
    readonly fits: (record: R, content: Content) => boolean;
    readonly title: (l10n: Translator, id: string) => string;
    readonly rows: (record: R, content: Content, l10n: Translator) => readonly Row[];
  },
): Show<R> {
  return shows<R, Content>({
    model,
    fits: ({ record, content }) => content.id === record.id && about.fits(record, content),
    describe: ({ record, content }, l10n) => ({
      title: about.title(l10n, record.id),
      rows: about.rows(record, content, l10n),
    }),
  });
}

const inThread = z.looseObject({ id: text, thread: threadModel });
const commentedModel = z.looseObject({ id: text, revision });
const questionedModel = z.looseObject({ id: text, question: openQuestion });

/** An act on a thread, which is shown with its texts. */
function onThread<R extends Decision<'rfc.threadReplied' | 'rfc.threadResolved'>>(
  title: (l10n: Translator, id: string) => string,
  decided: (record: R, l10n: Translator) => readonly Row[],
): Show<R> {
  return (raw) => {
    const found = inThread.safeParse(raw.shown).data;
    const texts = found ? textsOf(found.id, found.thread, raw.part) : null;
    return remark<R, z.infer<typeof inThread>>(inThread, {
      fits: (record, { thread }) => thread.number === record.thread,
      title,
      rows: (record, { thread }, l10n) => [...decided(record, l10n), threadRow(thread, texts, l10n)],
    })(raw);
  };
}

export const shownRfcDecisions = {
  'rfc.approved': verdict<Decision<'rfc.approved'>>(
    (l10n, id) => l10n.t('Approve {0}', id),
    ({ conditions, constraints, waived = [] }, rfc, l10n) => {
      const left = waived.map(({ question }) => rfc.questions.find((one) => one.number === question)?.text ?? '?');
      return [
        ...conditions.map((condition) => main(l10n.t('Condition'), condition)),
        ...constraints.map((constraint) => main(l10n.t('Constraint'), constraint)),
        ...left.map((open) => main(l10n.t('May stay unanswered'), open)),
      ];
    },
  ),
  'rfc.changesRequested': verdict<Decision<'rfc.changesRequested'>>(
    (l10n, id) => l10n.t('Request changes of {0}', id),
    ({ reason }, _, l10n) => [main(l10n.t('Your reason'), reason)],
  ),
  'rfc.rejected': verdict<Decision<'rfc.rejected'>>(
    (l10n, id) => l10n.t('Reject {0}', id),
    ({ reason, then }, _, l10n) => [
      main(l10n.t('Your reason'), reason),
      main(
        l10n.t('Effect'),
        then === 'stop' ? l10n.t('The work is cancelled.') : l10n.t('The work continues another way.'),
      ),
    ],
  ),
  'rfc.withdrawn': verdict<Decision<'rfc.withdrawn'>>(
    (l10n, id) => l10n.t('Withdraw {0}', id),
    ({ reason }, _, l10n) => [main(l10n.t('Your reason'), reason)],
  ),
  'rfc.commented': remark<Decision<'rfc.commented'>, z.infer<typeof commentedModel>>(commentedModel, {
    fits: (record, content) => content.revision.number === record.revision,
    title: (l10n, id) => l10n.t('Comment on {0}', id),
    rows: ({ section, quote, text: said, blocking, type }, content, l10n) => [
      main(l10n.t('Your comment'), said),
      ...optional(l10n.t('Section'), section?.heading),
      ...optional(l10n.t('Quote'), quote),
      { label: l10n.t('Type'), text: type },
      { label: l10n.t('Blocks the approval'), text: blocking ? l10n.t('yes') : l10n.t('no') },
      { label: l10n.t('Revision'), text: String(content.revision.number) },
    ],
  }),
  'rfc.threadReplied': onThread<Decision<'rfc.threadReplied'>>(
    (l10n, id) => l10n.t('Reply in {0}', id),
    (record, l10n) => [main(l10n.t('Your reply'), record.text)],
  ),
  'rfc.threadResolved': onThread<Decision<'rfc.threadResolved'>>(
    (l10n, id) => l10n.t('Resolve a thread of {0}', id),
    () => [],
  ),
  'rfc.answerOverruled': shows<Decision<'rfc.answerOverruled'>, z.infer<typeof questionedModel>>({
    model: questionedModel,
    fits: ({ record, content }) => content.id === record.id && content.question.number === record.question,
    describe: ({ record, content }, l10n) => ({
      title: l10n.t('Answer a question of {0} yourself', record.id),
      rows: [
        main(l10n.t('Question'), content.question.text),
        ...optional(l10n.t('Your reason'), record.reason),
        { label: l10n.t('Effect'), text: l10n.t('No model’s answer counts for it. It waits for a person.') },
      ],
    }),
  }),
};

/** What the RFC is about, and what it holds. */
export function rfcRows(rfc: ShownRfc, l10n: Translator): Row[] {
  const { number: latest, by, hash } = rfc.revision;
  return [
    { label: l10n.t('Revision'), text: l10n.t('{0} by {1} ({2})', latest, by, hash.slice(0, 8)) },
    { label: l10n.t('Held work'), text: namedOr([...rfc.workflows, ...rfc.tasks], l10n) },
    { label: l10n.t('Held files'), text: filesOf(rfc.holds, rfc.widened !== undefined, l10n) },
    ...optional(l10n.t('Questions in it'), list(rfc.questions.map((one) => one.text))),
  ];
}

/** The document as plain text, complete. */
function documentText({ title, sections, alternatives, questions }: RfcDocument, l10n: Translator): string {
  const parts = [
    title,
    ...sections.map(({ heading, text: body }) => `${heading}\n${body}`),
    ...alternatives.map(({ name, description, pros, cons, effortEstimate }) =>
      list([
        l10n.t('Alternative: {0}', name),
        ...[description, ...pros.map((pro) => `+ ${pro}`), ...cons.map((con) => `- ${con}`), effortEstimate].filter(
          (line) => line !== undefined,
        ),
      ]),
    ),
    ...questions.map(({ text: asked, answer, choices = [] }) =>
      list([
        l10n.t('Open question: {0}', asked),
        ...choices.map(({ label }) => `- ${label}`),
        ...(answer === undefined ? [] : [answer]),
      ]),
    ),
  ];
  return parts.join('\n\n');
}
