/** The decisions about keys: letting this editor sign, and whose decisions count. */
import type { KeyAct } from '../../src/protocol/keys/forms.ts';
import type { QuestionMessage, AnswerSnapshot } from '../../src/protocol/question/question.ts';
import { mark, missingName } from '../shared/marks.ts';
import { t } from '../shared/strings.ts';
import type { Decider } from './decider.ts';

/** What the second step is about; a trusted key has its own, for the host has to look at it first. */
export type AskedOfKeys = Exclude<KeyAct, { do: 'trust' }>;

export interface KeysDraft {
  readonly pasted: string;
  /** Whose the candidate is; as the key says, until somebody writes it. */
  readonly called: string | undefined;
  /** Ids of keys that are lost. */
  readonly lost: readonly string[];
}

export interface KeyActsOptions extends Decider {
  readonly wish: (wish: Extract<QuestionMessage, { type: 'lookAtKey' }>) => void;
  readonly edited: () => void;
}

const nothing: KeysDraft = { pasted: '', called: undefined, lost: [] };

export function createKeyActs(options: KeyActsOptions) {
  const { newAct, ready, send, complain, nameFor, confirmed } = options;
  let draft = nothing;
  let asked: AskedOfKeys | undefined;

  return {
    reset: (): void => {
      draft = nothing;
      asked = undefined;
    },

    /** Another candidate, or other keys: what was typed about keys stays, what was asked does not. */
    redrawn: (view: AnswerSnapshot): void => {
      asked = undefined;
      if (view.type === 'keys') draft = { ...draft, called: undefined };
      else if (view.type !== 'enrol') draft = nothing;
    },

    acts: {
      keysDraft: (): KeysDraft => draft,
      askedOfKeys: (): AskedOfKeys | undefined => asked,

      editKeys: (change: Partial<KeysDraft>): void => {
        draft = { ...draft, ...change };
        options.edited();
      },

      /** Nothing is decided by a look. */
      lookAtKey: (): void => {
        const view = options.view();
        const text = draft.pasted.trim();
        if (view?.type !== 'keys') return;
        if (text === '') complain({ field: 'pasted', text: t('keys.pasteMissing') });
        else options.wish({ type: 'lookAtKey', key: view.key, text });
      },

      forgetKey: (): void => {
        const view = options.view();
        if (view?.type === 'keys') options.wish({ type: 'lookAtKey', key: view.key, text: '' });
      },

      trustKey: (): void => {
        const view = options.view();
        if (view?.type !== 'keys' || view.locked !== undefined || view.candidate === undefined || !ready()) return;
        const called = (draft.called ?? view.candidate.name).trim();
        if (called === '') complain({ field: 'calledKey', text: t('keys.calledMissing') });
        else send({ type: 'keys', ...mark(view, newAct(), ''), what: { do: 'trust', called }, confirmed: true });
      },

      /** First asks, then does what was asked. */
      changeKeys: (what: AskedOfKeys): void => {
        const view = options.view();
        if (view?.type !== 'keys' || view.locked !== undefined || !ready()) return;
        asked = what;
        if (confirmed()) send({ type: 'keys', ...mark(view, newAct(), ''), what, confirmed: true });
      },

      enrol: (): void => {
        const view = options.view();
        if (view?.type !== 'enrol' || view.managed !== undefined || !ready()) return;
        const answersAs = { name: view.name, editable: true };
        const name = nameFor(view.name);
        const lacking = missingName(answersAs, name);
        const lost = draft.lost.filter((one) => view.pinned.some(({ keyid }) => keyid === one));
        if (lacking) complain(lacking);
        else if (lost.length === 0 || confirmed())
          send({ type: 'enrol', ...mark({ ...view, answersAs }, newAct(), name), lost, confirmed: lost.length > 0 });
      },
    },
  };
}
