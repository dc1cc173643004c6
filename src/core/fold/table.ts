/** The effect of every kind of record that needs no signature. A missing kind does not compile. */
import { heldChangeEffects } from './heldChanges.ts';
import { importEffects } from './import.ts';
import { journalEffects } from './journal.ts';
import { eventEffects } from '../memory/fold.ts';
import { askBackEffects } from '../question/askBack.ts';
import { parkingEffects } from '../question/parking.ts';
import { questionEffects } from '../question/fold.ts';
import type { DecisionKind } from '../decision/decision.ts';
import type { RecordKind, RecordOf } from '../records/records.ts';
import { requestEffects } from '../request/fold.ts';
import { linking, rfcEffects } from '../rfc/fold.ts';
import { noEffect, type Effects, type Folding } from '../state/effect.ts';
import { registerWork, updateWork } from '../work/fold.ts';

export const effects: Effects<Exclude<RecordKind, DecisionKind>> = {
  ...journalEffects,
  'work.registered': registerWork,
  'work.updated': updateWork,
  ...questionEffects,
  'question.raised': raiseQuestion,
  ...askBackEffects,
  ...parkingEffects,
  'wait.noted': noEffect,
  ...eventEffects,
  ...rfcEffects,
  ...requestEffects,
  ...importEffects,
  ...heldChangeEffects,
  'precedent.set': noEffect,
  'precedent.ended': noEffect,
  'precedent.takenBack': noEffect,
};

/** A question may ask a human an RFC's open question; each family stores its half. */
function raiseQuestion(at: Folding, record: RecordOf<'question.raised'>): void {
  const link = linking(at.state, record);
  questionEffects['question.raised'](at, record);
  link?.(at.change);
}
