/** Notes of the project memory, in the person's name. */
import * as z from 'zod';
import { list, main, optional, RefusedRequest, shows } from './kind.ts';
import type { Decision, Raw, Row, Show, Translator } from './kind.ts';

const text = z.string();
const postModel = z.strictObject({ type: text, text, priority: text, scopes: z.array(text) });
const proposal = z.looseObject({ how: text, reason: text.nullable(), by: text.nullable(), agent: text });
const eventModel = z.strictObject({
  id: text,
  /** Hash of the note. */
  content: text,
  status: text.nullable(),
  proposal: proposal.nullable(),
});
const notedModel = postModel.extend({ author: text, at: text });
type Noted = z.infer<typeof notedModel>;

/** A decision on a note that exists, whose text the record names by its hash. */
function onEvent<R extends Decision<'event.closedByHuman' | 'event.proposalDeclined'>>(
  title: (l10n: Translator, id: string) => string,
  decided: (record: R, l10n: Translator) => readonly Row[],
): Show<R> {
  return (raw) => {
    const note = noteOf(raw);
    return shows<R, z.infer<typeof eventModel>>({
      model: eventModel,
      fits: ({ record, content }) => content.id === record.id && content.content === record.content,
      describe: ({ record, content }, l10n) => ({
        title: title(l10n, record.id),
        rows: [
          main(l10n.t('Note'), note.text),
          ...decided(record, l10n),
          { label: l10n.t('Author'), text: note.author },
          ...noteRows(note, l10n),
          ...optional(
            l10n.t('An agent proposes to close it'),
            content.proposal && list([content.proposal.agent, content.proposal.reason ?? content.proposal.by ?? '']),
          ),
        ],
      }),
    })(raw);
  };
}

function noteOf({ record, part }: Raw<Decision<'event.closedByHuman' | 'event.proposalDeclined'>>): Noted {
  const note = notedModel.safeParse(part(record.content)).data;
  if (!note) throw new RefusedRequest('the text of the note is missing');
  return note;
}

function noteRows({ type, priority, scopes }: z.infer<typeof postModel>, l10n: Translator): Row[] {
  return [
    { label: l10n.t('Type'), text: type },
    { label: l10n.t('Priority'), text: priority },
    { label: l10n.t('For files'), text: scopes.length === 0 ? l10n.t('all files of the workspace') : list(scopes) },
  ];
}

export const shownEventDecisions = {
  'event.postedByHuman': shows<Decision<'event.postedByHuman'>, z.infer<typeof postModel>>({
    model: postModel,
    fits: ({ record, content }) =>
      content.type === record.type &&
      content.text === record.text &&
      content.priority === record.priority &&
      list(content.scopes) === list(record.scopes),
    describe: ({ record, content }, l10n) => ({
      title: l10n.t('Post {0} in your name', record.id),
      rows: [
        main(l10n.t('Note'), content.text),
        ...noteRows(content, l10n),
        ...optional(l10n.t('Related'), list(record.related)),
      ],
    }),
  }),
  'event.closedByHuman': onEvent<Decision<'event.closedByHuman'>>(
    (l10n, id) => l10n.t('Close {0}', id),
    ({ how, reason, by }, l10n) => [
      main(
        l10n.t('Effect'),
        how === 'resolved' ? l10n.t('It no longer applies.') : l10n.t('{0} replaces it.', by ?? '?'),
      ),
      ...(reason === undefined ? [] : [main(l10n.t('Your reason'), reason)]),
    ],
  ),
  'event.proposalDeclined': onEvent<Decision<'event.proposalDeclined'>>(
    (l10n, id) => l10n.t('Keep {0}', id),
    ({ reason }, l10n) => [
      main(l10n.t('Effect'), l10n.t('It stays active, against the agent’s proposal.')),
      ...optional(l10n.t('Your reason'), reason),
    ],
  ),
};
