/** The acts of the forms about keys: letting this editor sign, and whose decisions count. */
import type { EnrolMessage, KeyAct, KeysMessage } from '../../src/ui/answer/messages.ts';
import type { EnrolView, KeysView } from '../../src/ui/answer/keys.ts';
import { t } from '../shared/strings.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { createKeyDrafts } from './drafts.ts';

/** The target of the second step; trusting a key has its own, because the host has to check the key first. */
export type AskedOfKeys = Exclude<KeyAct, { do: 'trust' }>;

interface LookAtKey {
  readonly type: 'lookAtKey';
  readonly key: string;
  readonly text: string;
}

export interface KeyActsOptions {
  readonly acts: FormActs<KeysMessage | EnrolMessage>;
  readonly view: () => KeysView | EnrolView | undefined;
  readonly dispatch: (message: LookAtKey) => void;
  readonly copyKey: () => void;
}

/** The page, as the forms about keys use it. */
export type KeysPage = OneFormPage &
  ReturnType<typeof createKeyActs>['acts'] & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'addPasskey' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

export function createKeyActs({ acts, view, dispatch, copyKey }: KeyActsOptions) {
  let asked: AskedOfKeys | undefined;
  const keysView = () => {
    const shown = view();
    return shown?.type === 'keys' ? shown : undefined;
  };

  const { keysDraft, ...drafts } = createKeyDrafts(acts, view);

  return {
    /** The form or its content has changed: what was entered stays, a pending confirmation does not. */
    reset: (): void => {
      asked = undefined;
    },

    acts: {
      copyKey,
      keysDraft,
      ...drafts,
      askedOfKeys: (): AskedOfKeys | undefined => asked,

      /** Checking a key decides nothing. */
      lookAtKey: (): void => {
        const shown = keysView();
        const text = keysDraft().pasted.trim();
        if (!shown) return;
        if (text === '') acts.complain({ field: 'pasted', text: t('Paste the public key first.') });
        else dispatch({ type: 'lookAtKey', key: shown.key, text });
      },

      forgetKey: (): void => {
        const shown = keysView();
        if (shown) dispatch({ type: 'lookAtKey', key: shown.key, text: '' });
      },

      trustKey: (): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || target.candidate === undefined) return;
        const called = (keysDraft().called ?? target.candidate.name).trim();
        const lacking = called === '' ? { field: 'calledKey', text: t('Enter the owner’s name.') } : undefined;
        const what: KeyAct = { do: 'trust', called };
        acts.attempt({ target, lacking, make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }) });
      },

      /** Asks for confirmation first, then acts. */
      changeKeys: (what: AskedOfKeys): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || !acts.ready()) return;
        asked = what;
        acts.attempt({
          ...{ target, lacking: undefined, twice: true },
          make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }),
        });
      },

      enrol: (): void => {
        const shown = view();
        if (shown?.type !== 'enrol' || (shown.managed ?? shown.team) !== undefined) return;
        const lost = [...keysDraft().lost];
        acts.attempt({
          ...{ target: { ...shown, answersAs: { name: shown.name, editable: true } }, lacking: undefined },
          twice: lost.length > 0,
          make: (marks) => ({ type: 'enrol', ...marks, lost, confirmed: lost.length > 0 }),
        });
      },
    },
  };
}
