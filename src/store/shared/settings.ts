/** The settings of a connection, from a URL or a service file. Both follow libpq where it is safe to do so. */
import path from 'node:path';
import { ServerError } from './serverError.ts';

/** By libpq's names. */
export type TlsMode = 'disable' | 'require' | 'verify-ca' | 'verify-full';

export interface Settings {
  /** A name or address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Without one, `.pgpass` is asked. */
  readonly password?: string | undefined;
  readonly tls: TlsMode;
  /** Files. Without `rootCertificate` the system's authorities count. */
  readonly rootCertificate?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** The settings that we know, by libpq's names. Any other is an error: an option that is ignored could be one that protects. */
const known = new Set([
  'host',
  'port',
  'dbname',
  'user',
  'password',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'connect_timeout',
  'channel_binding',
]);

const urlForm = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d+))?(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** @throws ServerError `wrong`, whose message has no part of the URL: it may contain a password */
export function settingsOfUrl(url: string): Settings {
  const [matched, credentials = '', host = '', port, database = '', query = ''] = urlForm.exec(url.trim()) ?? [];
  if (matched === undefined) throw wrong('is not of the form postgresql://user@host/database');
  // Else the rest of a password would be sent to a name server, as part of the host.
  if (host.includes('@')) throw wrong('has more than one @: write an @ in the password as %40');
  if (`${database}${query}`.includes('@'))
    throw wrong('has an @ after the host: write /, ? and # in the password as %2F, %3F and %23');
  const [user, password] = split(credentials, ':');
  const fields: Record<string, string> = {};
  try {
    for (const [name, value] of new URLSearchParams(query)) fields[name] = value;
    if (host !== '') fields['host'] ??= decodeURIComponent(host.replace(/^\[|\]$/g, ''));
    if (port !== undefined) fields['port'] ??= port;
    if (database !== '') fields['dbname'] ??= decodeURIComponent(database);
    if (user !== '') fields['user'] ??= decodeURIComponent(user);
    if (password !== undefined) fields['password'] ??= decodeURIComponent(password);
  } catch {
    throw wrong('contains a % that is not followed by two hexadecimal digits');
  }
  return settingsOf(fields);
}

/** @throws ServerError `wrong` */
export function settingsOf(fields: Readonly<Record<string, string>>): Settings {
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) throw wrong(`has the setting ${unknown}, which is not supported`);
  const { host = '', port = '5432', user = '', dbname = user, password } = fields;
  if (host === '' || host.includes(',')) throw wrong('must name one host');
  if (user === '') throw wrong('names no user');
  for (const file of ['sslrootcert', 'sslcert', 'sslkey'] as const) {
    const stated = fields[file];
    // A relative one would be looked for in the workspace.
    if (stated !== undefined && stated !== 'system' && !path.isAbsolute(stated))
      throw wrong(`has a file that is not safe: ${file} must be an absolute path`);
  }
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) throw wrong('has a port that is not one');
  return {
    host,
    port: number,
    database: dbname,
    user,
    password: password === '' ? undefined : password,
    tls: tlsMode(fields['sslmode'], host),
    rootCertificate: fields['sslrootcert'] === 'system' ? undefined : fields['sslrootcert'],
    certificate: fields['sslcert'],
    key: fields['sslkey'],
  };
}

/** The URL that gives these settings again, without a client certificate, which is one login's own. */
export function urlOf({ host, port, database, user, password, tls, rootCertificate }: Settings): string {
  const query = new URLSearchParams({
    host,
    port: String(port),
    sslmode: tls,
    ...(rootCertificate === undefined ? {} : { sslrootcert: rootCertificate }),
  });
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  if (/^[\w.-]+$/.test(host)) {
    query.delete('host');
    query.delete('port');
    return `postgresql://${encodeURIComponent(user)}${secret}@${host}:${String(port)}/${encodeURIComponent(database)}?${query.toString()}`;
  }
  return `postgresql://${encodeURIComponent(user)}${secret}@/${encodeURIComponent(database)}?${query.toString()}`;
}

const onThisMachine = /^(\/|@|localhost$|127\.|::1$)/;

/** Unlike libpq, no mode that falls back to plain text; and over a network, verification is the default. */
function tlsMode(stated: string | undefined, host: string): TlsMode {
  switch (stated) {
    case undefined:
      return onThisMachine.test(host) ? 'disable' : 'verify-full';
    case 'disable':
    case 'require':
    case 'verify-ca':
    case 'verify-full':
      return stated;
    default:
      throw wrong(`has sslmode=${stated}, which can fall back to plain text: use require, verify-ca or verify-full`);
  }
}

function split(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function wrong(what: string): ServerError {
  return new ServerError('wrong', `the database's address ${what}`);
}
