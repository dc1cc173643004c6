/** What was entered in the forms about keys, which the page keeps. */
import type { EnrolView, KeysView } from '../../src/ui/answer/keys.ts';
import type { FieldsDraft, FormActs } from '../shared/oneForm.ts';

export interface KeysDraft {
  readonly pasted: string;
  /** The owner of the candidate; the key's own name until somebody edits it. */
  readonly called: string | undefined;
  /** Ids of keys that are lost. */
  readonly lost: readonly string[];
}

/** The names of the fields that are about one key. */
const calledOf = (fingerprint: string) => `called.${fingerprint}`;
const labelOf = (keyid: string) => `label.${keyid}`;

export function createKeyDrafts(
  acts: Pick<FormActs<never>, 'fieldsOf' | 'keepFields'>,
  view: () => KeysView | EnrolView | undefined,
) {
  const fields = (): FieldsDraft['fields'] => acts.fieldsOf(view()?.key ?? '')?.fields ?? {};

  function keep(change: FieldsDraft['fields']): void {
    const shown = view();
    if (shown) acts.keepFields(shown, { ...fields(), ...change });
  }

  function keysDraft(): KeysDraft {
    const shown = view();
    const { pasted = '', lost = '' } = fields();
    const candidate = shown?.type === 'keys' ? shown.candidate : undefined;
    const pinned = shown?.type === 'enrol' ? shown.pinned.map(({ keyid }) => keyid) : [];
    const ticked = lost.split('\n');
    return {
      pasted,
      called: candidate && fields()[calledOf(candidate.fingerprint)],
      lost: pinned.filter((keyid) => ticked.includes(keyid)),
    };
  }

  return {
    keysDraft,
    /** Whether the list of keys has changed since the lost ones were ticked. */
    isEnrolStale: ({ key, shown }: EnrolView): boolean => {
      const kept = acts.fieldsOf(key);
      return kept !== undefined && kept.shown !== shown;
    },

    setPasted: (pasted: string): void => {
      keep({ pasted });
    },

    setCalled: (called: string): void => {
      const shown = view();
      if (shown?.type === 'keys' && shown.candidate) keep({ [calledOf(shown.candidate.fingerprint)]: called });
    },

    setLost: (lost: readonly string[]): void => {
      const shown = view();
      if (shown) acts.keepFields(shown, lost.length === 0 ? undefined : { lost: lost.join('\n') });
    },

    /** The new name of a passkey, if somebody has typed one. */
    passkeyLabel: (keyid: string): string | undefined => fields()[labelOf(keyid)],
    setPasskeyLabel: (keyid: string, label: string): void => {
      keep({ [labelOf(keyid)]: label });
    },
  };
}
