/** What the server sends to a browser besides the surfaces' own snapshots. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { isoTime, label } from '../kit/shared.ts';

/** One row of the list, as in the editor's tree. */
const inboxRow = z.strictObject({
  /** Where it opens. */
  path: z.string().regex(/^\/[\w/-]*$/),
  label: z.string().max(limits.otherText),
  description: z.string().max(limits.otherText),
  /** Its state in words, for screen readers. */
  spoken: z.string().max(limits.otherText),
  icon: z.string(),
  tone: z.enum(['critical', 'high', 'rest']),
});
export type InboxRow = z.infer<typeof inboxRow>;

export const inboxSnapshot = z.strictObject({
  now: isoTime,
  /** The workspace's folder. */
  name: label,
  count: z.int().min(0),
  groups: z.array(z.strictObject({ label: z.string(), rows: z.array(inboxRow) })),
  /** What agents do, if nothing waits. */
  working: z.string().optional(),
});
export type InboxSnapshot = z.infer<typeof inboxSnapshot>;

/** What a document says about itself to its script. */
export interface PageFacts {
  readonly kind: 'login' | 'page' | 'passkey';
  /** Whether the session was opened with a passkey, which can decide. */
  readonly passkey: boolean;
  /** The surface beside the list; null for the list alone. */
  readonly surface: string | null;
  readonly key: string | null;
  /** Keeps drafts of different workspaces apart. */
  readonly store: string;
  readonly path: string;
}
