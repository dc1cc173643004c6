/** Recovery of a damaged journal. Its content is the diagnosis of the remote machine: this side cannot read that journal. */
import * as z from 'zod';
import { list, main, moment, optional, shows } from './kind.ts';
import type { Decision, Row, Show, Translator } from './kind.ts';

const text = z.string();
const count = z.int();
const impossible = z.strictObject({ why: text });
const diagnosisModel = z.strictObject({
  problem: text,
  what: text,
  copy: z.union([z.strictObject({ lastAct: text, acts: count }), impossible]),
  damage: z.union([z.strictObject({ from: count, to: count, bytesHash: text, resumes: text }), impossible]),
  startAnew: z.union([z.strictObject({ loses: count }), impossible]),
  open: z.array(text),
});
type Diagnosis = z.infer<typeof diagnosisModel>;
type Recovery = Decision<'journal.lineSetAside' | 'journal.restored' | 'journal.startedAnew'>;

interface About<R extends Recovery> {
  readonly title: (l10n: Translator) => string;
  /** Whether the record does what the diagnosis offers. */
  readonly fits: (record: R, diagnosis: Diagnosis) => boolean;
  readonly rows: (record: R, diagnosis: Diagnosis, l10n: Translator) => readonly Row[];
}

function recovery<R extends Recovery>({ title, fits, rows }: About<R>): Show<R> {
  return shows<R, Diagnosis>({
    model: diagnosisModel,
    fits: ({ record, content }) => fits(record, content),
    describe: ({ record, content }, l10n) => ({
      title: title(l10n),
      rows: [
        main(l10n.t('What is wrong'), content.what),
        ...rows(record, content, l10n),
        {
          label: l10n.t('Open questions that can be read'),
          text: content.open.length === 0 ? l10n.t('none') : list(content.open),
        },
        {
          label: l10n.t('Not checked here'),
          text: l10n.t(
            'The remote machine says this about its journal, which Holdpoint Signer cannot read. The signature covers exactly one journal: the one whose last hash is in “Everything that is signed”.',
          ),
        },
      ],
    }),
  });
}

/** As the remote machine computes it: -1 where the readable part is shorter than the copy. */
function lostActs({ copy, startAnew }: Diagnosis): number | null {
  if ('why' in copy || 'why' in startAnew) return null;
  return startAnew.loses >= copy.acts ? startAnew.loses - copy.acts : -1;
}

function readableActs({ startAnew }: Diagnosis, l10n: Translator): Row[] {
  return 'why' in startAnew ? [] : [{ label: l10n.t('Acts that can be read'), text: String(startAnew.loses) }];
}

function copyRows({ copy }: Diagnosis, l10n: Translator): Row[] {
  if ('why' in copy) return [];
  return [
    { label: l10n.t('Last act in the copy'), text: moment(copy.lastAct) },
    { label: l10n.t('Acts in the copy'), text: String(copy.acts) },
  ];
}

export const shownRecoveries = {
  'journal.restored': recovery<Decision<'journal.restored'>>({
    title: (l10n) => l10n.t('Restore the editor’s copy of the journal'),
    fits: ({ lost }, diagnosis) => lost === lostActs(diagnosis),
    rows: ({ lost }, diagnosis, l10n) => [
      main(
        l10n.t('Effect'),
        l10n.t(
          'What was done after the copy was made is lost, including questions that hold work. The current journal is kept under another name.',
        ),
      ),
      main(l10n.t('Lost acts'), lost < 0 ? l10n.t('not known: not all of the journal can be read') : String(lost)),
      ...copyRows(diagnosis, l10n),
      ...readableActs(diagnosis, l10n),
    ],
  }),
  'journal.lineSetAside': recovery<Decision<'journal.lineSetAside'>>({
    title: (l10n) => l10n.t('Continue without a damaged line of the journal'),
    fits: ({ from, to, bytesHash, resumes }, { damage }) =>
      !('why' in damage) &&
      damage.from === from &&
      damage.to === to &&
      damage.bytesHash === bytesHash &&
      damage.resumes === resumes,
    rows: ({ from, to, bytesHash }, _, l10n) => [
      main(l10n.t('Effect'), l10n.t('Whatever these bytes said is lost, including any question among them.')),
      main(l10n.t('Bytes'), l10n.t('{0} to {1}', from, to)),
      { label: l10n.t('Hash of these bytes'), text: bytesHash },
    ],
  }),
  'journal.startedAnew': recovery<Decision<'journal.startedAnew'>>({
    title: (l10n) => l10n.t('Start over with an empty journal'),
    fits: (_, { startAnew }) => !('why' in startAnew),
    rows: ({ formerWorkspace }, diagnosis, l10n) => [
      main(
        l10n.t('Effect'),
        l10n.t(
          'All questions, answers, work items and the policy of this workspace are given up, and everything held is released. The current journal is kept under another name.',
        ),
      ),
      ...readableActs(diagnosis, l10n),
      ...optional(l10n.t('Workspace before'), formerWorkspace),
    ],
  }),
};
