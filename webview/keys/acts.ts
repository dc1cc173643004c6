/** The acts of the forms about keys: letting this editor sign, and whose decisions count. */
import type { EnrolMessage, EnrolView, KeyAct, KeysMessage, KeysView } from '../../src/protocol/keys/forms.ts';
import { t } from '../shared/strings.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';

/** The target of the second step; trusting a key has its own, because the host has to check the key first. */
export type AskedOfKeys = Exclude<KeyAct, { do: 'trust' }>;

export interface KeysDraft {
  readonly pasted: string;
  /** The owner of the candidate; the key's own name until somebody edits it. */
  readonly called: string | undefined;
  /** Ids of keys that are lost. */
  readonly lost: readonly string[];
  /** The new name of a passkey. */
  readonly passkeyLabel: string | undefined;
}

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
      message:
        | { readonly type: 'back' }
        | { readonly type: 'addPasskey' | 'openInBrowser'; readonly key: string }
        | { readonly type: 'teamLogins'; readonly key: string; readonly person?: string },
    ) => void;
  };

const nothing: KeysDraft = { pasted: '', called: undefined, lost: [], passkeyLabel: undefined };

export function createKeyActs({ acts, view, dispatch, copyKey }: KeyActsOptions) {
  let draft = nothing;
  let asked: AskedOfKeys | undefined;
  const keysView = () => {
    const shown = view();
    return shown?.type === 'keys' ? shown : undefined;
  };

  return {
    reset: (): void => {
      draft = nothing;
      asked = undefined;
    },

    /** The candidate or the keys have changed: typed text stays, a pending confirmation does not. */
    moved: (): void => {
      asked = undefined;
      const shown = view();
      if (shown?.type === 'keys') draft = { ...draft, called: undefined };
      else if (shown?.type !== 'enrol') draft = nothing;
    },

    acts: {
      copyKey,
      keysDraft: (): KeysDraft => draft,
      askedOfKeys: (): AskedOfKeys | undefined => asked,

      editKeys: (change: Partial<KeysDraft>): void => {
        draft = { ...draft, ...change };
        acts.edited();
      },

      /** Checking a key decides nothing. */
      lookAtKey: (): void => {
        const shown = keysView();
        const text = draft.pasted.trim();
        if (!shown) return;
        if (text === '') acts.complain({ field: 'pasted', text: t('keys.pasteMissing') });
        else dispatch({ type: 'lookAtKey', key: shown.key, text });
      },

      forgetKey: (): void => {
        const shown = keysView();
        if (shown) dispatch({ type: 'lookAtKey', key: shown.key, text: '' });
      },

      trustKey: (): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || target.candidate === undefined) return;
        const called = (draft.called ?? target.candidate.name).trim();
        const lacking = called === '' ? { field: 'calledKey', text: t('keys.calledMissing') } : undefined;
        const what: KeyAct = { do: 'trust', called };
        acts.attempt({ target, lacking, make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }) });
      },

      /** Asks for confirmation first, then acts. */
      changeKeys: (what: AskedOfKeys): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || !acts.ready()) return;
        if (asked === undefined) draft = { ...draft, passkeyLabel: undefined };
        asked = what;
        acts.attempt({
          ...{ target, lacking: undefined, twice: true },
          make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }),
        });
      },

      enrol: (): void => {
        const shown = view();
        if (shown?.type !== 'enrol' || (shown.managed ?? shown.team) !== undefined) return;
        const lost = draft.lost.filter((one) => shown.pinned.some(({ keyid }) => keyid === one));
        acts.attempt({
          ...{ target: { ...shown, answersAs: { name: shown.name, editable: true } }, lacking: undefined },
          twice: lost.length > 0,
          make: (marks) => ({ type: 'enrol', ...marks, lost, confirmed: lost.length > 0 }),
        });
      },
    },
  };
}
