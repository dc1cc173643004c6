import type { HookCall } from '../hosts/call.ts';

/** Whether the call parks a question. */
export function parks({ tool }: HookCall): boolean {
  return tool?.own === true && tool.name.endsWith('holdpoint_park_question');
}
