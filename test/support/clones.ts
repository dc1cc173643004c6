/** The sample as a Git repository, and clones of it on different people's machines. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './host.ts';
import { giveTo, type SystemUser } from './secondUser.ts';

export interface Machine {
  readonly clone: string;
  readonly home: string;
}

export interface Repository {
  /** A clone and a home in a folder that this user alone can open. */
  machine(name: string, user?: SystemUser): Machine;
}

/** @param folder anyone can open it afterwards */
export function sampleRepository(folder: string): Repository {
  const origin = path.join(folder, 'origin');
  fs.cpSync(path.join(root, 'sample'), origin, { recursive: true });
  git('init', '-q', origin);
  git('-C', origin, 'add', '-A');
  git('-C', origin, 'commit', '-qm', 'Sample');
  fs.chmodSync(folder, 0o755);
  return {
    machine(name, user) {
      const base = path.join(folder, name);
      const [clone, home] = [path.join(base, 'sample'), path.join(base, 'home')];
      fs.mkdirSync(home, { recursive: true });
      git('clone', '-q', origin, clone);
      fs.chmodSync(base, 0o700);
      if (user) giveTo(user, base);
      return { clone, home };
    },
  };
}

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { stdio: 'ignore' });
}
