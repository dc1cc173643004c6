/** Which questions precedents never answer: part of the signed policy. */
import * as z from 'zod';
import { agentId } from '../kit/text.ts';
import { questionType } from '../kit/words.ts';
import { quorumLimits, ruleConditions, writableConditions } from './quorum.ts';
import type { RuleConditions } from './quorum.ts';

/** Names a question that fits every given condition; one that is left out fits all. */
export const exclusion = () =>
  z.strictObject({
    ...ruleConditions(),
    types: z.array(questionType).min(1).optional(),
    /** Ids of agents, or of types of agents: `build-bot` is also `build-bot-001`. */
    agents: z.array(agentId).min(1).max(quorumLimits.people).optional(),
  });

export const precedentPolicy = () => z.strictObject({ never: z.array(exclusion()).max(quorumLimits.rules) });

export interface Exclusion extends RuleConditions {
  readonly types?: readonly z.infer<typeof questionType>[] | undefined;
  readonly agents?: readonly string[] | undefined;
}

/** The rule as a record takes it: without members that are not set. */
export function writableExclusion({ agents, types, ...others }: Exclusion): z.infer<ReturnType<typeof exclusion>> {
  const { urgencies, globs } = writableConditions(others);
  return {
    ...(urgencies === undefined ? {} : { urgencies }),
    ...(types === undefined ? {} : { types: [...types] }),
    ...(globs === undefined ? {} : { globs }),
    ...(agents === undefined ? {} : { agents: [...agents] }),
  };
}
