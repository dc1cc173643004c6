/** The page, as the forms about a workspace use it, and two acts: releasing all questions of an agent, deleting work. */
import type { DeleteWorkMessage, ReleaseAllMessage } from '../../src/ui/answer/messages.ts';
import type { ReleaseAllView, WorkView } from '../../src/ui/answer/workspace.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import type { Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import type { createPolicyActs } from './policyActs.ts';

interface ActsOptions {
  readonly acts: FormActs<ReleaseAllMessage | DeleteWorkMessage>;
  readonly view: () => ReleaseAllView | WorkView | undefined;
  readonly maxText: () => number;
}

export type WorkspacePage = OneFormPage &
  ReturnType<typeof createWorkspaceActs> &
  ReturnType<typeof createPolicyActs>['acts'] & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'select' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

export function createWorkspaceActs({ acts, view, maxText }: ActsOptions) {
  const noteOf = ({ key }: ReleaseAllView): string => acts.fieldsOf(key)?.fields['note'] ?? '';

  return {
    /** The note to the agent, and the list that it was written for. */
    noteDraft: ({ key }: ReleaseAllView): FieldsDraft | undefined => acts.fieldsOf(key),

    setNote(note: string): void {
      const shown = view();
      if (shown) acts.keepFields(shown, note === '' ? undefined : { note });
    },

    releaseAll: (): void => {
      const target = view();
      if (target?.type !== 'releaseAll' || target.locked !== undefined) return;
      const note = noteOf(target).trim();
      acts.attempt({
        ...{ target, lacking: missingNote(note, maxText()), twice: true },
        make: (marks) => ({ type: 'releaseAll', ...marks, note, confirmed: true }),
      });
    },

    deleteWork: (): void => {
      const target = view();
      if (target?.type !== 'work' || target.locked !== undefined) return;
      acts.attempt({
        ...{ target, lacking: undefined, twice: true },
        make: (marks) => ({ type: 'deleteWork', ...marks, confirmed: true }),
      });
    },
  };
}

function missingNote(note: string, max: number): Missing | undefined {
  if (note === '') return { field: 'text', text: t('Write a note first; it is all the agent gets.') };
  const over = note.length - max;
  return over > 0
    ? { field: 'text', text: t('{n} of {max}: shorten it by {over}.', { n: note.length, max, over }) }
    : undefined;
}
