/** The policy: ageing of questions and all that humans set for a workspace. Signed, because agents can edit settings files. */
import * as z from 'zod';
import { holdGlob, agentId, textField } from '../kit/fields.ts';
import { afterLease, onExpiry, tickedUpTo, interruption, urgency, questionType } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';
import type { DeepReadonly } from './parts.ts';
import { onOverdue, responsibilityId } from './request.ts';
import { sameNameKey } from '../kit/text.ts';

// When questions interrupt a human: part of the signed policy. Nothing of it changes what is held.

export const interruptionLimits = { agents: 50, digestMinutes: 1_440, perHour: 1_000 } as const;

/**
 * Questions of one agent, or of all agents of a type: `build-bot` covers `build-bot-001`. Without urgencies, of all but
 * critical ones.
 */
export const agentInterruption = () =>
  z.strictObject({
    agent: agentId,
    urgencies: z.array(urgency).min(1).max(urgency.options.length).optional(),
    how: interruption,
  });

const interruptions = () =>
  z.strictObject({
    urgencies: z.strictObject({ critical: interruption, high: interruption, medium: interruption, low: interruption }),
    /** The first one that matches is used. */
    agents: z.array(agentInterruption()).max(interruptionLimits.agents),
    /** Of earlier versions; without effect. */
    digestMinutes: z.int().min(1).max(interruptionLimits.digestMinutes),
    /** Questions of an agent beyond this number in an hour are only in the list; 0: there is no limit. */
    perHour: z.int().min(0).max(interruptionLimits.perHour),
  });
export type Interruptions = DeepReadonly<z.infer<ReturnType<typeof interruptions>>>;

// Rules of the signed policy that ask for several people: which items, and how many of whom.

/** What a rule can name: the types of questions, and RFCs. */
export const ruledType = z.enum([...questionType.options, 'rfc']);
export type RuledType = z.infer<typeof ruledType>;

export const quorumLimits = { rules: 50, people: 50 } as const;

const keyName = textField(limits.title).refine((name) => !/[\r\n]/.test(name), 'must be one line');

function areDistinct(people: readonly string[]): boolean {
  return new Set(people.map(sameNameKey)).size === people.length;
}

/**
 * Covers an item that fits every given condition; one that is left out fits all. Each rule that covers an item must be
 * met. A rule that names urgencies covers no RFC: RFCs have none.
 */
const ruleConditions = () => ({
  urgencies: z.array(urgency).min(1).optional(),
  types: z.array(ruledType).min(1).optional(),
  /** Covers an item that holds, or is about, a path that one of these holds. */
  globs: z.array(holdGlob).min(1).max(limits.listItems).optional(),
});

const makeRule = () =>
  z
    .strictObject({
      ...ruleConditions(),
      people: z.array(keyName).min(1).max(quorumLimits.people).refine(areDistinct, 'name a person twice'),
      count: z.int().min(1),
    })
    .refine(({ people, count }) => count <= people.length, 'asks for more people than it lists');
let made: ReturnType<typeof makeRule> | undefined;
export const quorumRule = () => (made ??= makeRule());

export type QuorumRule = DeepReadonly<z.infer<ReturnType<typeof makeRule>>>;
export type RuleConditions = Omit<QuorumRule, 'people' | 'count'>;

/** Who signed: the name that the ring gives to the key, never what a record says of itself. */
export interface Person {
  readonly name: string;
  readonly keyid: string;
}

export interface Approval extends Person {
  readonly at: string;
}

/** A decision that too few people have signed so far. It has no effect. */
export interface PendingDecision {
  /** Hash of what was shown; for decisions on RFCs, which name their revision themselves, of the rules. */
  readonly shown: string;
  readonly recordHash: string;
  readonly record: Readonly<Record<string, unknown>> & { readonly kind: string };
  readonly approvals: readonly Approval[];
}

// Programs of hosts that can continue with a session after a human has answered, each with its policy.

export const resumableHost = z.enum(['claude-code', 'codex', 'copilot-cli', 'opencode']);
export type ResumableHost = z.infer<typeof resumableHost>;

/** Hosts whose sessions an answer starts again by itself. */
const resuming = () => z.strictObject({ hosts: z.array(resumableHost).max(resumableHost.options.length) });

/**
 * A tool of an MCP server: as humans write it (`docs/search`, kit/fields.ts), or as a host's hook names it
 * (`mcp__docs__search`).
 */
const hookToolName = z.string().regex(/^[\w:./-]{1,200}$/);

/** Days without a mention until an event leaves the briefing; 0: never. */
const ageDays = () => z.int().min(0).max(3_650);
/** A year at most. */
const lifeHours = () => z.int().min(1).max(8_760);
/** A day at most; 0 for never. */
const minutes = () => z.int().min(0).max(1_440);
const reminders = () => byUrgency(minutes);
/** How long a decision can be taken back before it is signed: a minute at most; 0 signs at once. */
const undoSeconds = () => z.int().min(0).max(60);

function byUrgency<T extends z.ZodType>(of: () => T) {
  return z.strictObject({ critical: of(), high: of(), medium: of(), low: of() });
}

/** Work without the server of a shared workspace. */
const lease = () =>
  z.strictObject({
    /** How long after the server last confirmed the journal the gate still allows what is not held. */
    seconds: z.int().min(0).max(3_600),
    /** Files for which it must have confirmed it just now. */
    strictGlobs: z.array(holdGlob).max(limits.listItems),
    /** What becomes then of work that is not held, and of other files. Default: `deny`. */
    after: afterLease.optional(),
  });

/** What a record leaves out stays as it was. */
export const policyMembers = () => ({
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
});

export type Policy = DeepReadonly<z.infer<z.ZodObject<ReturnType<typeof policyMembers>>>>;
export type Lease = NonNullable<Policy['lease']>;
