// npm start: VS Code on a copy of sample/, with the extension of this checkout, and two scripted agents at work there.
import { npm, prepare, root } from './lib/prepare.mjs';
import path from 'node:path';

await prepare();
if (npm('run', '--silent', 'build') !== 0) process.exit(1);

const { openSample } = await import('../test/support/openSample.ts');
const { findHostForUser } = await import('../test/support/host.ts');
const { start } = await import('../test/support/processes.ts');
const { MachineError } = await import('../test/support/machine.ts');

const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
});

try {
  const sample = await openSample(await findHostForUser(), console.log);
  console.log(`The agents work in ${sample.workspace}. Ctrl-C stops everything.\n`);
  const agents = start(process.execPath, [path.join(root, 'examples', 'sampleAgents.mjs'), sample.workspace], {
    env: sample.env,
    onLine: console.log,
  });
  await Promise.race([stopped, sample.closed]);
  console.log('\nStopping.');
  await agents.stop();
  await sample.stop();
} catch (error) {
  console.error(error instanceof MachineError ? error.message : error);
  process.exitCode = 1;
}
// Do not wait for a browser that keeps a connection open.
process.exit();
