/** Calls as each host sends them, from one common form. */
import type { HostName } from '../../src/hosts/names.ts';
import { hostForms, isFormHost } from '../../src/hosts/payload/forms.ts';
import type { HostForm } from '../../src/hosts/payload/form.ts';
import { formCall } from '../../src/hosts/setup/formCall.ts';

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
  if (host === 'gemini-cli') return { ...rest, hook_event_name: geminiEvents[String(event)] ?? event };
  if (!isFormHost(host)) return payload;
  const { session_id: session, cwd, tool_name: tool, tool_input: input, ...more } = rest;
  const form: HostForm = hostForms[host];
  const named = event === 'PreToolUse' ? undefined : event;
  return { ...more, ...formCall(form, { event: named, session, cwd, tool, input }) };
}

/** Hosts that run a hook at the start of a session, with a prompt, and before the agent stops. */
export function hasContext(host: HostName): boolean {
  return !isFormHost(host);
}
