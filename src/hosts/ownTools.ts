/** Holdpoint's own tools as hosts name them. A test compares the list with the catalog of `src/tools`. */

export const ownTools = [
  'holdpoint_raise_question',
  'holdpoint_await_answer',
  'holdpoint_check_gate',
  'holdpoint_record_work',
  'holdpoint_propose_rfc',
  'holdpoint_get_briefing',
  'holdpoint_post_note',
  'holdpoint_list_items',
  'holdpoint_reply_question',
  'holdpoint_park_question',
  'holdpoint_withdraw_question',
  'holdpoint_register_responsibility',
  'holdpoint_create_request',
  'holdpoint_respond_to_request',
] as const;

/**
 * Prefixes that hosts add to tools of the MCP server `holdpoint`, plain or inside a plugin of that name. VS Code names
 * the server of a folder `Holdpoint: <folder>`, of which it keeps thirteen characters. Cursor names no server.
 */
const before = /^(?:MCP:|@?(?:mcp__?)?(?:plugin_holdpoint_)?holdpoint(?:__|[_\-/.])|mcp_holdpoint_[\w.-]{1,3}_)$/;

/** A tool of the same name on another server is not ours. */
export function isOwnTool(name: string): boolean {
  const own = ownTools.find((tool) => name.endsWith(tool));
  if (own === undefined) return false;
  const prefix = name.slice(0, -own.length);
  return prefix === '' || before.test(prefix);
}

/** Whether a host names our MCP server, plain or inside a plugin of that name. */
export function isOwnServer(name: string): boolean {
  return /^(?:plugin[:_]holdpoint[:_])?holdpoint$/.test(name);
}

/**
 * The host's session id, which its hook adds to the input of Holdpoint's own tools, so that the tools and the gate
 * identify the session alike. It names no agent and releases nothing: a program that forges one adds its own agent's holds
 * to those of the session.
 */
export const stampField = 'holdpoint_session';

function isStamp(given: unknown): given is string {
  return typeof given === 'string' && /^[\w.:-]{1,200}$/.test(given);
}

/** The input without the stamp, and the stamp if valid. */
export function takeStamp(input: Readonly<Record<string, unknown>> | undefined): {
  readonly input: Record<string, unknown> | undefined;
  readonly session: string | null;
} {
  if (input === undefined || !Object.hasOwn(input, stampField)) return { input, session: null };
  const { [stampField]: given, ...rest } = input;
  return { input: rest, session: isStamp(given) ? given : null };
}

/** Null when the session id is not valid as a stamp. */
export function addSession(
  input: Readonly<Record<string, unknown>>,
  session: string | null,
): Record<string, unknown> | null {
  return isStamp(session) ? { ...input, [stampField]: session } : null;
}
