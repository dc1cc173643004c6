/** One hook call in a common shape, whichever host made it. */
import type { Configured, NamedPath } from './shell/word.ts';

/** `after`: a tool has run. */
export type HookEvent = 'tool' | 'after' | 'sessionStart' | 'prompt' | 'stop' | 'other';

export interface ToolUse {
  readonly name: string;
  /** One of Holdpoint's own tools: they ask and record; those that do more are gated. */
  readonly own: boolean;
  /** A tool of an MCP server; only its name is known. */
  readonly server: boolean;
  /** False only for tools known to only read. */
  readonly changes: boolean;
  /** Files it names, as the host wrote them. */
  readonly files: readonly string[];
  /** Those of them for which the host looks in all folders, if they are relative and do not exist. */
  readonly searched: readonly string[];
  /** Files that a command names; each may be relative to several folders, of which null is an unknown one. */
  readonly named: readonly NamedPath[];
  /** Changes files throughout the worktree. */
  readonly wholeTree: boolean;
  /** The changed files are unknown: any file may be affected. */
  readonly opaque: boolean;
  /** The command it runs in a terminal; empty for other tools. */
  readonly command: string;
  /** The part of it that was not understood: it may mention files in any form. */
  readonly text: string;
  /** What of it could not be read, for the reader of a denial; empty if it was all read. */
  readonly unread: string;
  /** What an agent can do instead of this tool, for the reader of a denial; empty for most. */
  readonly instead: string;
  /** What these programs do depends on their settings: one that only reads may run others. */
  readonly configured: readonly Configured[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** A question that the host asks its user by itself. */
export interface HostQuestion {
  readonly text: string;
  readonly choices: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}

export interface HostAnswer {
  /** Null where the host does not name the question. */
  readonly question: string | null;
  readonly text: string;
}

/** `by` is the host's tool, or the MCP server that asks through the host. */
export type Asking =
  | { readonly kind: 'asked'; readonly by: string; readonly questions: readonly HostQuestion[] }
  | { readonly kind: 'answered'; readonly by: string; readonly answers: readonly HostAnswer[] };

export interface HookCall {
  readonly event: HookEvent;
  /** The host's name for the event, needed in the answer; empty where the host gives none. */
  readonly eventName: string;
  /** The host's session id; null where it gives none. */
  readonly session: string | null;
  /** Absolute folder that relative paths of the call start from; null where the host gives none. */
  readonly cwd: string | null;
  /** Set for `tool`, and for `after` if it can be read. */
  readonly tool: ToolUse | null;
  /** Set where the host asks its user by itself, or reports the answer. */
  readonly asking: Asking | null;
  /** The agent is continuing because this hook kept it from stopping. */
  readonly stopping: boolean;
}

/** A call that cannot be parsed. The caller must deny. */
export class UnreadableCall extends Error {
  override readonly name = 'UnreadableCall';
}

/** A hook's answer. There is no "allow": that would skip the host's own confirmation. */
export type HookAnswer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'deny'; readonly reason: string }
  /** Text for the model, at the start of a session or with a prompt. */
  | { readonly kind: 'context'; readonly text: string }
  /** The agent may not stop yet. */
  | { readonly kind: 'goOn'; readonly reason: string }
  /** The input of one of Holdpoint's own tools, with the session id added. */
  | { readonly kind: 'stamp'; readonly input: Readonly<Record<string, unknown>> };

/** Exit codes: 0 nothing to report, or a normal answer; 2 denied. Never 1, which hosts treat as "continue". */
export interface Printed {
  readonly exit: 0 | 2;
  readonly out: string;
  readonly err: string;
}

/** @throws UnreadableCall */
export function payloadIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableCall('the host did not send JSON');
  }
}
