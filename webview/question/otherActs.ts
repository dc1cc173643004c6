/**
 * The decisions that are not about one question: the policy, letting all of one agent go on, and the ways out of a
 * damaged store.
 */
import type { RecoveryWay } from '../../src/protocol/question/question.ts';
import { mark, missingName } from '../shared/marks.ts';
import { t } from '../shared/strings.ts';
import { confirmationOf, hoursOf, missingPolicy, toolsOf } from './acts.ts';
import type { PolicyDraft, RecoveryDraft } from './acts.ts';
import type { Decider } from './decider.ts';

export interface OtherActsOptions extends Decider {
  /** Another part of the form is shown; the keyboard goes there. */
  readonly moved: (focus: 'confirm' | 'form') => void;
  readonly edited: () => void;
  readonly maxText: () => number;
  /** The note to an agent: kept like any other draft. */
  readonly noteOf: (key: string) => string;
}

export function createOtherActs(options: OtherActsOptions) {
  const { newAct, ready, send, complain, nameFor, confirmed } = options;
  let recovery: RecoveryDraft | undefined;
  let policy: PolicyDraft | undefined;

  function policyDraft(): PolicyDraft {
    const view = options.view();
    if (policy || view?.type !== 'policy')
      return policy ?? { hours: '', onExpiry: 'expire', overdue: 'alert', reassignTo: '', tools: '', name: '' };
    const { lifeHours, onExpiry, overdue, reassignTo = '', readOnlyTools, answersAs } = view;
    const tools = readOnlyTools.join('\n');
    return { hours: String(lifeHours), onExpiry, overdue, reassignTo, tools, name: answersAs.name };
  }

  return {
    reset: (): void => {
      recovery = undefined;
      policy = undefined;
    },

    acts: {
      recovery: (): RecoveryDraft | undefined => recovery,

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

      policyDraft,

      editPolicy: (change: Partial<PolicyDraft>): void => {
        policy = { ...policyDraft(), ...change };
        options.edited();
      },

      changePolicy: (): void => {
        const view = options.view();
        if (view?.type !== 'policy' || view.locked !== undefined || !ready()) return;
        const draft = policyDraft();
        const lacking = missingPolicy(view, draft);
        const lifeHours = hoursOf(draft);
        if (lacking || lifeHours === undefined) complain(lacking ?? { field: 'hours', text: t('policy.lifeWrong') });
        else if (confirmed()) {
          const { onExpiry, overdue } = draft;
          const to = overdue === 'reassign' ? { reassignTo: draft.reassignTo } : {};
          const name = draft.name.trim();
          send({
            type: 'policy',
            ...mark(view, newAct(), name),
            name,
            lifeHours,
            onExpiry,
            overdue,
            ...to,
            readOnlyTools: toolsOf(draft),
            confirmed: true,
          });
        }
      },

      releaseAll: (): void => {
        const view = options.view();
        if (view?.type !== 'releaseAll' || view.locked !== undefined || !ready()) return;
        const note = options.noteOf(view.key).trim();
        const name = nameFor(view.answersAs.name);
        const max = options.maxText();
        const over = note.length - max;
        if (note === '') complain({ field: 'text', text: t('release.missing') });
        else if (over > 0) complain({ field: 'text', text: t('answer.tooLong', { n: note.length, max, over }) });
        else {
          const lacking = missingName(view.answersAs, name);
          if (lacking) complain(lacking);
          else if (confirmed()) send({ type: 'releaseAll', ...mark(view, newAct(), name), note, confirmed: true });
        }
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
    },
  };
}
