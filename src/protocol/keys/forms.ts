/** Forms of the view "Answer" about keys: whose decisions count on this machine, and letting this editor sign. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { actMark } from '../kit/messages.ts';
import { isoTime, label, renderMark, sentence, signer, token } from '../kit/shared.ts';

const name = z.string().max(limits.title);

/** A key for people: its owner and the fingerprint to compare. */
const keyFace = {
  name: label,
  /** Its full id, in groups. */
  fingerprint: label,
};

/** The keys whose decisions count here. */
export const keysView = z.strictObject({
  type: z.literal('keys'),
  ...renderMark,
  folder: label.optional(),
  /** This editor's key; absent until its first decision creates it. */
  own: z.strictObject({ ...keyFace, since: isoTime, publicLine: sentence }).optional(),
  others: z.array(
    z.strictObject({
      keyid: token,
      ...keyFace,
      at: isoTime,
      /** It was not added through a form of this editor. */
      stranger: z.boolean(),
      /** It adds and removes keys of the team. */
      root: z.boolean().optional(),
    }),
  ),
  passkeys: z.array(
    z.strictObject({
      keyid: token,
      ...keyFace,
      /** What its human calls it. */
      label,
      origin: label,
      since: isoTime,
      /** When it last signed a decision of this workspace. */
      used: isoTime.optional(),
      /** It meets a policy that asks for passkeys. */
      counts: z.boolean(),
      /** Where it can be confirmed, so that it does: by this editor's key, or by another passkey in the browser. */
      confirm: z.enum(['here', 'browser', 'no']),
      /** It can be renamed and given up here. */
      changeable: z.boolean(),
      stranger: z.boolean(),
    }),
  ),
  /** A passkey can be added here. */
  addsPasskeys: z.boolean(),
  /** A browser shows it, where passkeys confirm others; all else is done in the editor. */
  inBrowser: z.literal(true).optional(),
  /** Retired keys, the latest first. */
  retired: z.array(
    z.strictObject({
      name: label,
      fingerprint: label,
      at: isoTime,
      why: z.enum(['rotated', 'lost', 'takenOut', 'stranger']),
    }),
  ),
  /** The pasted key, for review. */
  candidate: z
    .strictObject({
      name,
      fingerprint: label,
      /** A passkey: what its human calls it, and where it signs. */
      passkey: z.strictObject({ label, origin: label }).optional(),
    })
    .optional(),
  /** Why the pasted text cannot be trusted as a key. */
  problem: sentence.optional(),
  /** The administrator or a team manages the keys: nothing can be changed here. */
  managed: sentence.optional(),
  /** The keys are those of a team, and this editor's is a root: it adds and removes, but cannot be replaced. */
  team: z.boolean().optional(),
  /** This editor's key is the only root of the team. */
  onlyRoot: z.boolean().optional(),
  /** The machine that uses the key, if it is not this one. */
  remote: sentence.optional(),
  answersAs: signer,
  locked: sentence.optional(),
});
export type KeysView = z.infer<typeof keysView>;

/** This editor has no trusted signing key, and others do: one trusted click adds its key. */
export const enrolView = z.strictObject({
  type: z.literal('enrol'),
  ...renderMark,
  name,
  pinned: z.array(z.strictObject({ keyid: token, name: label, fingerprint: label, at: isoTime })),
  /** The administrator manages the keys: only they can add this editor's. */
  managed: sentence.optional(),
  /** The workspace is shared: only a root of the team can add it. */
  team: sentence.optional(),
  /** The public key to give them. */
  publicLine: sentence.optional(),
  remote: sentence.optional(),
});
export type EnrolView = z.infer<typeof enrolView>;

export const enrolMessage = z.strictObject({
  type: z.literal('enrol'),
  ...actMark,
  /** Keys that can no longer sign, because their private keys are lost. */
  lost: z.array(token).max(100),
  /** The second step was confirmed; required if a key is lost. */
  confirmed: z.boolean(),
});

export const keysMessage = z.strictObject({
  type: z.literal('keys'),
  ...actMark,
  what: z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('rotate') }),
    /** Trusts the key under review, under this name. */
    z.strictObject({ do: z.literal('trust'), called: z.string().trim().min(1).max(limits.id) }),
    z.strictObject({ do: z.literal('takeOut'), keyid: token }),
    /** Lets a key of the team's ring add and remove keys. */
    z.strictObject({ do: z.literal('makeRoot'), keyid: token }),
    /** Keeps a key that was not added through a form of this editor. */
    z.strictObject({ do: z.literal('keep'), keyid: token }),
    z.strictObject({ do: z.literal('renamePasskey'), keyid: token, label: z.string().trim().min(1).max(limits.id) }),
    z.strictObject({ do: z.literal('giveUpPasskey'), keyid: token }),
    /** Names it in the journal, so that it meets a policy that asks for passkeys. */
    z.strictObject({ do: z.literal('confirmPasskey'), keyid: token }),
  ]),
  confirmed: z.boolean(),
});
export type EnrolMessage = z.infer<typeof enrolMessage>;
export type KeysMessage = z.infer<typeof keysMessage>;
export type KeyAct = z.infer<typeof keysMessage>['what'];

/** Messages without effect on trust: reviewing a pasted key, and copying this editor's public key. */
export const keyMessages = [
  z.strictObject({ type: z.literal('lookAtKey'), key: token, text: z.string().max(limits.otherText) }),
  z.strictObject({ type: z.literal('copyPublicKey'), key: token }),
  /** Opens the page that makes a passkey, then asks for its code. */
  z.strictObject({ type: z.literal('addPasskey'), key: token }),
] as const;
