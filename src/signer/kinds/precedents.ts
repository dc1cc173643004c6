/** Precedents: what they match and answer, and the earlier questions that they would have answered. */
import * as z from 'zod';
import { canonicalJson } from '../../trust/canonical.ts';
import { list, main, moment, optional, shows } from './kind.ts';
import type { Decision, Row, Translator } from './kind.ts';
import { choiceWords, effectWords, given, givenWords, namedOr } from './questions.ts';

const text = z.string();
const texts = z.array(text);

const termsModel = z.looseObject({
  id: text,
  from: text,
  work: texts.nullable(),
  globs: texts,
  type: text,
  text,
  more: z.record(text, text),
  choices: z.array(z.looseObject({ label: text, description: text.optional() })),
  answer: given,
  until: text,
  uses: z.int(),
});
type Terms = z.infer<typeof termsModel>;

const earlierModel = z.looseObject({ id: text, text, status: text, answer: given.nullable() });
const setModel = z.looseObject({ precedent: termsModel, earlier: z.array(earlierModel) });
const endedModel = z.looseObject({ precedent: termsModel, by: text, at: text });

function termsRows(terms: Terms, l10n: Translator): Row[] {
  const { text: question, answer, work, globs, type, choices, more, from, until, uses } = terms;
  return [
    main(l10n.t('Questions with this text'), question),
    ...answer.choices.map((choice) => main(l10n.t('Your choice'), choice)),
    ...(answer.text === undefined ? [] : [main(l10n.t('Your answer'), answer.text)]),
    ...optional(l10n.t('Effect'), answer.effect && effectWords(answer.effect, l10n)),
    main(l10n.t('Maximum number of questions'), String(uses)),
    main(l10n.t('Until'), moment(until)),
    { label: l10n.t('Only about these files'), text: namedOr(globs, l10n) },
    { label: l10n.t('Only about this work'), text: work === null ? l10n.t('any work, or none') : list(work) },
    { label: l10n.t('Type'), text: type },
    ...optional(l10n.t('Choices'), list(choices.map(choiceWords))),
    ...Object.entries(more).map(([name, source]) => ({
      label: l10n.t('Only with this text: {0}', name),
      text: source,
    })),
    { label: l10n.t('From the answer to'), text: from },
  ];
}

function earlierWords({ id, status, text: question, answer }: z.infer<typeof earlierModel>, l10n: Translator): string {
  const asked = `${id} (${status}): ${question}`;
  return answer === null ? asked : `${asked}\n${l10n.t('Answered: {0}', givenWords(answer, l10n))}`;
}

export const shownPrecedentDecisions = {
  'precedent.set': shows<Decision<'precedent.set'>, z.infer<typeof setModel>>({
    model: setModel,
    fits: ({ record: { kind: _, v: __, ...terms }, content }) =>
      canonicalJson(terms) === canonicalJson(content.precedent),
    describe: ({ content: { precedent, earlier } }, l10n) => ({
      title: l10n.t('Always answer such questions: {0}', precedent.id),
      rows: [
        ...termsRows(precedent, l10n),
        {
          label: l10n.t('It would have answered {0} earlier questions', earlier.length),
          text: earlier.map((one) => earlierWords(one, l10n)).join('\n\n'),
          isDocument: true,
        },
      ],
    }),
  }),
  'precedent.ended': shows<Decision<'precedent.ended'>, z.infer<typeof endedModel>>({
    model: endedModel,
    fits: ({ record, content }) => content.precedent.id === record.id,
    describe: ({ record, content: { precedent, by, at } }, l10n) => ({
      title: l10n.t('End the precedent {0}', record.id),
      rows: [
        main(l10n.t('Your reason'), record.reason),
        ...termsRows(precedent, l10n),
        { label: l10n.t('Signed before'), text: `${by}, ${moment(at)}` },
      ],
    }),
  }),
};
