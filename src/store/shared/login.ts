/**
 * The URL of the agents' login: in a file of this user next to the anchor, else in the environment. Never in a file of
 * the workspace, which an agent could change to lead programs to another server.
 */
import { putFile, readOrNull, type FileSystem } from '../journal/files.ts';
import { messageOf } from '../journal/problem.ts';
import { besideStateFile } from '../journal/stateFile.ts';
import { ServerError } from './serverError.ts';
import { settingsOfUrl } from './settings.ts';

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
