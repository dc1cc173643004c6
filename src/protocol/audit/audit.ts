/** Messages of the audit trail: an editor tab that shows who decided what and whether it verifies. It decides nothing. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, isoTime, label, sentence, snapshotHead, token } from '../kit/shared.ts';

const count = z.int().min(0);
/** Text from the journal, where forged records can contain anything. */
const said = z.string().max(500);

/** Which acts: decisions and attempts, only attempts, or also those of agents and timers. */
export const auditScope = z.enum(['decisions', 'attempts', 'all']);

export const auditFilter = z.strictObject({
  scope: auditScope,
  /** Case-insensitive search in the actor, the item and the text. */
  text: z.string().max(limits.title),
  /** One hold or one work item. */
  about: z.string().max(limits.title).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditRow = z.strictObject({
  at: count,
  index: count,
  time: isoTime,
  mark: z.enum(['verified', 'forged', 'refused', 'unsigned']),
  kind: said,
  subject: said,
  /** Present for items with a form or review of their own. */
  open: token.optional(),
  work: z.array(said),
  who: said,
  /** Only its line says that this human did it. */
  unsigned: z.literal(true).optional(),
  /** The signing key, shortened. */
  key: label.optional(),
  /** Whose key it is, where the key ring has another name than the signature. */
  keyOf: said.optional(),
  /** Signed with a passkey, verified by a PIN, a fingerprint or the like. */
  passkey: z.literal(true).optional(),
  said: said.optional(),
  why: said.optional(),
});
export type AuditRow = z.infer<typeof auditRow>;

export const auditView = z.strictObject({
  type: z.literal('audit'),
  ...chosenFolder,
  /** Percent of the journal that was read; 100 when done. */
  checked: z.int().min(0).max(100),
  /** All faults. Empty after the check: everything verifies. */
  faults: z.array(sentence),
  acts: count,
  decisions: count,
  signers: z.array(z.strictObject({ name: said, key: label, decisions: count })),
  filter: auditFilter,
  /** How many acts fit the filter; the rows are the latest of them. */
  matching: count,
  rows: z.array(auditRow),
  /** Hash of the displayed summary, which the seal covers. */
  shown: token,
  export: z.enum(['sealed', 'unsealed', 'no']),
});
export type AuditView = z.infer<typeof auditView>;

/** Host to webview: the whole view. */
export const auditSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [auditView, unavailableView]),
  /** The result of the last export. */
  notice: z.strictObject({ good: z.boolean(), text: sentence }).optional(),
});
export type AuditSnapshot = z.infer<typeof auditSnapshot>;

/** Webview to host. */
export const auditMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), filter: auditFilter.optional() }),
  z.strictObject({ type: z.literal('filter'), filter: auditFilter }),
  z.strictObject({ type: z.literal('more') }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  z.strictObject({ type: z.literal('open'), key: token }),
  z.strictObject({ type: z.literal('again') }),
  /** A human's act: their key seals the export. */
  z.strictObject({ type: z.literal('export'), shown: token }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type AuditMessage = z.infer<typeof auditMessage>;
