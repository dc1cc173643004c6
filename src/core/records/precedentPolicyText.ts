/** What precedents never answer as one line each, as people write it: `high approval payments/** agent:build-bot`. */
import { exclusion } from './precedentPolicy.ts';
import type { Exclusion } from './precedentPolicy.ts';
import { conditionsIn, formatConditions } from './quorumText.ts';

const agentPrefix = 'agent:';

export function formatExclusion({ agents, ...conditions }: Exclusion): string {
  if (agents === undefined) return formatConditions(conditions);
  const named = agents.map((agent) => agentPrefix + agent);
  const isBare = Object.values(conditions).every((one) => one === undefined);
  return [...(isBare ? [] : [formatConditions(conditions)]), ...named].join(' ');
}

/** Null for a line that is not a rule. */
export function parseExclusion(line: string): Exclusion | null {
  const words = line.split(/[\s,]+/).filter((word) => word !== '');
  const others = words.filter((word) => !word.startsWith(agentPrefix));
  const agents = words.filter((word) => word.startsWith(agentPrefix)).map((word) => word.slice(agentPrefix.length));
  if (agents.length === 0) return parsed(conditionsIn(others.join(' ')));
  return parsed({ ...conditionsIn(others.join(' ')), agents });
}

function parsed(rule: object | null): Exclusion | null {
  const { data } = exclusion().safeParse(rule);
  return data ?? null;
}
