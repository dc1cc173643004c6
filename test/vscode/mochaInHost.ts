import { format } from 'node:util';
import Mocha from 'mocha';
import { mochaHooks } from '../support/retries.ts';

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

/** Runs inside the extension host: mocha runs the bundled test files and sends its report to the outer process. */
export async function runFiles(
  files: readonly string[],
  grep: string,
  log: (line: string) => void,
): Promise<SuiteResult> {
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => {
    for (const line of format(...parts).split('\n')) log(line);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    color: false,
    forbidOnly: true,
    reporter: 'spec',
    retries: 1,
    rootHooks: mochaHooks,
  });
  if (grep) mocha.grep(grep);
  for (const file of files) mocha.addFile(file);
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => {
      resolve(runner.stats);
    });
  });
  return { passed: stats?.passes ?? 0, failed: stats?.failures ?? 0, pending: stats?.pending ?? 0 };
}
