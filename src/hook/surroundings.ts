/** What each part of a hook is given: the machine and the call. */
import type { WorkspaceOptions } from '../app/workspace/workspace.ts';
import type { HookCall } from '../hosts/call.ts';
import type { Adapter } from '../hosts/host.ts';

export type Surroundings = Omit<WorkspaceOptions, 'folder'>;

export interface Asked {
  readonly adapter: Adapter;
  readonly call: HookCall;
  /** HOLDPOINT_AGENT_ID, an explicit agent id. */
  readonly given: string | undefined;
}

/** A hook without an answer denies after five seconds: what only records something may take a part of them. */
const usualMs = 2_500;

/** Never rejects. What is not done in time is done by a later call, or not at all. */
export async function inTime(recording: Promise<unknown>, withinMs = usualMs): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, withinMs).unref();
  });
  await Promise.race([recording.then(() => undefined).catch(() => undefined), late]);
}
