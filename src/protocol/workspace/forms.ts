/** Forms of the view "Answer" that are about no single question: the policy, all questions of one agent, and a work item. */
import * as z from 'zod';
import { interruptionLimits } from '../../core/records/interruptions.ts';
import { quorumLimits } from '../../core/records/quorum.ts';
import { onOverdue, responsibilityId } from '../../core/records/requestWords.ts';
import { resumableHost } from '../../core/records/resuming.ts';
import { serverTool } from '../../core/kit/serverTool.ts';
import { afterLease, interruption, limits, onExpiry, tickedUpTo, urgency, workKind } from '../../core/kit/words.ts';
import { actMark, reason, trimmed } from '../kit/messages.ts';
import { label, renderMark, sentence, signer, token, workRef } from '../kit/shared.ts';

/** Minutes until a question of this urgency notifies again: at most a day, 0 for never. */
const minutes = z.int().min(0).max(1_440);
const minutesByUrgency = z.strictObject({
  ...{ critical: minutes, high: minutes },
  ...{ medium: minutes, low: minutes },
});
const hours = z.int().min(1).max(8_760);
const hoursByUrgency = z.strictObject({ critical: hours, high: hours, medium: hours, low: hours });

/** How long programs go on without the server of a shared workspace, and for which files they never do. */
const lease = z.strictObject({
  seconds: z.int().min(0).max(3_600),
  strictGlobs: z.array(z.string().max(limits.glob)).max(limits.listItems),
  after: afterLease.optional(),
});

const ruleLength = 20_000;

/** When questions notify a human. Agents are lines such as `build-bot low: silent`. */
const interruptions = z.strictObject({
  urgencies: z.strictObject({ critical: interruption, high: interruption, medium: interruption, low: interruption }),
  agents: z.array(z.string().trim().min(1).max(limits.title)).max(interruptionLimits.agents),
  digestMinutes: z.int().min(1).max(interruptionLimits.digestMinutes),
  perHour: z.int().min(0).max(interruptionLimits.perHour),
});

/** How questions age, and what hooks always allow. */
export const policyValues = {
  /** Only in a shared workspace. */
  lease: lease.optional(),
  /** How long a question waits, by its urgency: a year at most. */
  lifeHours: hoursByUrgency,
  onExpiry,
  /** What happens to overdue accepted requests. */
  overdue: onOverdue,
  /** The new assignee of reassigned requests. */
  reassignTo: responsibilityId.optional(),
  /** MCP tools that hooks always allow: `server/tool`. */
  readOnlyTools: z.array(label).max(limits.listItems),
  /** Whether a language model reviews each submitted RFC before the human is notified. */
  reviewOnSubmit: z.boolean(),
  /** Days without a mention after which informational events leave the briefing; 0: never. */
  ageDays: z.int().min(0).max(3_650),
  reminders: minutesByUrgency,
  /** Minutes after which agents that pay for waiting park their question; 0: they wait on. */
  parking: minutesByUrgency,
  interruptions,
  /** Hosts whose parked sessions an answer starts again by itself. */
  resuming: z.array(resumableHost).max(resumableHost.options.length),
  /** Seconds in which a decision made one after another can be taken back; 0: not. */
  undoSeconds: z.int().min(0).max(60),
  /** Up to which urgency assumptions are ticked in advance. */
  tickedUpTo,
  /** Decisions that take several people, one rule each: `payments/**: 2 of ada, grace, linus`. */
  rules: z.array(z.string().trim().min(1).max(ruleLength)).max(quorumLimits.rules),
};

/** The policy of a workspace, and the name this editor signs with. */
export const policyView = z.strictObject({
  type: z.literal('policy'),
  ...renderMark,
  /** The workspace folder, when the window has several. */
  folder: label.optional(),
  ...policyValues,
  /** Names of the keys in the ring: whom a rule can name. */
  ring: z.array(label),
  /** Changes of rules that too few people have signed so far. */
  proposedRules: z.array(z.strictObject({ text: sentence, rules: z.array(z.string()) })),
  /** Possible assignees. */
  responsibilities: z.array(z.strictObject({ id: label, name: label })),
  /** Can always be changed here; `editable` is true until the first signature. */
  answersAs: signer,
  /** An administrator or a root of the team sets the name. */
  nameIsManaged: z.boolean().optional(),
  /** Some changes take a passkey: a button opens this form in the browser. */
  inBrowser: sentence.optional(),
  /** Why nothing can be decided here now. */
  locked: sentence.optional(),
});
export type PolicyView = z.infer<typeof policyView>;

/** All open questions of one agent, shown before they are released. */
export const releaseAllView = z.strictObject({
  type: z.literal('releaseAll'),
  ...renderMark,
  folder: label.optional(),
  agent: label,
  questions: z
    .array(
      z.strictObject({
        key: token,
        id: label,
        /** Its first line. */
        text: sentence,
        urgency,
        /** Number of held work items, including dependents; undefined if it holds nothing. */
        holds: z.int().min(0).optional(),
        /** It has expired, but still holds. */
        expired: z.boolean(),
      }),
    )
    .min(1),
  answersAs: signer,
  locked: sentence.optional(),
});
export type ReleaseAllView = z.infer<typeof releaseAllView>;

export const releaseAllMessage = z.strictObject({
  type: z.literal('releaseAll'),
  ...actMark,
  note: reason,
  confirmed: z.boolean(),
});
export type ReleaseAllMessage = z.infer<typeof releaseAllMessage>;

/** A work item that is not deleted, and what deleting it would change. */
export const workView = z.strictObject({
  type: z.literal('work'),
  ...renderMark,
  folder: label.optional(),
  work: workRef,
  kind: workKind,
  /** Deleted with it: what is in a workflow. */
  parts: z.array(workRef),
  /** Questions and RFCs that hold any of them. They stay open. */
  holders: z.array(z.strictObject({ key: token, id: label, text: sentence })),
  /** Unfinished work that waits for any of them. */
  dependants: z.array(workRef),
  answersAs: signer,
  locked: sentence.optional(),
});
export type WorkView = z.infer<typeof workView>;

export const deleteWorkMessage = z.strictObject({ type: z.literal('deleteWork'), ...actMark, confirmed: z.boolean() });
export type DeleteWorkMessage = z.infer<typeof deleteWorkMessage>;

export const policyMessage = z.strictObject({
  type: z.literal('policy'),
  ...actMark,
  name: trimmed(limits.id).min(1),
  ...policyValues,
  readOnlyTools: z.array(serverTool).max(limits.listItems),
  confirmed: z.boolean(),
});
export type PolicyMessage = z.infer<typeof policyMessage>;
/** What the form of the policy sets. */
export type PolicyValues = Pick<PolicyMessage, keyof typeof policyValues>;
