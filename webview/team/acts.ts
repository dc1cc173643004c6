/** The acts of the forms about a team. */
import type { LeaveMessage, LeaveView, ShareMessage, ShareView } from '../../src/protocol/team/forms.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';

export interface TeamActsOptions {
  readonly acts: FormActs<ShareMessage | LeaveMessage>;
  readonly view: () => ShareView | LeaveView | undefined;
}

export type TeamPage = OneFormPage &
  ReturnType<typeof createTeamActs> & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'connectTeam'; readonly key: string },
    ) => void;
  };

const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function createTeamActs({ acts, view }: TeamActsOptions) {
  const calledIn = ({ key, name }: ShareView): string => acts.fieldsOf(key)?.fields['called'] ?? name;

  return {
    /** The name on the server, as typed. */
    sharedName: calledIn,

    setSharedName(called: string): void {
      const shown = view();
      if (shown?.type === 'share') acts.keepFields(shown, { called });
    },

    share: (): void => {
      const target = view();
      if (target?.type !== 'share' || target.locked !== undefined) return;
      const called = calledIn(target).trim();
      const lacking = !nameForm.test(called)
        ? {
            field: 'called',
            text: t('Use 1 to 64 of a-z, 0-9, dot, hyphen and underscore, beginning with a letter or a digit.'),
          }
        : target.server === undefined || target.agents === undefined
          ? { field: 'connect', text: t('Connect to the server first.') }
          : undefined;
      acts.attempt({
        ...{ target, lacking, twice: true },
        make: (marks) => ({ type: 'share', ...marks, called, confirmed: true }),
      });
    },

    leaveTeam: (): void => {
      const target = view();
      if (target?.type !== 'leave' || target.locked !== undefined) return;
      acts.attempt({
        ...{ target, lacking: undefined, twice: true },
        make: (marks) => ({ type: 'leaveTeam', ...marks, confirmed: true }),
      });
    },
  };
}
