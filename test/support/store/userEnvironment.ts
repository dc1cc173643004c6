/** Threads take the user-level folder from the environment, as in the editor. */
import path from 'node:path';
import type { Sandbox } from './sandbox.ts';

const name = 'XDG_STATE_HOME';
const before = process.env[name];

export function useEnvironmentOf({ userFolder }: Sandbox): void {
  process.env[name] = path.dirname(userFolder);
}

/** For `afterEach`. */
export function restoreEnvironment(): void {
  if (before === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = before;
}
