/** Forms of the view "Answer" about keys: whose decisions count on this machine, and letting this editor sign. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { actMark } from '../kit/messages.ts';
import { isoTime, label, renderMark, sentence, signer, token } from '../kit/shared.ts';

const name = z.string().max(limits.title);

/** A key for people: whose, and what to compare. */
const keyFace = {
  name: label,
  /** All of its id, in groups. */
  fingerprint: label,
};

/** Whose decisions count here. */
export const keysView = z.strictObject({
  type: z.literal('keys'),
  ...renderMark,
  folder: label.optional(),
  /** This editor's; absent until its first decision makes it. */
  own: z.strictObject({ ...keyFace, since: isoTime, publicLine: sentence }).optional(),
  others: z.array(
    z.strictObject({
      keyid: token,
      ...keyFace,
      at: isoTime,
      /** No form of this editor let it in. */
      stranger: z.boolean(),
    }),
  ),
  /** Those that were given up, the latest first. */
  retired: z.array(
    z.strictObject({
      name: label,
      fingerprint: label,
      at: isoTime,
      why: z.enum(['rotated', 'lost', 'takenOut', 'stranger']),
    }),
  ),
  /** What was pasted, for a look at it. */
  candidate: z.strictObject({ name, fingerprint: label }).optional(),
  /** Why what was pasted is no key to trust. */
  problem: sentence.optional(),
  /** The administrator's key ring: nothing can be changed here. */
  managed: sentence.optional(),
  /** Where the key is used, if that is not this machine. */
  remote: sentence.optional(),
  answersAs: signer,
  locked: sentence.optional(),
});
export type KeysView = z.infer<typeof keysView>;

/** This editor has no signing key that counts, and others do: one trusted click adds its own. */
export const enrolView = z.strictObject({
  type: z.literal('enrol'),
  ...renderMark,
  name,
  pinned: z.array(z.strictObject({ keyid: token, name: label, fingerprint: label, at: isoTime })),
  /** The administrator's key ring: only they can add this editor's. */
  managed: sentence.optional(),
  /** What to hand them. */
  publicLine: sentence.optional(),
  remote: sentence.optional(),
});
export type EnrolView = z.infer<typeof enrolView>;

export const enrolMessage = z.strictObject({
  type: z.literal('enrol'),
  ...actMark,
  /** Keys that can sign no more, for their private halves are gone. */
  lost: z.array(token).max(100),
  /** The second step was made: needed where something is lost. */
  confirmed: z.boolean(),
});

export const keysMessage = z.strictObject({
  type: z.literal('keys'),
  ...actMark,
  what: z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('rotate') }),
    /** The candidate that is shown, by this name. */
    z.strictObject({ do: z.literal('trust'), called: z.string().trim().min(1).max(limits.id) }),
    z.strictObject({ do: z.literal('takeOut'), keyid: token }),
    /** A key that no form of this editor let in may stay. */
    z.strictObject({ do: z.literal('keep'), keyid: token }),
  ]),
  confirmed: z.boolean(),
});
export type EnrolMessage = z.infer<typeof enrolMessage>;
export type KeysMessage = z.infer<typeof keysMessage>;
export type KeyAct = z.infer<typeof keysMessage>['what'];

/** Harmless ones: a look at what was pasted (nothing ends it), and this editor's public key for others. */
export const keyMessages = [
  z.strictObject({ type: z.literal('lookAtKey'), key: token, text: z.string().max(limits.otherText) }),
  z.strictObject({ type: z.literal('copyPublicKey'), key: token }),
] as const;
