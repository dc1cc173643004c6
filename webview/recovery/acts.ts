/** The act of the form for a damaged store: one recovery option at a time. */
import type { Confirmation, RecoveryView, RecoveryWay } from '../../src/ui/answer/recovery.ts';
import type { RecoverMessage } from '../../src/ui/answer/messages.ts';
import type { Missing } from '../shared/formPage.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';

/** The chosen option and its confirmation so far. */
export interface RecoveryDraft {
  readonly way: RecoveryWay;
  readonly ticked: boolean;
  readonly word: string;
}

export interface RecoveryActsOptions {
  readonly acts: FormActs<RecoverMessage>;
  readonly view: () => RecoveryView | undefined;
}

/** The page, as the form uses it. */
export type RecoveryPage = OneFormPage & ReturnType<typeof createRecoveryActs>['acts'];

export function createRecoveryActs({ acts, view }: RecoveryActsOptions) {
  let draft: RecoveryDraft | undefined;
  return {
    reset: (): void => {
      draft = undefined;
    },

    acts: {
      recovery: (): RecoveryDraft | undefined => draft,

      /** Expands or collapses a recovery option. */
      chooseWay: (way: RecoveryWay | undefined): void => {
        draft = way && { way, ticked: false, word: '' };
        acts.turn(way ? 'confirm' : 'form');
      },

      editRecovery: (change: Partial<Omit<RecoveryDraft, 'way'>>): void => {
        if (!draft) return;
        draft = { ...draft, ...change };
        acts.edited();
      },

      recover: (): void => {
        const target = view();
        if (!target || !draft) return;
        const { way } = draft;
        const chosen = target[way];
        if (chosen.type !== 'available') return;
        const given = confirmationOf(chosen.confirm, draft);
        const [confirmation, lacking] = typeof given === 'string' ? [given, undefined] : ['', given];
        acts.attempt({ target, lacking, make: (marks) => ({ type: 'recover', ...marks, way, confirmation }) });
      },
    },
  };
}

/** The ticked or typed confirmation, if it is the required one. */
function confirmationOf(confirm: Confirmation, draft: RecoveryDraft): string | Missing {
  if (confirm.type === 'tick') {
    return draft.ticked
      ? confirm.text
      : { field: 'confirm', text: t('Select the checkbox first: it says what will be lost.') };
  }
  if (draft.word.trim() === confirm.word) return confirm.word;
  return { field: 'confirm', text: t('Type “{word}” exactly as shown.', { word: confirm.word }) };
}
