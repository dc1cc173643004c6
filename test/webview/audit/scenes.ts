/** The states of the audit trail that a reader may see. */
import type { AuditMessage } from '../../../src/ui/dashboard/messages.ts';
import type { AuditSnapshot } from '../../../src/ui/dashboard/audit.ts';
import type { Form } from '../harness.ts';
import { faulty, snapshot, states } from './samples.ts';
import { shown } from '../steps.ts';

export type AuditTab = Form<AuditMessage, AuditSnapshot>;
type Scene = (form: AuditTab) => Promise<void>;

export const scenes: Record<string, Scene> = {
  ...shown(states),
  oneItem: async (form) => {
    await form.send(snapshot(faulty));
    await form.page.locator('[data-act="only"]', { hasText: 't-3' }).first().click();
  },
};
