/** How git is asked about commits, whatever the files and settings say that agents can write. */

/** For every call: no program of a configuration runs, and none of these settings changes what git prints. */
export const settings = [
  ...['core.fsmonitor=false', 'core.quotePath=false', 'core.commitGraph=false', 'log.showSignature=false'],
  ...['log.showRoot=true', 'diff.ignoreSubmodules=none', 'diff.relative=false'],
].flatMap((setting) => ['-c', setting]);

/** For comparisons. Every change of a submodule counts, whatever .gitmodules says of it. */
export const comparing = ['-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];
