/** Requests between responsibilities, in the person's name. */
import * as z from 'zod';
import { askedContent } from '../../core/request/request.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { json, list, main, optional, RefusedRequest, shows } from './kind.ts';
import type { Decision, Raw, Row, Show, Translator } from './kind.ts';
import { namedOr } from './questions.ts';

const text = z.string();
const askedModel = z.looseObject({
  ask: z.looseObject({ type: text, payload: z.record(text, z.unknown()) }),
  origin: text,
  target: text,
  subject: text,
  summary: text,
});
type Asked = z.infer<typeof askedModel>;

const requestModel = z.looseObject({
  id: text,
  /** Hash of what is asked. */
  content: text,
  status: text,
  /** Whom it is for now: it may have been passed on. */
  target: text,
});

/** A response to a request that exists, whose text the record names by its hash. */
function response<R extends Decision<'request.movedByHuman' | 'request.stepRecordedByHuman'>>(
  title: (record: R, l10n: Translator) => string,
  decided: (record: R, l10n: Translator) => readonly Row[],
): Show<R> {
  return (raw) => {
    const asked = askedOf(raw);
    return shows<R, z.infer<typeof requestModel>>({
      model: requestModel,
      fits: ({ record, content }) => content.id === record.id && content.content === record.content,
      describe: ({ record, content }, l10n) => ({
        title: title(record, l10n),
        rows: [
          main(l10n.t('Request'), asked.subject),
          ...decided(record, l10n),
          ...askedRows({ ...asked, target: content.target }, l10n),
          { label: l10n.t('Status'), text: content.status },
        ],
      }),
    })(raw);
  };
}

function askedOf({ record, part }: Raw<Decision<'request.movedByHuman' | 'request.stepRecordedByHuman'>>): Asked {
  const asked = askedModel.safeParse(part(record.content)).data;
  if (!asked) throw new RefusedRequest('the text of the request is missing');
  return asked;
}

function askedRows({ ask, origin, target, summary }: Asked, l10n: Translator): Row[] {
  return [
    { label: l10n.t('Text'), text: summary },
    { label: l10n.t('From'), text: origin },
    { label: l10n.t('To'), text: target },
    { label: l10n.t('Type'), text: ask.type },
    { label: l10n.t('Details'), text: json(ask.payload) },
  ];
}

const appointmentModel = z.strictObject({
  id: text,
  kind: text,
  name: text,
  agents: z.array(text),
  before: z.strictObject({ name: text, agents: z.array(text) }).nullable(),
});

export const shownRequestDecisions = {
  'request.createdByHuman': shows<Decision<'request.createdByHuman'>, Asked>({
    model: askedModel,
    fits: ({ record, shown }) => canonicalJson(askedContent(record)) === canonicalJson(shown),
    describe: ({ record, content }, l10n) => ({
      title: l10n.t('Send {0} in your name', record.id),
      rows: [
        main(l10n.t('Request'), content.subject),
        ...askedRows(content, l10n),
        ...optional(l10n.t('Due'), record.dueAt),
      ],
    }),
  }),
  'request.movedByHuman': response<Decision<'request.movedByHuman'>>(
    ({ act, id }, l10n) => l10n.t('Respond to {0}: {1}', id, act),
    ({ act, note, until }, l10n) => [
      main(l10n.t('Your response'), act),
      ...(note === undefined ? [] : [main(l10n.t('Your note'), note)]),
      ...optional(l10n.t('Until'), until),
    ],
  ),
  'request.stepRecordedByHuman': response<Decision<'request.stepRecordedByHuman'>>(
    ({ step, id }, l10n) => l10n.t('Record a step of {0}: {1}', id, step),
    ({ note, requests }, l10n) => [
      main(l10n.t('Your note'), note),
      ...optional(l10n.t('Passed on with'), list(requests)),
    ],
  ),
  'responsibility.appointed': shows<Decision<'responsibility.appointed'>, z.infer<typeof appointmentModel>>({
    model: appointmentModel,
    fits: ({ record, content }) =>
      content.id === record.id &&
      content.kind === record.responsibilityKind &&
      content.name === record.name &&
      list(content.agents) === list(record.agents),
    describe: ({ content: { id, kind, name, agents, before } }, l10n) => ({
      title: l10n.t('Appoint {0}', id),
      rows: [
        main(l10n.t('Name'), name),
        main(l10n.t('Agents that act for it'), namedOr(agents, l10n)),
        { label: l10n.t('Type'), text: kind },
        ...(before === null
          ? []
          : [{ label: l10n.t('Before'), text: list([before.name, namedOr(before.agents, l10n)]) }]),
      ],
    }),
  }),
};
