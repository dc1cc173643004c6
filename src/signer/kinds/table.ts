/**
 * How each signed kind is shown, or where it is signed instead. The compiler asks for every kind; docs/security.md has the
 * same list for readers.
 */
import type { Decision, Kind, NotHere, Show } from './kind.ts';
import { shownEventDecisions } from './events.ts';
import { shownHoldDecisions } from './holds.ts';
import { shownKeyActs } from './keys.ts';
import { shownPolicy } from './policy.ts';
import { shownPrecedentDecisions } from './precedents.ts';
import { shownQuestionDecisions } from './questions.ts';
import { shownRecoveries } from './recovery.ts';
import { shownRequestDecisions } from './requests.ts';
import { shownRfcDecisions } from './rfcs.ts';

const sharing: NotHere = {
  instead:
    'it changes which key ring counts, and founds one: share or leave from a window that works on your own machine',
};

export const kinds: { readonly [K in Kind]: Show<Decision<K>> | NotHere } = {
  ...shownQuestionDecisions,
  ...shownPrecedentDecisions,
  ...shownRfcDecisions,
  ...shownEventDecisions,
  ...shownRequestDecisions,
  ...shownHoldDecisions,
  ...shownKeyActs,
  ...shownRecoveries,
  'policy.changed': shownPolicy,
  'store.shared': sharing,
  'store.unshared': sharing,
};
