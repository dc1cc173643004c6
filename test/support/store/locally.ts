import { isSharedRun } from './sharedSandbox.ts';

/** For tests about the journal's files, or with programs that have no login to the server. */
export const locally = isSharedRun ? it.skip : it;
