/** One call of a hook, whichever host made it. */

export type HookEvent = 'tool' | 'sessionStart' | 'prompt' | 'stop' | 'other';

export interface ToolUse {
  readonly name: string;
  /** One of Holdpoint's own tools: they ask and record, and are gated where they do more. */
  readonly own: boolean;
  /** A tool of an MCP server, about which only its name is known. */
  readonly server: boolean;
  /** False only for what is known to read. */
  readonly changes: boolean;
  /** Files it names, as the host wrote them. */
  readonly files: readonly string[];
  /** Files that a command names; each may be relative to several folders. */
  readonly named: readonly { readonly path: string; readonly bases: readonly string[] }[];
  /** Its files are all over the worktree. */
  readonly wholeTree: boolean;
  /** Which files it changes cannot be told: any may be meant. */
  readonly opaque: boolean;
  /** What it runs in a terminal; empty for other tools. */
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface HookCall {
  readonly event: HookEvent;
  /** As the host names the event, for its answer; empty where it does not say. */
  readonly eventName: string;
  /** The host's id of the session; null where it says none. */
  readonly session: string | null;
  /** Absolute folder that relative paths of the call begin at; null where the host says none. */
  readonly cwd: string | null;
  /** Set for `tool`. */
  readonly tool: ToolUse | null;
  /** The agent goes on because of an earlier answer to its stopping. */
  readonly stopping: boolean;
}

/** A call that cannot be mapped. Whoever asks must take it as a no. */
export class UnreadableCall extends Error {
  override readonly name = 'UnreadableCall';
}

/** What a hook has to say. There is no "allow": that would skip the host's own confirmation. */
export type HookAnswer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'deny'; readonly reason: string }
  /** Told the model at the start of a session or with a prompt. */
  | { readonly kind: 'context'; readonly text: string }
  /** The agent may not stop yet. */
  | { readonly kind: 'goOn'; readonly reason: string }
  /** The input of one of Holdpoint's own tools, with the session in it. */
  | { readonly kind: 'stamp'; readonly input: Readonly<Record<string, unknown>> };

/** 0: nothing to say, or said. 2: denied. Never 1, which hosts take for "go on". */
export interface Printed {
  readonly exit: 0 | 2;
  readonly out: string;
  readonly err: string;
}
