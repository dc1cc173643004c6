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
export function stamped(
  input: Readonly<Record<string, unknown>>,
  session: string | null,
): Record<string, unknown> | null {
  return isStamp(session) ? { ...input, [stampField]: session } : null;
}
