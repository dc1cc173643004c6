/** What a reader of the briefing may see: each state, and those that need an action. */
import type { BriefingMessage } from '../../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot, Compose } from '../../../src/ui/briefing/model.ts';
import type { Form } from '../harness.ts';
import { full, proposed, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';

export type BriefingForm = Form<BriefingMessage, BriefingSnapshot>;
type Scene = (form: BriefingForm) => Promise<void>;

const sent = Object.fromEntries(
  Object.entries(states).map(([name, make]): [string, Scene] => [name, (form) => form.show(make())]),
);

export const unfold = (form: BriefingForm, id: string) => form.page.locator(`summary[data-focus="${id}"]`).click();
export const press = (form: BriefingForm, act: string) => form.page.locator(`[data-act="${act}"]`).first().click();
/** A form that has just appeared accepts no click at first. */

export const scenes: Record<string, Scene> = {
  ...sent,
  outage: (form) => form.show({ ...snapshot(full()), outage: { state: 'unknown', why: 'never' } }),
  unfolded: async (form) => {
    await form.send(snapshot(full()));
    for (const id of ['E-1', 'E-3', 'E-11']) await unfold(form, id);
  },
  resolved: async (form) => {
    await form.send(snapshot(full()));
    await form.page.locator('[data-section=resolved] > summary').click();
    await unfold(form, 'E-12');
  },
  proposal: async (form) => {
    await form.send(snapshot(full({ proposals: [proposed] })));
    await unfold(form, 'E-9');
  },
  proposalFirstUse: async (form) => {
    await form.send(snapshot(full({ proposals: [proposed], answersAs: { name: 'ada', editable: true } })));
    await unfold(form, 'E-9');
  },
  filtered: async (form) => {
    await form.send(snapshot(full()));
    await form.page.locator('#filter').selectOption('decision');
  },
  folded: async (form) => {
    await form.send(snapshot(full()));
    for (const section of ['critical', 'waiting', 'relevant'])
      await form.page.locator(`[data-section=${section}] > summary`).click();
  },
  recording: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-post');
    await form.page.locator('textarea').first().fill('The exporter reads the *old* table.');
  },
  recordingFirstUse: async (form) => {
    await form.send(snapshot(full({ answersAs: { name: 'ada', editable: true } })));
    await press(form, 'open-post');
  },
  recordingMissing: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-post');
    await settle(form.page);
    await press(form, 'post');
  },
  fromSelection: async (form) => {
    const text = '[login.ts:12-18](src/auth/login.ts#L12): ';
    const compose: Compose = { token: 'c1', type: 'warning', scopes: ['src/auth/login.ts'], text };
    await form.send(snapshot(full(), { compose }));
  },
  resolving: async (form) => {
    await form.send(snapshot(full()));
    await unfold(form, 'E-1');
    await press(form, 'resolve');
    await form.page.locator('textarea').fill('Migrations have a way back since 2.1.');
  },
  superseding: async (form) => {
    await form.send(snapshot(full()));
    await unfold(form, 'E-2');
    await press(form, 'supersede');
    await settle(form.page);
    await press(form, 'decide');
  },
  refused: async (form) => {
    await form.send(snapshot(full()));
    await unfold(form, 'E-1');
    await press(form, 'resolve');
    await form.page.locator('textarea').fill('So.');
    await settle(form.page);
    await press(form, 'decide');
    const act = (await form.posted()).find((message) => message.type === 'resolve')?.act ?? '';
    const text = 'Something has changed since this was shown. Check it again.';
    await form.send(snapshot(full(), { outcome: { type: 'refused', act, reason: 'changed', text } }));
  },
  recorded: async (form) => {
    await form.send(snapshot(full()));
    await press(form, 'open-post');
    await form.page.locator('textarea').first().fill('So.');
    await settle(form.page);
    await press(form, 'post');
    const act = (await form.posted()).find((message) => message.type === 'post')?.act ?? '';
    await form.send(snapshot(full(), { outcome: { type: 'done', act } }));
  },
};
