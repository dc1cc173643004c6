/**
 * What the server keeps for one client: its agent and its pending calls. Over HTTP, servers of the protocol's
 * 2026 era live for one request; a connection outlives them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openAgent, type LiveAgent } from '../app/workspace/agents.ts';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { isStampedType } from '../hosts/hosts.ts';
import { everything, shownIn, type Shown } from '../tools/agent/tool.ts';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';

export interface ConnectionOptions {
  readonly workspace: Workspace;
  readonly version: string;
  /** The agent's type; defaults to the client's name. */
  readonly agentType?: string | undefined;
  /** The agent's full id (HOLDPOINT_AGENT_ID). */
  readonly agent?: string | undefined;
  /** The host's session, where this server was started for one. Its agent's number is claimed immediately. */
  readonly startedFor?: string | undefined;
  /** Offers every tool at any time. Default: those that are of use now. */
  readonly allTools?: boolean | undefined;
}

export interface Connection extends ReturnType<typeof openConnection> {}

export function openConnection(options: ConnectionOptions) {
  const { workspace, version, agentType, agent, startedFor } = options;
  const closing = new AbortController();
  const ending: AbortSignal = closing.signal;
  const calls = new Set<Promise<unknown>>();
  const claim = (type: string) =>
    openAgent(workspace, { type, host: 'mcp', session: startedFor ?? workspace.options.newId(), given: agent });
  let live: LiveAgent | null = null;
  let first: Promise<void> | null = null;
  let offered: ReadonlySet<Shown> | null = null;
  let tellOfChange: (() => void) | null = null;
  let stopFollowing: (() => void) | null = null;

  const shown = () => (options.allTools ? everything : shownIn(workspace, live?.session.actor.id ?? null));

  function follow(): void {
    if (!offered || isSame(offered, shown())) return;
    // Until the client asks for them, and is told again.
    offered = null;
    tellOfChange?.();
  }

  /** Notes a call that `close` waits for. */
  function track<T>(call: Promise<T>): Promise<T> {
    calls.add(call);
    const done = () => void calls.delete(call);
    call.then(done, done);
    return call;
  }

  if (startedFor !== undefined && agentType !== undefined) {
    live = claim(agentType);
    live.serves(startedFor);
  }
  return {
    workspace,
    version,
    /** Questions whose forms the client was asked to show; aborted once it no longer does, or they are decided. */
    forms: new Map<string, AbortController>(),
    closing: ending,
    /** Resolves once this program need not read a long journal by itself, which would block it. Calls wait for it, and `close` as for them. */
    ready: () => track((first ??= workspace.readFirst())),
    /** The agent that calls. Its number is claimed with the first call, which names the client. */
    session(clientName: string | undefined, stamped: string | null): AgentSession {
      const type = agentType ?? clientName ?? 'mcp';
      live ??= claim(type);
      if (stamped === null || !isStampedType(type)) return live.session;
      live.serves(stamped);
      return { ...live.session, actor: { ...live.session.actor, session: stamped } };
    },
    /** What the client is offered now; from then on, it is told of changes. */
    offer() {
      stopFollowing ??= workspace.onChange(follow);
      return (offered = shown());
    },
    /** Whether the client was offered tools before the folder used Holdpoint, and not since. */
    knowsOneTool: () => offered !== null && !offered.has('used'),
    /** Sets how the client is told that `offer` returns something else than before. */
    onOfferChange(tell: () => void) {
      tellOfChange = tell;
    },
    track,
    /** Ends all waits, answers pending calls and releases the agent's number. The workspace stays open. */
    async close(): Promise<void> {
      stopFollowing?.();
      closing.abort();
      // A call may leave work behind.
      while (calls.size > 0) await Promise.allSettled(calls);
      await nextTurn();
      live?.release();
      live = null;
    },
  };
}

function isSame(one: ReadonlySet<Shown>, other: ReadonlySet<Shown>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: -32700 | -32600; readonly message: string };
}

/** Null for a message. */
export function refusalOf(text: string): Refusal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(null, -32700, 'This is not JSON.');
  }
  if (Array.isArray(value)) return refusal(null, -32600, 'Batches are not read: send one message at a time.');
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    const { id, params } = (value ?? {}) as { readonly id?: unknown; readonly params?: unknown };
    const why =
      params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))
        ? '"params" must be an object, or left out.'
        : 'This is not a message of JSON-RPC 2.0.';
    return refusal(typeof id === 'string' || typeof id === 'number' ? id : null, -32600, why);
  }
}

function refusal(id: Refusal['id'], code: Refusal['error']['code'], message: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
