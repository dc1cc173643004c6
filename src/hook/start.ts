/** Entry of hooks. */
import path from 'node:path';
import process from 'node:process';
import { loadCompiled } from '../hosts/compiledCode.ts';

try {
  loadCompiled(path.join(import.meta.dirname, 'hookMain.cjs'), 'hook');
} catch (error) {
  // Hosts go on after most other codes.
  process.exitCode = 2;
  process.stderr.write(`Holdpoint denies this, because its hook cannot be loaded: ${String(error)}\n`);
}
