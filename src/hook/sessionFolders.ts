/** The folders in which a session works, as the host names them. */
import path from 'node:path';
import type { HookCall } from '../hosts/call.ts';
import type { Surroundings } from './surroundings.ts';

/** Folder of the call, of this program, and of the project as the host names it. Never empty. */
export function sessionFolders(
  { env, fs }: Pick<Surroundings, 'env' | 'fs'>,
  { call }: { readonly call: Pick<HookCall, 'cwd'> },
): string[] {
  const named = [
    call.cwd,
    process.cwd(),
    env['CLAUDE_PROJECT_DIR'],
    env['CURSOR_PROJECT_DIR'],
    env['GEMINI_PROJECT_DIR'],
  ];
  return [...new Set(named.filter((folder) => typeof folder === 'string'))].filter(
    (folder) => path.isAbsolute(folder) && fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
  );
}
