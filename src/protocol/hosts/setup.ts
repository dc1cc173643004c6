/** Messages of the page "Set up agents": what each host has and would get. Its buttons change the user's files; they decide no hold. */
import * as z from 'zod';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, isoTime, label, sentence, snapshotHead, token } from '../kit/shared.ts';

/** Hosts with hooks, and git. */
export const setupHost = z.enum(['vscode', 'claude-code', 'copilot-cli', 'codex', 'opencode', 'git']);
export type SetupHost = z.infer<typeof setupHost>;

export const setupVerdict = z.enum(['off', 'enforced', 'advisory', 'broken']);
export type SetupVerdict = z.infer<typeof setupVerdict>;

const row = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['same', 'added', 'removed']), text: z.string() }),
  z.strictObject({ type: z.literal('gap'), lines: z.int().min(1) }),
]);
export type SetupRow = z.infer<typeof row>;

const change = z.strictObject({
  /** Relative to the folder where it lies in it; a path of this machine otherwise. */
  file: z.string().min(1),
  /** Where the bytes go, if links lead elsewhere. */
  real: z.string().optional(),
  what: z.enum(['new', 'changed', 'removed']),
  rows: z.array(row),
});

/** What a button would write, exactly; `shown` is its hash, and given back with the click. */
export const setupPlan = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('changes'), shown: token, files: z.array(change).min(1) }),
  /** It is as it should be. */
  z.strictObject({ type: z.literal('nothing') }),
  /** It cannot be written, and why. */
  z.strictObject({ type: z.literal('problem'), text: sentence }),
]);
export type SetupPlan = z.infer<typeof setupPlan>;

export const setupRow = z.strictObject({
  host: setupHost,
  title: label,
  /** A sign that it is in use here: a path. */
  found: z.string().optional(),
  verdict: setupVerdict,
  /** Why, in finished words. */
  reasons: z.array(sentence),
  add: setupPlan,
  remove: setupPlan,
});
export type SetupRowView = z.infer<typeof setupRow>;

export const setupView = z.strictObject({
  type: z.literal('setup'),
  ...chosenFolder,
  /** Made anew for every rendering: an act names the one it was clicked in. */
  render: token,
  /** When the canaries were last tried; none while they never were. */
  checkedAt: isoTime.optional(),
  checking: z.boolean(),
  hosts: z.array(setupRow),
});
export type SetupView = z.infer<typeof setupView>;

/** Host to webview: all there is to show. */
export const setupSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [setupView, unavailableView]),
  /** What the last act came to. */
  notice: z.strictObject({ kind: z.enum(['done', 'error']), text: sentence }).optional(),
});
export type SetupSnapshot = z.infer<typeof setupSnapshot>;

/** Webview to host. */
export const setupMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  /** Tries the canaries again. */
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
