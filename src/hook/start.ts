/** Entry of hooks. */
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache(path.join(import.meta.dirname, 'compiled'));
export const ended = import('./main.ts')
  .then(({ run }) => run())
  .catch((error: unknown) => {
    // Hosts continue after most other codes.
    process.exitCode = 2;
    process.stderr.write(`Holdpoint denies this, because its hook cannot be loaded: ${String(error)}\n`);
  });
