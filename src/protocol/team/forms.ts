/** Forms of the view "Answer" about a team: sharing a workspace, and leaving a shared one. */
import * as z from 'zod';
import { secretKinds } from '../../core/kit/secrets.ts';
import { actMark, trimmed } from '../kit/messages.ts';
import { label, renderMark, sentence, signer, token } from '../kit/shared.ts';

const count = z.int().nonnegative();

/** A login to the server, without its password. */
const serverLogin = z.strictObject({ login: label, host: label });

/** What everyone on the team will see, before any of it leaves the machine. */
export const shareView = z.strictObject({
  type: z.literal('share'),
  ...renderMark,
  folder: label.optional(),
  project: label,
  counts: z.strictObject({
    questions: count,
    rfcs: count,
    events: count,
    requests: count,
    work: count,
    agents: count,
  }),
  /** Names of the humans who signed decisions. */
  people: z.array(label),
  /** Texts that look like secrets: the first ones, and how many there are. */
  secrets: z.array(z.strictObject({ item: label, kind: z.enum(secretKinds), beginning: z.string().max(200) })),
  secretCount: count,
  /** A suggestion for the workspace's name on the server. */
  name: z.string().max(64),
  /** The human's login; absent until this editor is connected. */
  server: serverLogin.optional(),
  /** Login of this person's agents. */
  agents: label.optional(),
  /** The fingerprint that teammates compare; absent until this editor's first decision creates its key. */
  fingerprint: label.optional(),
  /** An interrupted attempt, to go on with under the same name. */
  begun: label.optional(),
  answersAs: signer,
  locked: sentence.optional(),
});
export type ShareView = z.infer<typeof shareView>;

export const shareMessage = z.strictObject({
  type: z.literal('share'),
  ...actMark,
  /** The workspace's name on the server. */
  called: trimmed(64),
  /** The second step was confirmed. */
  confirmed: z.boolean(),
});
export type ShareMessage = z.infer<typeof shareMessage>;

/** Before the journal moves back to this machine. */
export const leaveView = z.strictObject({
  type: z.literal('leave'),
  ...renderMark,
  folder: label.optional(),
  shared: label,
  /** Absent without a login. */
  server: serverLogin.optional(),
  answersAs: signer,
  locked: sentence.optional(),
});
export type LeaveView = z.infer<typeof leaveView>;

export const leaveMessage = z.strictObject({
  type: z.literal('leaveTeam'),
  ...actMark,
  confirmed: z.boolean(),
});
export type LeaveMessage = z.infer<typeof leaveMessage>;

/** Asks for the logins; decides nothing. */
export const connectTeamMessage = z.strictObject({ type: z.literal('connectTeam'), key: token });
