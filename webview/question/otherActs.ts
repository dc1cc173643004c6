/** The decisions that are not about a question: let this editor sign, and the ways out of a damaged store. */
import type { Decision, RecoveryWay, View } from '../../src/protocol/question.ts';
import { confirmationOf, mark, missingName } from './acts.ts';
import type { Missing, RecoveryDraft } from './acts.ts';

export interface OtherActsOptions {
  readonly view: () => View | undefined;
  readonly newAct: () => string;
  readonly ready: () => boolean;
  readonly send: (decision: Decision) => void;
  readonly complain: (about: Missing) => void;
  readonly nameFor: (proposed: string) => string;
  /** Another part of the form is shown; the keyboard goes there. */
  readonly moved: (focus: 'confirm' | 'form') => void;
  readonly edited: () => void;
}

export function createOtherActs(options: OtherActsOptions) {
  const { newAct, ready, send, complain, nameFor } = options;
  let recovery: RecoveryDraft | undefined;

  return {
    recovery: (): RecoveryDraft | undefined => recovery,

    reset: (): void => {
      recovery = undefined;
    },

    /** Unfolds a way out, or folds it. */
    chooseWay: (way: RecoveryWay | undefined): void => {
      recovery = way && { way, ticked: false, word: '' };
      options.moved(way ? 'confirm' : 'form');
    },

    editRecovery: (change: Partial<Omit<RecoveryDraft, 'way'>>): void => {
      if (!recovery) return;
      recovery = { ...recovery, ...change };
      options.edited();
    },

    enrol: (): void => {
      const view = options.view();
      if (view?.type !== 'enrol' || !ready()) return;
      const answersAs = { name: view.name, editable: true };
      const name = nameFor(view.name);
      const lacking = missingName(answersAs, name);
      if (lacking) complain(lacking);
      else send({ type: 'enrol', ...mark({ ...view, answersAs }, newAct(), name) });
    },

    recover: (): void => {
      const view = options.view();
      if (view?.type !== 'recovery' || !recovery || !ready()) return;
      const way = view[recovery.way];
      if (way.type !== 'available') return;
      const given = confirmationOf(way.confirm, recovery);
      const name = nameFor(view.answersAs.name);
      const lacking = typeof given === 'string' ? missingName(view.answersAs, name) : given;
      if (lacking) complain(lacking);
      else if (typeof given === 'string') {
        send({ type: 'recover', ...mark(view, newAct(), name), way: recovery.way, confirmation: given });
      }
    },
  };
}
