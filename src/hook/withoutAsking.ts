/** What needs no store: so nothing can stop reading, and reading is quick. */
import type { HookAnswer, HookCall } from '../hosts/call.ts';
import type { HostName } from '../hosts/names.ts';
import { stamped } from '../hosts/stamp.ts';

export interface Asked {
  readonly host: HostName;
  readonly call: HookCall;
  /** HOLDPOINT_AGENT_ID, which names the agent outright. */
  readonly given: string | undefined;
}

const nothing: HookAnswer = { kind: 'nothing' };

/** For a call that changes nothing: no store is looked at, so that nothing can stop reading. Null: it has to be asked about. */
export function withoutAsking({ call }: Pick<Asked, 'call'>): HookAnswer | null {
  const { tool, session } = call;
  if (!tool) return nothing;
  if (tool.own) {
    const input = stamped(tool.input, session);
    return input === null ? nothing : { kind: 'stamp', input };
  }
  return tool.changes ? null : nothing;
}
