/** A second user of this machine, as which root can run programs: with a clone and a home, the machine of another person. */
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, serverMainPath, type Host } from './host.ts';
import { temporaryFolder } from './temporary.ts';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Every Debian system has this user. */
const name = 'daemon';

/** A user that can run this checkout's programs, or why there is none. */
export function secondUser(): SystemUser | { readonly why: string } {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { why: 'only root on Linux can start programs as another user' };
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  const user = { uid: number('-u'), gid: number('-g') };
  const hidden = [path.join(root, 'package.json'), process.execPath, tmpdir()].find((file) => !canRead(user, file));
  return hidden === undefined ? user : { why: `the user ${name} cannot read ${hidden}` };
}

/** The same for editors. A desktop VS Code needs the first user's screen. */
export function secondUserOfEditors(host: Host): ReturnType<typeof secondUser> {
  return host.kind === 'web' ? secondUser() : { why: 'a window on this screen opens for its own user only' };
}

/** Gives a folder and all in it to a user, who alone can open it. */
export function giveTo(user: SystemUser, folder: string): void {
  execFileSync('chown', ['-R', `${String(user.uid)}:${String(user.gid)}`, folder]);
  execFileSync('chmod', ['700', folder]);
}

type WebHost = Host & { readonly kind: 'web' };

/** VS Code where this user can read it. The cache of the first user may be private, so its files are linked to another folder. */
export async function hostFor(
  host: WebHost,
  user: SystemUser,
): Promise<{ host: WebHost; remove: () => Promise<void> }> {
  if (canRead(user, host.serverMain)) return { host, remove: () => Promise.resolve() };
  const { folder, remove } = await temporaryFolder();
  execFileSync('chmod', ['755', folder]);
  const installed = host.serverMain.slice(0, -serverMainPath.length);
  const copy = path.join(folder, 'host');
  // Another file system takes no links.
  if (spawnSync('cp', ['-al', installed, copy], { stdio: 'ignore' }).status !== 0)
    execFileSync('cp', ['-a', '--no-target-directory', installed, copy]);
  return { host: { ...host, serverMain: path.join(copy, serverMainPath) }, remove };
}

function canRead(user: SystemUser, file: string): boolean {
  return spawnSync('test', ['-r', file], user).status === 0;
}
