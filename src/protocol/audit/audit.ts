/** Messages of the audit trail: an editor tab with who decided what, and whether it verifies. It decides nothing. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, isoTime, label, sentence, snapshotHead, token } from '../kit/shared.ts';

const count = z.int().min(0);
/** What a journal says of itself: forged records can say anything. */
const said = z.string().max(500);

/** Which acts: decisions and attempts, attempts alone, or those of agents and of time too. */
export const auditScope = z.enum(['decisions', 'attempts', 'all']);
export type AuditScope = z.infer<typeof auditScope>;

export const auditFilter = z.strictObject({
  scope: auditScope,
  /** Occurs in who, what it is about, or what was said, in any case. */
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
  /** There for what has a form or a review of its own. */
  open: token.optional(),
  work: z.array(said),
  who: said,
  /** The key that signed, shortened. */
  key: label.optional(),
  said: said.optional(),
  why: said.optional(),
});
export type AuditRow = z.infer<typeof auditRow>;

export const auditView = z.strictObject({
  type: z.literal('audit'),
  ...chosenFolder,
  /** Percent of the journal that was read; 100 when done. */
  checked: z.int().min(0).max(100),
  /** All that is wrong. Empty and checked: everything verifies. */
  faults: z.array(sentence),
  acts: count,
  decisions: count,
  signers: z.array(z.strictObject({ name: said, key: label, decisions: count })),
  filter: auditFilter,
  /** How many acts fit the filter; the rows are the latest of them. */
  matching: count,
  rows: z.array(auditRow),
  /** Made anew for every rendering: only the one on the screen can export. */
  render: token,
  /** Hash of what is on the screen about the whole, which the seal is given for. */
  shown: token,
  export: z.enum(['sealed', 'unsealed', 'no']),
});
export type AuditView = z.infer<typeof auditView>;

/** Host to webview: all there is to show. */
export const auditSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [auditView, unavailableView]),
  /** How the last export ended. */
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
  /** A human's act: a key of theirs seals what is exported. */
  z.strictObject({ type: z.literal('export'), render: token, shown: token }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type AuditMessage = z.infer<typeof auditMessage>;
