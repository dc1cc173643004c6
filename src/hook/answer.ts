/** Handles one hook call, from the bytes on standard input to the printed answer. Any failure denies. */
import path from 'node:path';
import type { WorkspaceOptions } from '../app/workspace/workspace.ts';
import type { Printed } from '../hosts/call.ts';
import { UnreadableCall } from '../hosts/call.ts';
import type { HostName } from '../hosts/names.ts';
import { failure, printAnswer } from '../hosts/payload/print.ts';
import { callerOf } from '../hosts/payload/caller.ts';
import { adapters, readCall } from '../hosts/payload/read.ts';
import { withoutAsking } from './withoutAsking.ts';

export interface HookRequest {
  readonly host: HostName;
  /** Absolute. */
  readonly folder: string;
  /** The host's bytes from standard input. */
  readonly bytes: Uint8Array;
}

export type Surroundings = Omit<WorkspaceOptions, 'folder'>;

/** Never throws. */
export async function answerHook(request: HookRequest, surroundings: Surroundings): Promise<Printed> {
  try {
    return await answer(request, surroundings);
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error), request.host);
  }
}

async function answer(request: HookRequest, surroundings: Surroundings): Promise<Printed> {
  const { folder } = request;
  if (!path.isAbsolute(folder)) throw new UnreadableCall('--workspace must be an absolute path');
  const payload = parse(request.bytes);
  const host = callerOf(request.host, payload, surroundings.env);
  const adapter = adapters[host];
  const call = readCall(adapter, payload, surroundings);
  // Either host's file enforces holds; context and reminders come only from the host's own, so they are delivered once.
  const foreign = host !== request.host && call.event !== 'tool';
  if (call.event === 'other' || foreign) return printAnswer(adapter, call, { kind: 'nothing' });
  const given = surroundings.env['HOLDPOINT_AGENT_ID'];
  const asked = { host, call, given };
  const early = call.event === 'tool' ? withoutAsking(asked) : null;
  if (early) return printAnswer(adapter, call, early);
  if (surroundings.fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UnreadableCall(`--workspace: ${folder} is not a folder`);
  // Loaded only when the gate is needed: most calls read.
  const [{ openWorkspace }, { guard }] = await Promise.all([
    import('../app/workspace/workspace.ts'),
    import('./guard.ts'),
  ]);
  const workspace = openWorkspace({ ...surroundings, folder });
  try {
    if (call.event === 'tool') return printAnswer(adapter, call, await guard(workspace, asked));
    return printAnswer(adapter, call, await context());
  } finally {
    workspace.close();
  }

  /** Context is best effort: a failure must not keep a human from talking to the agent. */
  async function context() {
    try {
      const { contextFor } = await import('./context.ts');
      return await contextFor(workspace, asked);
    } catch {
      return { kind: 'nothing' } as const;
    }
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableCall('the host did not send JSON');
  }
}
