/**
 * Where the address of a shared journal's server comes from: the user's environment or a PostgreSQL service file. Never from
 * a file of the workspace, which an agent could change to lead programs to another server.
 */
import path from 'node:path';
import { errorCode } from '../journal/files.ts';
import type { FileSystem } from '../journal/files.ts';
import { messageOf } from '../journal/problem.ts';
import { ServerError } from './serverError.ts';
import { settingsOf, settingsOfUrl } from './settings.ts';
import type { Settings } from './settings.ts';

/** Recorded beside the anchor when a workspace is joined. */
export type Source =
  { readonly kind: 'env'; readonly name: string } | { readonly kind: 'service'; readonly name: string };

/** The variable with the URL of the agents' login. */
export const databaseUrl = 'HOLDPOINT_DATABASE_URL';

export interface Surroundings {
  readonly fs: FileSystem;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Holdpoint's folder of this user. */
  readonly userFolder: string;
}

/** @throws ServerError `wrong`, without any part of a password */
export function settingsFrom(source: Source, surroundings: Surroundings): Settings {
  return source.kind === 'env' ? fromEnvironment(source.name, surroundings) : fromService(source.name, surroundings);
}

function fromEnvironment(name: string, { env }: Surroundings): Settings {
  const url = env[name];
  if (url === undefined || url.trim() === '')
    throw new ServerError('wrong', `the environment variable ${name} is not set: it has the URL of the shared journal`);
  return settingsOfUrl(url);
}

function fromService(name: string, surroundings: Surroundings): Settings {
  const files = serviceFiles(surroundings);
  for (const file of files) {
    const fields = serviceIn(textOf(file, surroundings), name);
    if (fields) return settingsOf(fields);
  }
  throw new ServerError('wrong', `no service file has the service ${name} (looked in ${files.join(', ')})`);
}

/** Our own first, then libpq's. */
export function serviceFiles({ env, home, platform, userFolder }: Surroundings): string[] {
  const windows = platform === 'win32';
  const { join, isAbsolute } = windows ? path.win32 : path.posix;
  const usual = windows
    ? join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'postgresql', '.pg_service.conf')
    : join(home, '.pg_service.conf');
  const stated = env['PGSERVICEFILE'] ?? '';
  const system = env['PGSYSCONFDIR'] ?? '';
  // A relative path would be one of the workspace.
  return [
    join(userFolder, 'pg_service.conf'),
    isAbsolute(stated) ? stated : usual,
    ...(isAbsolute(system) ? [join(system, 'pg_service.conf')] : []),
  ];
}

/** Null when it does not exist. */
function textOf(file: string, { fs, platform, userFolder }: Surroundings): string | null {
  try {
    const text = fs.readFileSync(file, 'utf8');
    const ours = file.startsWith(userFolder);
    if (ours && platform !== 'win32' && (fs.statSync(file).mode & 0o077) !== 0)
      throw new ServerError('wrong', `${file} can be read by other users: run chmod 600 on it`);
    return text;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return null;
    if (cause instanceof ServerError) throw cause;
    throw new ServerError('wrong', `${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Sections of `name=value` lines; `#` begins a comment. Source: libpq, "The Connection Service File". */
function serviceIn(text: string | null, name: string): Record<string, string> | null {
  if (text === null) return null;
  let fields: Record<string, string> | null = null;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line.startsWith('[')) {
      if (fields) break;
      if (line === `[${name}]`) fields = {};
    } else if (fields && line !== '' && !line.startsWith('#')) {
      const [, field, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (field === undefined || value === undefined)
        throw new ServerError('wrong', `the service ${name} has a line that is not of the form name=value`);
      fields[field] ??= value;
    }
  }
  return fields;
}
