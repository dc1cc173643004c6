import { isSharedRun } from './sharedSandbox.ts';

/** For tests about the journal's files or what needs no server, or with programs that have no login to it. */
export function locally(title: string, run: (this: Mocha.Context) => Promise<void>): Mocha.Test {
  // Not a constant: each file of a parallel run has an `it` of its own.
  return isSharedRun ? it.skip(title, run) : it(title, run);
}
