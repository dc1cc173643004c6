/**
 * The host's id of a session, put by its hook into the input of Holdpoint's own tools: so that what serves them and what
 * guards the others know the session alike. It names no agent and frees nothing: whoever writes one by hand is held by
 * what the session asks and by what their agent asks.
 */
export const stampField = 'holdpoint_session';

function isStamp(given: unknown): given is string {
  return typeof given === 'string' && /^[\w.:-]{1,200}$/.test(given);
}

/** The input without the stamp, and the stamp if it is one. */
export function takeStamp(input: Readonly<Record<string, unknown>> | undefined): {
  readonly input: Record<string, unknown> | undefined;
  readonly session: string | null;
} {
  if (input === undefined || !Object.hasOwn(input, stampField)) return { input, session: null };
  const { [stampField]: given, ...rest } = input;
  return { input: rest, session: isStamp(given) ? given : null };
}

/** Null for a session whose id is not one. */
export function stamped(
  input: Readonly<Record<string, unknown>>,
  session: string | null,
): Record<string, unknown> | null {
  return isStamp(session) ? { ...input, [stampField]: session } : null;
}
