/** Handles one hook call, from the bytes on standard input to the printed answer. Any failure denies. */
import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../app/workspace/workspace.ts';
import { UnreadableCall, type HookAnswer, type Printed, type HookCall, payloadIn } from '../hosts/call.ts';
import type { HookHost } from '../hosts/host.ts';
import { failure, callerOf, adapterFor } from '../hosts/caller.ts';
import { printAnswer } from '../hosts/payload/print.ts';
import { endedEvent, hasCommands, readCall } from '../hosts/payload/read.ts';
import type { Asked, Surroundings } from './surroundings.ts';
import { addSession } from '../hosts/ownTools.ts';

const nothing: HookAnswer = { kind: 'nothing' };

export interface HookRequest {
  readonly host: HookHost;
  /** The description of a generic host, as JSON. */
  readonly form?: string;
  /** Absolute. Null for an administrator's rules: wherever the session works. */
  readonly folder: string | null;
  /** The host's bytes from standard input. */
  readonly bytes: Uint8Array;
  /** How long a question of the host may be delayed to note it. */
  readonly noteWithinMs?: number;
  /** Whether a look after a call has no more time. */
  readonly isLate?: () => boolean;
}

/** Never throws. */
export async function answerHook(request: HookRequest, surroundings: Surroundings): Promise<Printed> {
  try {
    return await answer(request, surroundings);
  } catch (error) {
    const { host, form } = request;
    const why = error instanceof Error ? error.message : String(error);
    const late = await failedLook(request, request.bytes, why, surroundings.env);
    if (late) return late;
    return failure(why, host, form);
  }
}

async function answer(request: HookRequest, surroundings: Surroundings): Promise<Printed> {
  const { folder } = request;
  if (folder !== null && !path.isAbsolute(folder)) throw new UnreadableCall('--workspace must be an absolute path');
  const payload = payloadIn(request.bytes);
  const host = callerOf(request.host, payload, surroundings.env);
  const adapter = await adapterFor(host, request.form);
  const commands = hasCommands(adapter, payload) ? await import('../hosts/payload/commands.ts') : undefined;
  const call = readCall(adapter, payload, { ...surroundings, commands });
  // Either host's file enforces holds; context and reminders come only from the host's own, so they are delivered once.
  const foreign = host !== request.host && call.event !== 'tool';
  const given = surroundings.env['HOLDPOINT_AGENT_ID'];
  const asked = { adapter, call, given };
  const onlyLooks = surroundings.env['HOLDPOINT_ONLY_LOOKS'] !== undefined && call.event === 'after';
  if (host === request.host && !onlyLooks) await noteForLater(request, surroundings, asked);
  if (call.event === 'other' || foreign) return printAnswer(adapter, call, nothing);
  const early = call.event === 'tool' ? withoutAsking(asked) : null;
  if (early) await noteReading(surroundings, folder, asked);
  return printAnswer(adapter, call, early ?? (await answerInStore(request, surroundings, asked)));
}

async function answerInStore(
  { folder, isLate }: HookRequest,
  surroundings: Surroundings,
  asked: Asked,
): Promise<HookAnswer> {
  const { event } = asked.call;
  // A failure must not look like one of the tool, which has run. Stops and gates look again.
  if (event === 'after')
    return tried(async () => (await import('./afterCall.ts')).afterCall(surroundings, folder, asked, isLate), nothing);
  if (folder !== null && surroundings.fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UnreadableCall(`--workspace: ${folder} is not a folder`);
  if (event !== 'tool')
    return inWorkspace(surroundings, folder, asked, (workspace) =>
      // A failure must not keep a human from talking to the agent.
      tried(async () => (await import('./context.ts')).contextFor(workspace, asked), nothing),
    );
  if (folder === null) {
    const { guardMachine } = await import('./machine.ts');
    const guarded = await guardMachine(surroundings, asked);
    if (guarded.kind !== 'deny') await noteForMachine(surroundings, asked);
    return guarded;
  }
  // Loaded only when the gate is needed: most calls read.
  const [{ openAtGate }, { guard }] = await Promise.all([import('../app/workspace/atGate.ts'), import('./guard.ts')]);
  const workspace = await openAtGate({ ...surroundings, folder });
  try {
    const guarded = await guard(workspace, asked);
    const { state } = workspace.current();
    if (guarded.kind !== 'deny' && state && state.heldFiles.size > 0)
      (await import('./notes.ts')).noteStart(surroundings, asked.call);
    return guarded;
  } finally {
    workspace.close();
  }
}

/** The store of the folder or, for an administrator's rules, that of the session. */
async function inWorkspace<T>(
  surroundings: Surroundings,
  folder: string | null,
  asked: Asked,
  use: (workspace: Workspace) => T | Promise<T>,
): Promise<T> {
  if (folder === null) return (await import('./machine.ts')).withSession(surroundings, asked, use);
  const { openWorkspace } = await import('../app/workspace/workspace.ts');
  const workspace = openWorkspace({ ...surroundings, folder });
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

async function tried<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}

/**
 * The answer to a call that changes nothing, without opening a store, so that nothing can block reading. Null: ask the
 * gate.
 */
function withoutAsking({ call }: Pick<Asked, 'call'>): HookAnswer | null {
  const { tool, session } = call;
  if (!tool) return nothing;
  if (tool.own) {
    const input = addSession(tool.input, session);
    return input === null ? nothing : { kind: 'stamp', input };
  }
  return tool.changes || tool.configured.length > 0 ? null : nothing;
}

/** A command that was taken for one that only reads may still change a file. */
async function noteReading(surroundings: Surroundings, folder: string | null, asked: Asked): Promise<void> {
  if ((asked.call.tool?.command ?? '') === '') return;
  if (folder === null) await noteForMachine(surroundings, asked);
  else if (surroundings.fs.existsSync(path.join(folder, '.holdpoint', 'baselines')))
    (await import('./notes.ts')).noteStart(surroundings, asked.call);
}

/** Without it, a change is put down to no call. */
async function noteForMachine(surroundings: Surroundings, asked: Asked): Promise<void> {
  await tried(async () => {
    const { noteWatched } = await import('./afterCall.ts');
    noteWatched(surroundings, asked);
  }, undefined);
}

/** If this fails, the host asks its user all the same, and a human starts the session that parks a question. */
async function noteForLater(
  { folder, noteWithinMs }: HookRequest,
  surroundings: Surroundings,
  asked: Asked,
): Promise<void> {
  const asks = asked.call.asking !== null && folder !== null;
  if (!asks && !parks(asked.call)) return;
  await tried(async () => {
    const { noteAsking, noteParking } = await import('./session.ts');
    await inWorkspace({ ...surroundings, rows: !asks }, folder, asked, (workspace) =>
      asks ? noteAsking(workspace, asked, noteWithinMs) : noteParking(workspace, asked),
    );
  }, undefined);
}

function parks({ tool }: HookCall): boolean {
  return tool?.own === true && tool.name.endsWith('holdpoint_park_question');
}

// What a hook answers if it fails after a call: that one has run, so nothing is denied, and the agent reads what was not
// looked at.

const namedAtMost = 10;

/** Null for a call that has not run yet, or cannot be read: it is denied. */
export async function failedLook(
  { host, form, folder }: { readonly host: HookHost; readonly form?: string; readonly folder: string | null },
  bytes: Uint8Array | null,
  why: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Printed | null> {
  if (bytes === null) return null;
  try {
    const payload = payloadIn(bytes);
    const adapter = await adapterFor(callerOf(host, payload, env), form);
    const eventName = endedEvent(adapter, payload);
    if (eventName === null) return null;
    return printAnswer(adapter, { eventName }, { kind: 'context', text: failedLookText(folder, why) });
  } catch {
    return null;
  }
}

export function failedLookText(folder: string | null, why: string): string {
  const held = folder === null ? [] : holdersIn(folder);
  const files = held.length === 0 ? 'held files' : `the files held by ${held.join(', ')}`;
  return `Holdpoint: after this call, ${files} could not be compared with their baseline (${why.replaceAll(/\s+/g, ' ').slice(0, 200)}). The call itself was not stopped; the next look compares them.`;
}

function holdersIn(folder: string): string[] {
  const place = path.join(folder, '.holdpoint', 'baselines');
  const names = fs.existsSync(place) ? fs.readdirSync(place) : [];
  const ids = [...new Set(names.flatMap((name) => /^((?:Q|RFC)-\d+)\.[0-9a-f]{16}\.json$/.exec(name)?.[1] ?? []))];
  return ids.length > namedAtMost ? [...ids.slice(0, namedAtMost), `${String(ids.length - namedAtMost)} more`] : ids;
}
