/** The policy: ageing of questions and all that humans set for a workspace. Signed, because agents can edit settings files. */
import * as z from 'zod';
import { holdGlob } from '../kit/fields.ts';
import { afterLease, onExpiry, tickedUpTo } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';
import { interruptions } from './interruptions.ts';
import { envelope, record, type DeepReadonly } from './parts.ts';
import { quorumLimits, quorumRule, ruleConditions } from './quorum.ts';
import { onOverdue, responsibilityId } from './requestWords.ts';
import { resuming } from './resuming.ts';

/**
 * A tool of an MCP server: as humans write it (`docs/search`, serverTool.ts), or as a host's hook names it
 * (`mcp__docs__search`).
 */
export const hookToolName = z.string().regex(/^[\w:./-]{1,200}$/);

/** Days without a mention until an event leaves the briefing; 0: never. */
export const ageDays = () => z.int().min(0).max(3_650);
/** A year at most. */
export const lifeHours = () => z.int().min(1).max(8_760);
/** A day at most; 0 for never. */
const minutes = () => z.int().min(0).max(1_440);
export const reminders = () => byUrgency(minutes);
/** How long a decision can be taken back before it is signed: a minute at most; 0 signs at once. */
export const undoSeconds = () => z.int().min(0).max(60);

export function byUrgency<T extends z.ZodType>(of: () => T) {
  return z.strictObject({ critical: of(), high: of(), medium: of(), low: of() });
}

/** Work without the server of a shared workspace. */
export const lease = () =>
  z.strictObject({
    /** How long after the server last confirmed the journal the gate still allows what is not held. */
    seconds: z.int().min(0).max(3_600),
    /** Files for which it must have confirmed it just now. */
    strictGlobs: z.array(holdGlob).max(limits.listItems),
    /** What becomes then of work that is not held, and of other files. Default: `deny`. */
    after: afterLease.optional(),
  });

/** What a record leaves out stays as it was. */
export const policyChanged = record('policy.changed', () => ({
  /** How long a question stays open. Hours. */
  questionLifeHours: lifeHours(),
  onExpiry,
  // Optional and without a default, like all later additions, so that earlier signatures keep their hashes.
  /** Instead of `questionLifeHours`. */
  questionLife: byUrgency(lifeHours).optional(),
  /** What happens to accepted requests past their agreed time; default: one alert. */
  overdue: z.object({ action: onOverdue, reassignTo: responsibilityId.optional() }).optional(),
  /** MCP tools that a human declared read-only, so hooks allow them. All others are treated as changes. */
  hooks: z.object({ readOnlyTools: z.array(hookToolName).max(limits.listItems) }).optional(),
  /** Whether a language model reviews each RFC that is submitted, before the human is notified. It decides nothing. */
  review: z.object({ onSubmit: z.boolean() }).optional(),
  memory: z.object({ ageDays: ageDays() }).optional(),
  /** Minutes after which a window reminds of a waiting question, again and again; 0: it notifies once. */
  reminders: reminders().optional(),
  undo: z.strictObject({ seconds: undoSeconds() }).optional(),
  /** Up to which urgency the form of several assumptions ticks them in advance. None: all but critical ones. */
  assumptions: z.object({ tickedUpTo }).optional(),
  /** Minutes after which an agent that waits should park its question; 0: it waits on. */
  parking: z.strictObject({ minutes: reminders() }).optional(),
  /** When questions interrupt a human. None: at once. */
  interruptions: interruptions().optional(),
  /** Hosts whose parked sessions an answer starts again by itself. */
  resuming: resuming().optional(),
  /** Of policies signed by development versions that could make held files read-only. It has no effect. */
  fence: z.strictObject({ heldFiles: z.boolean() }).optional(),
  lease: lease().optional(),
  /** Decisions that need several people. */
  quorum: z.strictObject({ rules: z.array(quorumRule()).max(quorumLimits.rules) }).optional(),
  /** Decisions that only a passkey signs. */
  passkeys: z.strictObject({ rules: z.array(z.strictObject(ruleConditions())).max(quorumLimits.rules) }).optional(),
  /** Of policies signed by development versions that had precedents. It has no effect. */
  precedents: z.looseObject({}).optional(),
  envelope,
}));

export type Policy = DeepReadonly<Omit<z.infer<(typeof policyChanged)['schema']>, 'kind' | 'v' | 'envelope'>>;
export type Lease = NonNullable<Policy['lease']>;
