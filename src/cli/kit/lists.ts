/** Options of every list of items: they mean the same in all of them. */
import { count, countOrNone } from './arguments.ts';
import { may } from './toolVerb.ts';
import type { Given } from './toolVerb.ts';

/** @param what the items, in the plural */
export function listOptions(
  what: string,
  statuses: string,
): Readonly<Record<'status' | 'agent' | 'work_id' | 'skip' | 'limit', Given>> {
  return {
    status: may('--status <status>', statuses, (text) => text.replaceAll('-', '_')),
    agent: may('--agent <agent>', `only ${what} of this agent`),
    work_id: may('--work <id>', `only ${what} on this work item`),
    skip: may('--skip <n>', 'skip this many items', countOrNone),
    limit: may('--limit <n>', `maximum number of ${what} (default: all)`, count),
  };
}
