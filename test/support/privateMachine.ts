/**
 * A machine of one test's own: root on Linux gives it a private /etc and /opt, laid over the real ones, and a user without
 * rights. Nothing outside changes, and all of it ends with its first process.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './host.ts';

export interface PrivateMachine {
  /** Home of the user without rights. */
  readonly home: string;
  /** Runs a program there, as root or as that user. */
  run(
    who: 'root' | 'user',
    command: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Gives a folder to the user. */
  give(folder: string): void;
  close(): void;
}

const unshare = '/usr/bin/unshare';
const nsenter = '/usr/bin/nsenter';
const user = '4321';
const lateMs = 120_000;

/** @param folder an empty one, which other users can reach */
export function openPrivateMachine(folder: string): PrivateMachine | { readonly why: string } {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { why: 'only root on Linux can try this' };
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  const layers = path.join(folder, 'layers');
  fs.mkdirSync(layers);
  const script = `
    umask 022
    mount -t tmpfs none '${layers}' || exit 1
    for d in etc opt; do
      mkdir '${layers}'/$d '${layers}'/$d.work
      mount -t overlay overlay -o "lowerdir=/$d,upperdir=${layers}/$d,workdir=${layers}/$d.work" /$d || exit 1
    done
    echo 'agent:x:${user}:${user}::${home}:/bin/sh' >> /etc/passwd
    touch '${layers}/ready'; echo ready; exec sleep infinity`;
  const first = spawn(unshare, ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  first.once('error', () => undefined); // then it has no id
  const { pid } = first;
  const isReady = pid !== undefined && readySoon(pid, path.join(layers, 'ready'));
  if (!isReady) {
    first.kill('SIGKILL');
    return { why: 'this system does not allow a private /etc' };
  }
  const give = (place: string) => void execFileSync('chown', ['-R', `${user}:${user}`, place]);
  give(home);
  const asUser = ['setpriv', '--reuid', user, '--regid', user, '--clear-groups'];
  if (enter(pid, [...asUser, 'test', '-r', path.join(root, 'package.json')]) !== 0) {
    first.kill('SIGKILL');
    return { why: 'another user cannot read this checkout' };
  }
  return {
    home,
    give,
    run: (who, command, { cwd = folder, env = {} } = {}) =>
      new Promise((resolve) => {
        // A folder that was opened outside of the private mounts has no path inside.
        const whole = [...(who === 'user' ? asUser : []), 'sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command];
        const child = spawn(nsenter, ['--target', String(pid), '--mount', ...whole], {
          env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: who === 'user' ? home : '/root', ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            said += text;
          });
        const late = setTimeout(() => child.kill('SIGKILL'), lateMs);
        child.once('close', (code) => {
          clearTimeout(late);
          resolve({ code, said });
        });
      }),
    close: () => void first.kill('SIGKILL'),
  };
}

/** The file is in the private mount, so only a process inside of it sees it. */
function readySoon(pid: number, file: string): boolean {
  for (let tries = 0; tries < 100; tries++) {
    if (enter(pid, ['test', '-e', file]) === 0) return true;
    spawnSync('sleep', ['0.1']);
  }
  return false;
}

function enter(pid: number, command: readonly string[]): number | null {
  return spawnSync(nsenter, ['--target', String(pid), '--mount', ...command], { stdio: 'ignore' }).status;
}
