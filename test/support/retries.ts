/**
 * Loaded by `npm test` together with `--retries 1`: names each test that passed only when it was run again. The run
 * repeats these lines at its end and fails after more than two of them (scripts/lib/runSteps.mjs).
 */
export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const test = this.currentTest as (Mocha.Test & { currentRetry(): number }) | undefined;
    if (test?.state === 'passed' && test.currentRetry() > 0) console.log(`Needed another try: ${test.fullTitle()}`);
  },
};
