/** The settings of a connection, from a URL as libpq has them where that is safe. */
import path from 'node:path';
import { ServerError } from './serverError.ts';

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

const onThisMachine = /^(\/|@|localhost$|127\.|::1$)/;

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
  const stated = sslmode ?? (onThisMachine.test(host) ? 'disable' : 'verify-full');
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
