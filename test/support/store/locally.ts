import { isSharedRun } from './sharedSandbox.ts';

/** For tests about the journal's files or what needs no server, or with programs that have no login to it. */
export const locally = isSharedRun ? it.skip : it;
