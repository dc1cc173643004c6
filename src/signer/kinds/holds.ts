/** Decisions on the files that a question or an RFC holds. */
import * as z from 'zod';
import { list, main, shows } from './kind.ts';
import type { Decision, Row, Show, Translator } from './kind.ts';
import { questionModel, questionRows } from './questions.ts';
import { rfcModel, rfcRows } from './rfcs.ts';

/** A question or an RFC. */
const holderModel = z.union([questionModel, rfcModel]);
type Holder = z.infer<typeof holderModel>;

function isQuestion<One extends Holder>(holder: One): holder is Extract<One, z.infer<typeof questionModel>> {
  return 'asker' in holder;
}

/** @param widened whether it holds all files from then on */
function holderRows(before: Holder, { widened, effect }: Scope, l10n: Translator): Row[] {
  const holder = { ...before, widened: widened ? true : undefined };
  return isQuestion(holder)
    ? [main(l10n.t('Question'), holder.text), main(l10n.t('Effect'), effect), ...questionRows(holder, l10n)]
    : [main(l10n.t('RFC'), holder.title), main(l10n.t('Effect'), effect), ...rfcRows(holder, l10n)];
}

interface Scope {
  readonly widened: boolean;
  readonly effect: string;
}

function scope<R extends Decision<'hold.widened' | 'hold.narrowed'>>(
  title: (l10n: Translator, id: string) => string,
  effect: (l10n: Translator) => string,
): Show<R> {
  return shows<R, Holder>({
    model: holderModel,
    fits: ({ record, content }) => content.id === record.id,
    describe: ({ record, content }, l10n) => ({
      title: title(l10n, record.id),
      rows: holderRows(content, { widened: record.kind === 'hold.widened', effect: effect(l10n) }, l10n),
    }),
  });
}

const text = z.string();
const hash = text.nullable();
const changed = {
  changes: z.array(z.looseObject({ path: text, was: hash, is: hash })).optional(),
  lost: z.unknown().optional(),
};
const changedModel = z.union([questionModel.extend(changed), rfcModel.extend(changed)]);
/** Also of a question that was answered. */
const subjectModel = z.union([
  changedModel,
  z.looseObject({ question: changedModel }).transform((one) => one.question),
]);
type Subject = z.infer<typeof subjectModel>;

/** Whether each accepted change, and that some are not known, is what was shown. */
function areShown({ files, lost, id }: Decision<'hold.changeAccepted'>, shown: Subject): boolean {
  const known = shown.changes ?? [];
  const isShown = (file: (typeof files)[number]) =>
    known.some(({ path, was, is }) => path === file.path && was === file.was && is === file.is);
  return shown.id === id && files.every(isShown) && (lost === undefined || shown.lost !== undefined);
}

function changeWords(files: Decision<'hold.changeAccepted'>['files'], l10n: Translator): string {
  const short = (content: string | null) => (content === null ? l10n.t('no file') : content.slice(0, 12));
  return list(files.map(({ path, was, is }) => l10n.t('{0}: {1}, before {2}', path, short(is), short(was))));
}

export const shownHoldDecisions = {
  'hold.widened': scope<Decision<'hold.widened'>>(
    (l10n, id) => l10n.t('Hold all files with {0}', id),
    (l10n) => l10n.t('No agent may edit any file of the workspace until this is decided.'),
  ),
  'hold.narrowed': scope<Decision<'hold.narrowed'>>(
    (l10n, id) => l10n.t('Hold only the named files with {0}', id),
    (l10n) => l10n.t('Agents may edit the other files again.'),
  ),
  'hold.changeAccepted': shows<Decision<'hold.changeAccepted'>, Subject>({
    model: subjectModel,
    fits: ({ record, content }) => areShown(record, content),
    describe: ({ record, content }, l10n) => ({
      title: l10n.t('Accept changes of held files of {0}', record.id),
      rows: [
        isQuestion(content) ? main(l10n.t('Question'), content.text) : main(l10n.t('RFC'), content.title),
        ...(record.files.length === 0 ? [] : [main(l10n.t('Accepted changes'), changeWords(record.files, l10n))]),
        ...(record.lost === undefined
          ? []
          : [main(l10n.t('Accepted, too'), l10n.t('changes that are not known: their record was lost'))]),
        {
          label: l10n.t('Not shown here'),
          text: l10n.t('The contents: the signature names their hashes. Compare them in the form.'),
        },
        ...(isQuestion(content) ? questionRows(content, l10n) : rfcRows(content, l10n)),
      ],
    }),
  }),
};
