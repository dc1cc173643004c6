/**
 * The host's id of a session, put by its hook into the input of Holdpoint's own tools: so that what serves them and what
 * guards the others know the session alike. It names no agent and frees nothing: whoever writes one by hand is held by
 * what the session asks and by what their agent asks.
 */
import * as z from 'zod';

export const stampField = 'holdpoint_session';

const stamp = z.string().regex(/^[\w.:-]{1,200}$/);

/** The input without the stamp, and the stamp if it is one. */
export function takeStamp(input: Readonly<Record<string, unknown>> | undefined): {
  readonly input: Record<string, unknown> | undefined;
  readonly session: string | null;
} {
  if (input === undefined || !Object.hasOwn(input, stampField)) return { input, session: null };
  const { [stampField]: given, ...rest } = input;
  return { input: rest, session: stamp.safeParse(given).data ?? null };
}

/** Null for a session whose id is not one. */
export function stamped(
  input: Readonly<Record<string, unknown>>,
  session: string | null,
): Record<string, unknown> | null {
  return stamp.safeParse(session).success ? { ...input, [stampField]: session } : null;
}
