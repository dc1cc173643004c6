/** Writes entries of our own PostgreSQL service file, which only this user may read. `connection.ts` reads it. */
import path from 'node:path';
import { putFile, readOrNull } from '../journal/files.ts';
import type { FileSystem } from '../journal/files.ts';
import { ServerError } from './serverError.ts';
import { settingsOf } from './settings.ts';
import type { Settings } from './settings.ts';

export interface ServiceFile {
  readonly fs: FileSystem;
  /** Holdpoint's folder of this user. */
  readonly userFolder: string;
  readonly newId: () => string;
}

/**
 * Adds the entry, or replaces the one of this name; all others stay as they are.
 * @returns puts the file back as it was
 * @throws ServerError `wrong` for a value that the file cannot hold
 */
export function writeService({ fs, userFolder, newId }: ServiceFile, name: string, settings: Settings): () => void {
  if (!/^[\w.-]{1,100}$/.test(name))
    throw new ServerError('wrong', 'a service is named with letters, digits, . _ and -');
  const file = path.join(userFolder, 'pg_service.conf');
  const before = readOrNull(fs, file);
  const put = (text: string | Buffer) => {
    putFile({ fs, newId }, file, text);
  };
  const others = before === null ? [] : withoutService(before.toString('utf8').split(/\r?\n/), name);
  const kept = others.join('\n').trimEnd();
  put(`${kept === '' ? '' : `${kept}\n\n`}[${name}]\n${linesOf(settings).join('\n')}\n`);
  return () => {
    if (before === null) fs.rmSync(file, { force: true });
    else put(before);
  };
}

function withoutService(lines: readonly string[], name: string): string[] {
  const isHead = (line: string) => line.trim().startsWith('[');
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start < 0) return [...lines];
  const next = lines.findIndex((line, index) => index > start && isHead(line));
  return withoutService([...lines.slice(0, start), ...(next < 0 ? [] : lines.slice(next))], name);
}

function linesOf({ host, port, database, user, password, tls, ...files }: Settings): string[] {
  const fields = {
    host,
    port: String(port),
    dbname: database,
    user,
    password,
    sslmode: tls,
    sslrootcert: files.rootCertificate,
    sslcert: files.certificate,
    sslkey: files.key,
  };
  const stated = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value] as const],
  );
  // A line break in a value would be another setting; spaces at its ends would get lost.
  if (stated.some(([, value]) => /\p{Cc}/u.test(value) || value !== value.trim()))
    throw new ServerError(
      'wrong',
      "the database's address has a space or control character that a service file cannot hold",
    );
  settingsOf(Object.fromEntries(stated));
  return stated.map(([field, value]) => `${field}=${value}`);
}
