/** Answers calls that need no store, so that reading is quick and cannot be blocked. */
import type { HookAnswer, HookCall } from '../hosts/call.ts';
import type { Adapter } from '../hosts/host.ts';
import { addSession } from '../hosts/ownTools.ts';

export interface Asked {
  readonly adapter: Adapter;
  readonly call: HookCall;
  /** HOLDPOINT_AGENT_ID, an explicit agent id. */
  readonly given: string | undefined;
}

const nothing: HookAnswer = { kind: 'nothing' };

/**
 * The answer to a call that changes nothing, without opening a store, so that nothing can block reading. Null: ask the
 * gate.
 */
export function withoutAsking({ call }: Pick<Asked, 'call'>): HookAnswer | null {
  const { tool, session } = call;
  if (!tool) return nothing;
  if (tool.own) {
    const input = addSession(tool.input, session);
    return input === null ? nothing : { kind: 'stamp', input };
  }
  return tool.changes || tool.configured.length > 0 ? null : nothing;
}
