/** Messages of the page "Set up agents": what each host has and would get. Its buttons change the user's files but decide nothing about holds. */
import * as z from 'zod';
import { hostNames } from '../../core/kit/hostNames.ts';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, isoTime, label, sentence, snapshotHead, token } from '../kit/shared.ts';

/** Hosts with hooks, and git. */
export const setupHost = z.enum([...hostNames, 'git']);
export type SetupHost = z.infer<typeof setupHost>;

export const setupVerdict = z.enum(['off', 'enforced', 'advisory', 'broken']);
export type SetupVerdict = z.infer<typeof setupVerdict>;

const row = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['same', 'added', 'removed']), text: z.string() }),
  z.strictObject({ type: z.literal('gap'), lines: z.int().min(1) }),
]);
export type SetupRow = z.infer<typeof row>;

const change = z.strictObject({
  /** Relative to the folder if it is inside, otherwise absolute. */
  file: z.string().min(1),
  /** The real path, if links lead elsewhere. */
  real: z.string().optional(),
  what: z.enum(['new', 'changed', 'removed']),
  rows: z.array(row),
});

/** Exactly what a button would write; the click returns `shown`, its hash. */
export const setupPlan = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('changes'), shown: token, files: z.array(change).min(1) }),
  /** Nothing to change. */
  z.strictObject({ type: z.literal('nothing') }),
  /** Why it cannot be written. */
  z.strictObject({ type: z.literal('problem'), text: sentence }),
]);
export type SetupPlan = z.infer<typeof setupPlan>;

export const setupRow = z.strictObject({
  host: setupHost,
  title: label,
  /** A path that shows that the host is in use here. */
  found: z.string().optional(),
  verdict: setupVerdict,
  /** Whose rules stop the host; absent where its user can edit them. */
  by: z.literal('administrator').optional(),
  /** The reasons, translated. */
  reasons: z.array(sentence),
  add: setupPlan,
  remove: setupPlan,
});
export type SetupRowView = z.infer<typeof setupRow>;

export const setupView = z.strictObject({
  type: z.literal('setup'),
  ...chosenFolder,
  /** New for every rendering: an act names the rendering it was clicked in. */
  render: token,
  /** When the canaries last ran; absent if they never did. */
  checkedAt: isoTime.optional(),
  checking: z.boolean(),
  hosts: z.array(setupRow),
});
export type SetupView = z.infer<typeof setupView>;

/** Host to webview: the whole view. */
export const setupSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [setupView, unavailableView]),
  /** The result of the last act. */
  notice: z.strictObject({ kind: z.enum(['done', 'error']), text: sentence }).optional(),
});
export type SetupSnapshot = z.infer<typeof setupSnapshot>;

/** Webview to host. */
export const setupMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  /** Runs the canaries again. */
  z.strictObject({ type: z.literal('check') }),
  z.strictObject({
    type: z.literal('act'),
    host: setupHost,
    act: z.enum(['add', 'remove']),
    shown: token,
    render: token,
  }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type SetupMessage = z.infer<typeof setupMessage>;
