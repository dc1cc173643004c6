/** The errors between a program and the server of a shared journal, by the conclusion that a caller may draw. */

export type ServerErrorCode =
  /** Nothing was sent, or nothing that writes: try again later. */
  | 'offline'
  /** The server did not accept the connection, for example because of its password. Nothing was sent. */
  | 'rejected'
  /** It was sent, and no reply came: it may have been written. The `op` of the line settles it. */
  | 'unknown'
  /** Another program keeps the turn, or the server is overloaded. Nothing was written. A human can end the turn. */
  | 'busy'
  /** The server said no, and why. Nothing was written. */
  | 'refused'
  /** Not a server of ours: no schema, another version of it, a standby, a wrong address. */
  | 'wrong';

export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What the caller did when it failed. */
export type Phase = 'connecting' | 'reading' | 'writing';

/** SQLSTATE codes and classes (two characters) by meaning. Source: PostgreSQL's appendix A. */
const meanings: readonly (readonly [pattern: RegExp, code: ServerErrorCode])[] = [
  // The session ended: by an administrator, a crash, or a start that is not over. A commit may have come before it.
  [/^(57P0[1-5]|08...|25P0[34])$/, 'offline'],
  // Too many connections; timeouts and deadlocks.
  [/^(53300|57014|55P03|40...)$/, 'busy'],
  // No such database, schema, function, table or column; a standby is read-only.
  [/^(3D000|3F000|42883|42P01|42703|25006)$/, 'wrong'],
];

/** Failures of the system that mean "cannot be reached" when they happen while connecting. */
export function serverErrorOf(error: unknown, phase: Phase): ServerError {
  if (error instanceof ServerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const state = sqlState(error);
  if (state === null) return lostConnection(message, phase, error);
  const code = meanings.find(([pattern]) => pattern.test(state))?.[1] ?? 'refused';
  if (code === 'offline') return lostConnection(message, phase, error);
  // The act itself was not refused: it never came that far.
  if (code === 'refused' && phase === 'connecting') return new ServerError('rejected', message, { cause: error });
  return new ServerError(code, message, { cause: error });
}

function lostConnection(message: string, phase: Phase, cause: unknown): ServerError {
  return phase === 'writing'
    ? new ServerError('unknown', `the server did not reply: ${message}`, { cause })
    : new ServerError('offline', `the server cannot be reached: ${message}`, { cause });
}

/** SQLSTATE of an error that the server reported; null for all others, whose codes are those of the system. */
function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
