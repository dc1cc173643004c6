/** Entry of `holdpoint`. Hosts, commits and scripts ask its gate all the time; other commands run when a person wants them. */
import path from 'node:path';
import process from 'node:process';
import { keepCompiledCode, loadCompiled } from '../hosts/compiledCode.ts';

const main = path.join(import.meta.dirname, 'cliMain.cjs');

if (process.argv.includes('gate')) loadCompiled(main, 'gate');
else {
  keepCompiledCode(import.meta.dirname);
  // In the bundle this is `require`.
  void import(main);
}
