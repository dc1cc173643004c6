/** The effect of every record kind. A missing kind, or a signed one without its own rule, does not compile. */
import { questionDecisions } from './decision.ts';
import { heldChangeEffects } from './heldChanges.ts';
import { importEffects } from './import.ts';
import { journalEffects } from './journal.ts';
import { sharingEffects } from './sharing.ts';
import { wideningEffects } from './widening.ts';
import { keyEffects } from '../keys/fold.ts';
import { passkeyEffects } from '../keys/passkeys.ts';
import { eventDecisions, eventEffects } from '../memory/fold.ts';
import { askBackEffects } from '../question/askBack.ts';
import { parkingEffects } from '../question/parking.ts';
import { questionEffects } from '../question/fold.ts';
import type { RecordKind, RecordOf } from '../records/records.ts';
import { requestDecisions, requestEffects } from '../request/fold.ts';
import { linking, rfcEffects } from '../rfc/fold.ts';
import { rfcDecisions } from '../rfc/foldDecision.ts';
import { noEffect } from '../state/effect.ts';
import type { Effects, Folding } from '../state/effect.ts';
import { deleteWork } from '../work/deletion.ts';
import { registerWork, updateWork } from '../work/fold.ts';

export const effects: Effects<RecordKind> = {
  ...journalEffects,
  'work.registered': registerWork,
  'work.updated': updateWork,
  'work.deleted': deleteWork,
  ...questionEffects,
  'question.raised': raiseQuestion,
  ...questionDecisions,
  ...askBackEffects,
  ...parkingEffects,
  'wait.noted': noEffect,
  ...eventEffects,
  ...eventDecisions,
  ...rfcEffects,
  ...rfcDecisions,
  ...requestEffects,
  ...requestDecisions,
  ...importEffects,
  ...keyEffects,
  ...passkeyEffects,
  ...wideningEffects,
  ...heldChangeEffects,
  'precedent.set': noEffect,
  'precedent.ended': noEffect,
  'precedent.takenBack': noEffect,
  ...sharingEffects,
};

/** A question may ask a human an RFC's open question; each family stores its half. */
function raiseQuestion(at: Folding, record: RecordOf<'question.raised'>): void {
  const link = linking(at.state, record);
  questionEffects['question.raised'](at, record);
  link?.(at.change);
}
