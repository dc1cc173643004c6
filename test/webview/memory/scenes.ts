/** What a reader of the briefing may see: each state, and those that need an action. */
import type { BriefingMessage } from '../../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot, Compose } from '../../../src/ui/briefing/model.ts';
import type { Form } from '../harness.ts';
import { full, proposed, snapshot, states } from './samples.ts';
import { choose, click, fill, press, ready, scene, shown } from '../steps.ts';

export type BriefingForm = Form<BriefingMessage, BriefingSnapshot>;
type Scene = (form: BriefingForm) => Promise<void>;
type View = BriefingSnapshot['view'];

/** A view, and what a reader does there. */
const on = (view: () => View, ...steps: Parameters<typeof scene>[1][]): Scene =>
  scene(() => snapshot(view()), ...steps);
export const unfold = (id: string) => click(`summary[data-focus="${id}"]`);
const section = (name: string) => click(`[data-section=${name}] > summary`);

export const scenes: Record<string, Scene> = {
  ...shown(states),
  outage: (form) => form.show({ ...snapshot(full()), outage: { state: 'unknown', why: 'never' } }),
  unfolded: on(full, unfold('E-1'), unfold('E-3'), unfold('E-11')),
  resolved: on(full, section('resolved'), unfold('E-12')),
  proposal: on(() => full({ proposals: [proposed] }), unfold('E-9')),
  proposalFirstUse: on(
    () => full({ proposals: [proposed], answersAs: { name: 'ada', editable: true } }),
    unfold('E-9'),
  ),
  filtered: on(full, choose('#filter', 'decision')),
  folded: on(full, section('critical'), section('waiting'), section('relevant')),
  recording: on(full, press('open-post'), fill('textarea', 'The exporter reads the *old* table.')),
  recordingFirstUse: on(() => full({ answersAs: { name: 'ada', editable: true } }), press('open-post')),
  recordingMissing: on(full, press('open-post'), ready, press('post')),
  fromSelection: scene(() => {
    const text = '[login.ts:12-18](src/auth/login.ts#L12): ';
    const compose: Compose = { token: 'c1', type: 'warning', scopes: ['src/auth/login.ts'], text };
    return snapshot(full(), { compose });
  }),
  resolving: on(full, unfold('E-1'), press('resolve'), fill('textarea', 'Migrations have a way back since 2.1.')),
  superseding: on(full, unfold('E-2'), press('supersede'), ready, press('decide')),
  refused: async (form) => {
    await on(full, unfold('E-1'), press('resolve'), fill('textarea', 'So.'), ready, press('decide'))(form);
    const act = (await form.posted()).find((message) => message.type === 'close')?.act ?? '';
    const text = 'Something has changed since this was shown. Check it again.';
    await form.send(snapshot(full(), { outcome: { type: 'refused', act, reason: 'changed', text } }));
  },
  recorded: async (form) => {
    await on(full, press('open-post'), fill('textarea', 'So.'), ready, press('post'))(form);
    const act = (await form.posted()).find((message) => message.type === 'post')?.act ?? '';
    await form.send(snapshot(full(), { outcome: { type: 'done', act } }));
  },
};
