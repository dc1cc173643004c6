/** What a reviewer may see: each state, and those that need an action. */
import type { RfcMessage } from '../../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../../src/ui/rfc/model.ts';
import type { Form } from '../harness.ts';
import { approvable, full, snapshot, states, technical, waivable, widened } from './samples.ts';
import { settle } from '../settled.ts';

export type RfcForm = Form<RfcMessage, RfcSnapshot>;
type Scene = (form: RfcForm) => Promise<void>;

const sent = Object.fromEntries(
  Object.entries(states).map(([name, make]): [string, Scene] => [name, (form) => form.show(make())]),
);

const press = (form: RfcForm, act: string) => form.page.locator(`[data-act="${act}"]`).first().click();

export const scenes: Record<string, Scene> = {
  ...sent,
  outage: (form) =>
    form.show({ ...snapshot(full()), outage: { state: 'unknown', why: 'forked', since: snapshot(full()).now } }),
  approving: async (form) => {
    await form.send(snapshot(approvable()));
    await press(form, 'open-approve');
    await form.page.locator('#conditions').fill('Phase 2 begins only after seven days\nThe outbox has an alarm');
  },
  waiving: async (form) => {
    await form.send(snapshot(waivable()));
    await press(form, 'open-approve');
    await settle(form.page);
    await press(form, 'decide');
  },
  waived: async (form) => {
    await form.send(snapshot(waivable()));
    await press(form, 'open-approve');
    await form.page.locator('input[name="waive"]').click();
  },
  approvingFirstUse: async (form) => {
    await form.send(snapshot(approvable({ answersAs: { name: 'ada', editable: true } })));
    await press(form, 'open-approve');
  },
  requesting: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-requestChanges');
    await settle(form.page);
    await press(form, 'decide');
  },
  commentsUnfolded: async (form) => {
    await form.send(states['comments']!());
    await form.page.locator('summary').first().click();
  },
  menu: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'more');
  },
  answering: async (form) => {
    await form.send(snapshot(full()));
    await form.page.locator('[data-question="6"] input').nth(1).click();
    await press(form, 'answer');
  },
  highlighted: async (form) => {
    await form.send(snapshot(technical()));
    await form.page.locator('.code-keyword').first().waitFor();
  },
  holdingAll: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'more');
    await press(form, 'open-holdAll');
  },
  holdingNamed: async (form) => {
    await form.send(snapshot(widened()));
    await press(form, 'more');
    await press(form, 'open-holdNamed');
  },
  rejecting: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-reject');
  },
  overtaken: async (form) => {
    await form.send(snapshot(approvable()));
    await press(form, 'open-approve');
    await form.page.locator('#conditions').fill('Phase 2 begins only after seven days');
    const revisions = [
      ...approvable().revisions,
      { number: 4, hash: '0d1c7a55', at: approvable().proposedAt, by: 'copilot-001', approved: false },
    ];
    await form.send(snapshot(approvable({ shown: 'sha256-rfc3-newer', latest: 4, revisions })));
  },
  off: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-approve');
  },
  commenting: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'comment');
    await form.page.locator('textarea').first().fill('Say how long each phase takes.');
  },
  reviewBegun: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'comment');
    await form.page.locator('textarea').first().fill('Say how long each phase takes.');
    await press(form, 'add-to-review');
  },
  replying: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'reply');
  },
  unfolded: async (form) => {
    await form.send(snapshot(full()));
    for (const summary of await form.page.locator('summary').all()) await summary.click();
    await form.page.locator('.bar-blocks').click();
  },
  sending: async (form) => {
    await form.send(snapshot(approvable()));
    await press(form, 'open-approve');
    await settle(form.page);
    await press(form, 'decide');
    await form.page.locator('.sending').waitFor();
  },
  refused: async (form) => {
    await form.send(snapshot(approvable()));
    await press(form, 'open-approve');
    await settle(form.page);
    await press(form, 'decide');
    const act = (await form.posted()).find((message) => message.type === 'approve')?.act ?? '';
    const text = 'Saving failed: the disk is full. Free some space and try again.';
    await form.send(snapshot(approvable(), { outcome: { type: 'refused', act, reason: 'failed', text } }));
  },
};
