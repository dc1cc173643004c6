/** Entry of hooks. */
import module from 'node:module';
import path from 'node:path';

try {
  module.enableCompileCache(path.join(import.meta.dirname, 'compiled'));
  await import('./main.ts');
} catch (error) {
  // Hosts continue after most other codes.
  process.exitCode = 2;
  process.stderr.write(`Holdpoint denies this, because its hook cannot be loaded: ${String(error)}\n`);
}
