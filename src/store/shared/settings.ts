/** The settings of a connection, from a URL as libpq has them where that is safe. */
import path from 'node:path';
import { isThisMachine } from '../../core/kit/quickChecks.ts';
import { putFile, readOrNull, type FileSystem } from '../journal/files.ts';
import { CodedError, messageOf } from '../journal/problem.ts';
import { besideStateFile } from '../journal/stateFile.ts';

// The errors between a program and the server of a shared journal, by the conclusion that a caller may draw.

type ServerErrorCode =
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

export class ServerError extends CodedError<ServerErrorCode> {
  override readonly name = 'ServerError';
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

/** By libpq's names; none that falls back to plain text. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

export interface Settings {
  /** A name or address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Without one, `.pgpass` is asked. */
  readonly password?: string | undefined;
  readonly tls: (typeof tlsModes)[number];
  /** A file; without one the system's authorities are used. */
  readonly rootCertificate?: string | undefined;
}

/** Any other is an error: an option that is ignored could be one that protects. */
const known = /^(host|port|ssl(mode|rootcert)|application_name|connect_timeout|channel_binding)$/;

/** Also by a Unix socket: a folder, or a name without one. */
const needsNoTls = (host: string) => /^[/@]/.test(host) || isThisMachine(host);

/** @throws ServerError `wrong`, whose message has no part of the URL: it may contain a password */
export function settingsOfUrl(text: string): Settings {
  // A URL has no credentials without a host; that of a socket is in the query.
  const url = urlOrNull(text.trim().replace(/@(?=[/?])/, '@-'));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw wrongUrl('is not of the form postgresql://user@host/database');
  // Else the rest of a password would be sent to a name server, as part of the host.
  if (text.split('@').length > (url.username === '' ? 1 : 2))
    throw wrongUrl('has an @ too many: write @, /, ? and # in the password as %40, %2F, %3F and %23');
  const query = Object.fromEntries(url.searchParams);
  const unknown = Object.keys(query).find((name) => !known.test(name));
  if (unknown !== undefined) throw wrongUrl(`has the setting ${unknown}, which is not supported`);
  const { host = decodePart(url.hostname).replace(/^-$|^\[|\]$/g, ''), port = url.port || '5432' } = query;
  const { sslmode, sslrootcert } = query;
  if (host === '' || host.includes(',')) throw wrongUrl('must name one host');
  if (url.username === '') throw wrongUrl('names no user');
  // A relative one would be looked for in the workspace.
  if (sslrootcert !== undefined && sslrootcert !== 'system' && !path.isAbsolute(sslrootcert))
    throw wrongUrl('has a file that is not safe: sslrootcert must be an absolute path');
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw wrongUrl('has a port that is not one');
  // Unlike with libpq, verification is the default over a network.
  const stated = sslmode ?? (needsNoTls(host) ? 'disable' : 'verify-full');
  const tls = tlsModes.find((mode) => mode === stated);
  if (tls === undefined)
    throw wrongUrl(`has sslmode=${stated}, which can fall back to plain text: use require, verify-ca or verify-full`);
  const user = decodePart(url.username);
  return {
    ...{ host, port: Number(port), database: decodePart(url.pathname.slice(1)) || user, user },
    ...{ password: decodePart(url.password) || undefined, tls },
    rootCertificate: sslrootcert === 'system' ? undefined : sslrootcert,
  };
}

/** The URL that gives these settings again. */
export function urlOf({ host, port, database, user, password = '', tls, rootCertificate }: Settings): string {
  const isPlain = /^[\w.-]+$/.test(host);
  const query = new URLSearchParams({
    ...(isPlain ? {} : { host, port: String(port) }),
    sslmode: tls,
    ...(rootCertificate === undefined ? {} : { sslrootcert: rootCertificate }),
  });
  const [name, secret, place] = [user, password, database].map(encodeURIComponent);
  const credentials = secret === '' ? name : `${name ?? ''}:${secret ?? ''}`;
  return `postgresql://${credentials ?? ''}@${isPlain ? `${host}:${String(port)}` : ''}/${place ?? ''}?${query.toString()}`;
}

function urlOrNull(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongUrl('contains a % that is not followed by two hexadecimal digits');
  }
}

function wrongUrl(what: string): ServerError {
  return new ServerError('wrong', `the database's address ${what}`);
}

// The URL of the agents' login: in a file of this user next to the anchor, else in the environment. Never in a file of
// the workspace, which an agent could change to lead programs to another server.

export const databaseUrl = 'HOLDPOINT_DATABASE_URL';

export interface LoginPlace {
  readonly fs: FileSystem;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly stateFile: string;
}

export function loginFile(stateFile: string): string {
  return besideStateFile(stateFile, 'login', 'txt');
}

/** @throws ServerError `wrong` without one, or when others can read the file */
export function agentsUrl({ fs, env, platform, stateFile }: LoginPlace): string {
  const file = loginFile(stateFile);
  let saved: string | undefined;
  try {
    saved = readOrNull(fs, file)?.toString('utf8');
  } catch (cause) {
    throw new ServerError('wrong', `${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (saved !== undefined && platform !== 'win32' && (fs.statSync(file).mode & 0o077) !== 0)
    throw new ServerError('wrong', `${file} can be read by other users: run chmod 600 on it`);
  const url = saved ?? env[databaseUrl] ?? '';
  if (url.trim() === '')
    throw new ServerError('wrong', `no agents' login: join the team again, or set ${databaseUrl} to its URL`);
  return url;
}

/** @returns puts the file back as it was @throws ServerError `wrong` for what is no such URL */
export function saveAgentsUrl(
  { fs, stateFile, newId }: Pick<LoginPlace, 'fs' | 'stateFile'> & { readonly newId: () => string },
  url: string,
): () => void {
  settingsOfUrl(url);
  const file = loginFile(stateFile);
  const before = readOrNull(fs, file);
  putFile({ fs, newId }, file, url.trim());
  return () => {
    if (before === null) fs.rmSync(file, { force: true });
    else putFile({ fs, newId }, file, before);
  };
}
