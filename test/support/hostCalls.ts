/** Calls as each host sends them, from one common form. */
import type { HostName } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/hosts.ts';
import { formCall } from '../../src/hosts/payload/form.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Gemini CLI's names of events. */
const geminiEvents: Readonly<Record<string, string>> = {
  PreToolUse: 'BeforeTool',
  UserPromptSubmit: 'BeforeAgent',
  Stop: 'AfterAgent',
};

/**
 * A payload in Claude Code's form, as this host would send it. An event that the host does not have is kept, where it
 * says which event this is.
 */
export function asSentBy(host: HostName, payload: Payload): Payload {
  const { hook_event_name: event, ...rest } = payload;
  if (host === 'gemini-cli')
    return { ...rest, hook_event_name: geminiEvents[typeof event === 'string' ? event : ''] ?? event };
  const { form } = hosts[host].setup;
  if (!form) return payload;
  const { session_id: session, cwd, tool_name: tool, tool_input: input, ...more } = rest;
  const named = event === 'PreToolUse' ? undefined : event;
  return { ...more, ...formCall(form, { event: named, session, cwd, tool, input }) };
}

/** Hosts that run a hook at the start of a session, with a prompt, and before the agent stops. */
export function hasContext(host: HostName): boolean {
  return hosts[host].setup.form === undefined;
}
