/**
 * Loaded by `npm test` together with `--retries 1`: names each test that passed only when it was run again. The run
 * repeats these lines at its end and fails after more than two of them (scripts/lib/runSteps.mjs). Mocha reports only
 * the last try, which may fail for what the first one left behind, so the first error is printed, too. An interruption ends
 * what the tests have started.
 */
import Mocha from 'mocha';
import './interrupted.ts';

type Retried = Mocha.Test & { currentRetry(): number };

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    const test = this.currentTest as Retried | undefined;
    const { fn } = test ?? {};
    if (!test || !fn || fn.length > 0 || test.currentRetry() > 0) return;
    const note = (error: unknown) => {
      if (!test.isPending()) Mocha.reporters.Base.consoleLog(`First try of ${test.fullTitle()}:\n${traceOf(error)}`);
      throw error;
    };
    test.fn = function (this: Mocha.Context) {
      // Mocha copies the test for another try.
      test.fn = fn;
      try {
        const running: unknown = (fn as Mocha.AsyncFunc).call(this);
        return running instanceof Promise ? running.catch(note) : undefined;
      } catch (error) {
        return note(error);
      }
    };
  },

  afterEach(this: Mocha.Context): void {
    const test = this.currentTest as Retried | undefined;
    if (test?.state === 'passed' && test.currentRetry() > 0)
      Mocha.reporters.Base.consoleLog(`Needed another try: ${test.fullTitle()}`);
  },
};

/** Without the lines of mocha, Node and this file. */
function traceOf(error: unknown): string {
  const trace = error instanceof Error ? String(error.stack) : String(error);
  return trace.replaceAll(/\n +at .*(node_modules\/mocha\/|node:internal\/|support\/retries\.ts).*/g, '');
}
