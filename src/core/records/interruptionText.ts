/** Rules on the interruptions of agents as one line each, as people write them: `build-bot low: silent`. */
import { interruption, urgency } from '../kit/words.ts';
import { agentInterruption, type AgentInterruption } from './interruptions.ts';

export function formatInterruption({ agent, urgencies = [], how }: AgentInterruption): string {
  return `${[agent, ...urgencies].join(' ')}: ${how}`;
}

/** Null for a line that is not a rule. */
export function parseInterruption(line: string): AgentInterruption | null {
  const colon = line.lastIndexOf(':');
  const how = interruption.safeParse(
    line
      .slice(colon + 1)
      .trim()
      .toLowerCase(),
  );
  if (colon < 0 || !how.success) return null;
  const words = line
    .slice(0, colon)
    .trim()
    .split(/[\s,]+/);
  const last = words.findLastIndex((word) => !isUrgency(word));
  const named = urgency.options.filter((one) => words.slice(last + 1).includes(one));
  const rule = agentInterruption().safeParse({
    agent: words.slice(0, last + 1).join(' '),
    ...(named.length === 0 ? {} : { urgencies: named }),
    how: how.data,
  });
  return rule.success ? rule.data : null;
}

function isUrgency(word: string): boolean {
  return urgency.safeParse(word).success;
}
