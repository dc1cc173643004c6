/** What every decision of this page goes through, whichever form it is made in. */
import type { Decision, AnswerSnapshot } from '../../src/protocol/question/question.ts';
import type { Missing } from './acts.ts';

export interface Decider {
  readonly view: () => AnswerSnapshot | undefined;
  readonly newAct: () => string;
  readonly ready: () => boolean;
  readonly send: (decision: Decision) => void;
  readonly complain: (about: Missing) => void;
  readonly nameFor: (proposed: string) => string;
  /** True once the second step is shown; asks for it otherwise. */
  readonly confirmed: () => boolean;
}
