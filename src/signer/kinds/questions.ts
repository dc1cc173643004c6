/** Decisions on questions. */
import * as z from 'zod';
import { answerLine } from '../../core/kit/answerLine.ts';
import type { RecordNotes } from '../../core/kit/questionNotes.ts';
import { list, main, moment, optional, shows } from './kind.ts';
import type { Decision, Row, Show, Translator } from './kind.ts';

const text = z.string();
const texts = z.array(text);
const note = text.optional();

/** The compiler asks for each of `questionNotes`. */
const noteFields = { background: note, context: note, impact: note, ifDelayed: note, assumption: note, for: note };

/** The parts of a question that are read first; all of it is below them. */
export const questionModel = z.looseObject({
  id: text,
  text,
  type: text,
  urgency: text,
  mode: text,
  asker: text,
  work: text.nullable(),
  alsoWork: texts.optional(),
  /** Globs of the files that it holds. */
  scopes: texts,
  /** Set while a human holds all files with it. */
  widened: z.unknown().optional(),
  choices: z.array(z.looseObject({ label: text, description: text.optional() })),
  ...(noteFields satisfies Readonly<Record<keyof RecordNotes, unknown>>),
  payload: text.optional(),
  alternatives: texts.optional(),
  files: z.array(z.looseObject({ path: text })).optional(),
});
type ShownQuestion = z.infer<typeof questionModel>;

export const given = z.looseObject({
  choices: texts,
  text: text.optional(),
  effect: z.enum(['proceed', 'do_not', 'stop']).optional(),
});
const resolutionModel = z.looseObject({
  how: text,
  answer: given.nullish(),
  note: text.nullish(),
  by: text.optional(),
  at: text.optional(),
  precedent: text.optional(),
});
const answerModel = z.looseObject({ question: questionModel, resolution: resolutionModel });

type OnQuestion = 'question.answered' | 'question.cancelled' | 'question.released' | 'question.askedBack';

/** A decision on a question that is shown as it is asked. */
function onQuestion<R extends Decision<OnQuestion>>(
  title: (l10n: Translator, id: string) => string,
  decided: (record: R, l10n: Translator) => readonly Row[],
): Show<R> {
  return shows<R, ShownQuestion>({
    model: questionModel,
    fits: ({ record, content }) => content.id === record.id,
    describe: ({ record, content }, l10n) => ({
      title: title(l10n, content.id),
      rows: [main(l10n.t('Question'), content.text), ...decided(record, l10n), ...questionRows(content, l10n)],
    }),
  });
}

/** A decision on an answer that was given. */
function onAnswer<R extends Decision<'answer.revoked' | 'refusal.lifted' | 'precedent.takenBack'>>(
  title: (l10n: Translator, id: string) => string,
): Show<R> {
  return shows<R, z.infer<typeof answerModel>>({
    model: answerModel,
    fits: ({ record, content }) => content.question.id === record.id,
    describe: ({ record, content: { question, resolution } }, l10n) => ({
      title: title(l10n, question.id),
      rows: [
        main(l10n.t('Question'), question.text),
        main(l10n.t('Your reason'), record.reason),
        ...resolutionRows(resolution, l10n),
        ...questionRows(question, l10n),
      ],
    }),
  });
}

/** What is in force until this decision. */
function resolutionRows(
  { how, answer, note: said, by, at, precedent }: z.infer<typeof resolutionModel>,
  l10n: Translator,
): Row[] {
  return [
    { label: l10n.t('Until now'), text: answer ? givenWords(answer, l10n) : how },
    ...optional(l10n.t('Note'), said),
    ...optional(l10n.t('Signed by'), [by, at && moment(at)].filter((part) => part !== undefined).join(', ')),
    ...optional(l10n.t('By the precedent'), precedent),
  ];
}

export function givenWords({ choices, text: said, effect }: z.infer<typeof given>, l10n: Translator): string {
  const answer = answerLine({ choices, text: said });
  return list([...(answer === '' ? [] : [answer]), ...(effect === undefined ? [] : [effectWords(effect, l10n)])]);
}

export const shownQuestionDecisions = {
  'question.answered': onQuestion<Decision<'question.answered'>>(
    (l10n, id) => l10n.t('Answer {0}', id),
    ({ id, answer, together = [] }, l10n) => [
      ...answer.choices.map((choice) => main(l10n.t('Your choice'), choice)),
      ...(answer.text === undefined ? [] : [main(l10n.t('Your answer'), answer.text)]),
      ...optional(l10n.t('Effect'), answer.effect && effectWords(answer.effect, l10n)),
      ...optional(l10n.t('Answered together with'), othersIn(together, id)),
    ],
  ),
  'question.cancelled': onQuestion<Decision<'question.cancelled'>>(
    (l10n, id) => l10n.t('Cancel {0}', id),
    ({ reason }, l10n) => [main(l10n.t('Your reason'), reason)],
  ),
  'question.released': onQuestion<Decision<'question.released'>>(
    (l10n, id) => l10n.t('Release {0} without an answer', id),
    ({ note }, l10n) => [main(l10n.t('Your note'), note)],
  ),
  'question.askedBack': onQuestion<Decision<'question.askedBack'>>(
    (l10n, id) => l10n.t('Ask the agent about {0}', id),
    ({ text: asked }, l10n) => [main(l10n.t('Your question to the agent'), asked)],
  ),
  'answer.revoked': onAnswer<Decision<'answer.revoked'>>((l10n, id) => l10n.t('Stop reusing the answer to {0}', id)),
  'refusal.lifted': onAnswer<Decision<'refusal.lifted'>>((l10n, id) => l10n.t('Lift the refusal of {0}', id)),
  'precedent.takenBack': onAnswer<Decision<'precedent.takenBack'>>((l10n, id) =>
    l10n.t('Take back the answer that a precedent gave to {0}', id),
  ),
};

/** Ids of the other questions of the act; undefined for an answer by itself. */
function othersIn(together: readonly { readonly id: string }[], own: string): string | undefined {
  const others = together.flatMap(({ id }) => (id === own ? [] : [id]));
  return others.length === 0 ? undefined : others.join('\n');
}

export function effectWords(effect: 'proceed' | 'do_not' | 'stop', l10n: Translator): string {
  switch (effect) {
    case 'proceed':
      return l10n.t('It may be done.');
    case 'do_not':
      return l10n.t('It must not be done until you lift this.');
    case 'stop':
      return l10n.t('The work is cancelled.');
  }
}

/** Who asks, and what the question holds. */
export function questionRows(question: ShownQuestion, l10n: Translator): Row[] {
  const { asker, urgency, type, mode, work, alsoWork = [], scopes, widened, choices } = question;
  const { files = [], alternatives = [], payload } = question;
  const items = [...(work === null ? [] : [work]), ...alsoWork];
  return [
    { label: l10n.t('Agent'), text: asker },
    ...noteRows(question, l10n),
    { label: l10n.t('Urgency'), text: urgency },
    { label: l10n.t('Type'), text: type },
    { label: l10n.t('The agent waits'), text: mode === 'sync' ? l10n.t('yes') : l10n.t('no, it continues') },
    { label: l10n.t('Held work'), text: namedOr(items, l10n) },
    { label: l10n.t('Held files'), text: filesOf(scopes, widened !== undefined, l10n) },
    ...optional(l10n.t('Choices'), list(choices.map(choiceWords))),
    ...optional(l10n.t('Files it names'), list(files.map(({ path }) => path))),
    ...optional(l10n.t('Already considered'), list(alternatives)),
    ...(payload === undefined ? [] : [{ label: l10n.t('Payload'), text: payload, isDocument: true }]),
  ];
}

function noteRows(question: ShownQuestion, l10n: Translator): Row[] {
  const { background, context, impact, ifDelayed, assumption, for: addressee } = question;
  return [
    ...optional(l10n.t('For'), addressee),
    ...optional(l10n.t('Background'), background),
    ...optional(l10n.t('Context'), context),
    ...optional(l10n.t('Impact'), impact),
    ...optional(l10n.t('If this waits'), ifDelayed),
    ...optional(l10n.t('Continues, assuming'), assumption),
  ];
}

export function choiceWords({
  label,
  description,
}: {
  readonly label: string;
  readonly description?: string | undefined;
}): string {
  return description === undefined ? label : `${label}: ${description}`;
}

export function filesOf(scopes: readonly string[], areAll: boolean, l10n: Translator): string {
  return areAll ? l10n.t('all files of the workspace') : namedOr(scopes, l10n);
}

export function namedOr(names: readonly string[], l10n: Translator): string {
  return names.length === 0 ? l10n.t('none named') : list(names);
}
