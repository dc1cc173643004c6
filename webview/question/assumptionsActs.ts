/** The page, as the form of several assumptions uses it: the ticked ones, and the act that confirms them. */
import type { Assumed, AssumptionsView } from '../../src/ui/answer/assumptions.ts';
import type { ConfirmAssumptionsMessage } from '../../src/ui/answer/messages.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';

export interface AssumptionsOptions {
  readonly acts: FormActs<ConfirmAssumptionsMessage>;
  readonly view: () => AssumptionsView | undefined;
}

export type AssumptionsPage = OneFormPage &
  ReturnType<typeof createAssumptionsActs> & {
    readonly dispatch: (
      message:
        | { readonly type: 'back' }
        | { readonly type: 'select'; readonly key: string }
        | { readonly type: 'openFile'; readonly key: string; readonly path: string; readonly line?: number },
    ) => void;
  };

export function createAssumptionsActs({ acts, view }: AssumptionsOptions) {
  const draftOf = ({ key }: AssumptionsView): FieldsDraft | undefined => acts.fieldsOf(key);

  /** A tick applies to the displayed question; a changed question starts from its default. */
  function isTicked(of: AssumptionsView, { shown, ticked }: Assumed): boolean {
    const own = draftOf(of)?.fields[shown];
    return own === undefined ? ticked : own === 'yes';
  }

  const tickedOf = (of: AssumptionsView): Assumed[] => of.questions.filter((one) => isTicked(of, one));

  return {
    tickedOf,
    assumptionsDraft: draftOf,

    tick(one: Assumed): void {
      const of = view();
      if (of) acts.keepFields(of, { ...draftOf(of)?.fields, [one.shown]: isTicked(of, one) ? 'no' : 'yes' });
    },

    confirmAssumptions(): void {
      const of = view();
      if (!of || of.locked !== undefined) return;
      const ticked = tickedOf(of);
      const twice = ticked.some(({ urgency }) => urgency === 'critical');
      acts.attempt({
        ...{ target: of, twice },
        lacking: ticked.length === 0 ? { field: 'ticks', text: t('Select at least one.') } : undefined,
        make: (marks) => ({
          type: 'confirmAssumptions',
          ...marks,
          ticked: ticked.map(({ id }) => id),
          confirmed: twice,
        }),
      });
    },
  };
}
