/** What a reviewer may see: each state, and those that need an action. */
import type { RfcMessage } from '../../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../../src/ui/rfc/model.ts';
import type { Form } from '../harness.ts';
import { approvable, full, revision, snapshot, states, technical, widened } from './samples.ts';
import { click, fill, press, ready, scene, shown, unfoldAll } from '../steps.ts';

export type RfcForm = Form<RfcMessage, RfcSnapshot>;
type Scene = (form: RfcForm) => Promise<void>;
type View = RfcSnapshot['view'];

/** A view, and what a reviewer does there. */
const on = (view: () => View, ...steps: Parameters<typeof scene>[1][]): Scene =>
  scene(() => snapshot(view()), ...steps);
const conditions = (text: string) => fill('#conditions', text);
const decided = [ready, press('decide')];
const comment = [press('comment'), fill('textarea', 'Say how long each phase takes.')];

export const scenes: Record<string, Scene> = {
  ...shown(states),
  outage: (form) =>
    form.show({ ...snapshot(full()), outage: { state: 'unknown', why: 'forked', since: snapshot(full()).now } }),
  approving: on(
    approvable,
    press('open-approve'),
    conditions('Phase 2 begins only after seven days\nThe outbox has an alarm'),
  ),
  approvingFirstUse: on(() => approvable({ answersAs: { name: 'ada', editable: true } }), press('open-approve')),
  requesting: on(full, press('open-requestChanges'), ...decided),
  commentsUnfolded: scene(states['comments']!, click('summary')),
  menu: on(full, press('more')),
  answering: on(full, ({ page }) => page.locator('[data-question="6"] input').nth(1).click(), press('answer')),
  highlighted: on(technical, ({ page }) => page.locator('.code-keyword').first().waitFor()),
  holdingAll: on(full, press('more'), press('open-holdAll')),
  holdingNamed: on(widened, press('more'), press('open-holdNamed')),
  rejecting: on(full, press('open-reject')),
  overtaken: async (form) => {
    await on(approvable, press('open-approve'), conditions('Phase 2 begins only after seven days'))(form);
    const revisions = [...approvable().revisions, revision(4, '0d1c7a55', approvable().proposedAt)];
    await form.send(snapshot(approvable({ shown: 'sha256-rfc3-newer', latest: 4, revisions })));
  },
  off: on(full, press('open-approve')),
  commenting: on(full, ...comment),
  replying: on(full, press('reply')),
  unfolded: on(full, unfoldAll, click('.bar-blocks')),
  sending: on(approvable, press('open-approve'), ...decided, ({ page }) => page.locator('.sending').waitFor()),
  refused: async (form) => {
    await on(approvable, press('open-approve'), ...decided)(form);
    const act = (await form.posted()).find((message) => message.type === 'approve')?.act ?? '';
    const text = 'Saving failed: the disk is full. Free some space and try again.';
    await form.send(snapshot(approvable(), { outcome: { type: 'refused', act, reason: 'failed', text } }));
  },
};
