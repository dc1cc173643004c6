/**
 * Node's compile cache for the bundles, in a folder beside them: compiling takes a third of a gate's own time. Node finds
 * an entry by the file and the hash of its source, checks the entry's own checksum, and compiles whenever it has none, as
 * where the folder cannot be written. Whoever may write there may also change the bundles.
 */
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';

const folderIn = (programs: string) => path.join(programs, 'compiled');

/** @param programs the folder of the bundles */
export function keepCompiledCode(programs: string): void {
  // Node has it since 22.8.
  const { enableCompileCache } = module as Partial<typeof module>;
  enableCompileCache?.(folderIn(programs));
}

/** The next program compiles the bundles as they are. */
export function forgetCompiledCode(programs: string): void {
  try {
    fs.rmSync(folderIn(programs), { recursive: true, force: true });
  } catch {
    return;
  }
}
