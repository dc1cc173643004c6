/** When questions interrupt a human: part of the signed policy. Nothing of it changes what is held. */
import * as z from 'zod';
import { agentId } from '../kit/fields.ts';
import { interruption, urgency } from '../kit/words.ts';
import type { DeepReadonly } from './parts.ts';

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

export const interruptions = () =>
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
