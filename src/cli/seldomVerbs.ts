/** Verbs that people use seldom: loaded together, when one of them is called. */
import { attestationVerbs } from './audit/attestations.ts';
import { auditVerb } from './audit/audit.ts';
import { checkVerb } from './audit/check.ts';
import { dashboardVerb } from './dashboard/dashboard.ts';
import { gateVerb } from './hold/gateVerb.ts';
import { restoreVerb } from './hold/restore.ts';
import { hookVerb } from './hosts/hook.ts';
import { mcpVerb } from './hosts/mcp.ts';
import { setupVerb } from './hosts/setup.ts';
import { keysVerb } from './keys/keys.ts';
import { openVerb } from './kit/open.ts';
import { mirrorVerb } from './mirrors/mirror.ts';
import { reviewVerb } from './rfc/reviewVerb.ts';
import { serveVerb } from './serve/serve.ts';
import { teamVerbs } from './team/team.ts';
import { movingVerbs } from './transfer/moving.ts';
import { inboxVerb } from './waiting/inbox.ts';
import { reminderVerbs } from './waiting/reminders.ts';
import { watchVerb } from './waiting/watch.ts';
import { relationshipVerbs } from './work/relationship.ts';

export const seldomVerbs = {
  attestationVerbs,
  auditVerb,
  checkVerb,
  dashboardVerb,
  gateVerb,
  hookVerb,
  inboxVerb,
  keysVerb,
  mcpVerb,
  mirrorVerb,
  movingVerbs,
  openVerb,
  relationshipVerbs,
  reminderVerbs,
  restoreVerb,
  reviewVerb,
  serveVerb,
  setupVerb,
  teamVerbs,
  watchVerb,
};
