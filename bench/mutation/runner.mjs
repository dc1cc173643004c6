/**
 * Runs the unit tests inside Stryker's worker: mocha as a library, on TypeScript run by Node. (Stryker's own runner
 * does not support mocha 12.) One process tries many mutants, each with the tests that reach it, up to the first
 * failure; a mutant that is active while a file is loaded gets its own process.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

/** Where Stryker's mutant switches are, set by its option `instrumenterNamespace`. */
const namespace = '__stryker__';

class UnitTests {
  static inject = tokens(commonTokens.options);

  constructor(options) {
    this.settings = options.unitTests;
    this.stryker = globalThis[namespace] ??= {};
    this.loaded = false;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    // The worker runs in a copy of the checkout; packages are the project's own.
    const own = createRequire(path.resolve('package.json'));
    const load = async (name) => import(pathToFileURL(own.resolve(name)).href);
    const { default: Mocha } = await load('mocha');
    const { default: fastCheck } = await load('fast-check');
    // A fixed seed, so that results are repeatable.
    fastCheck.configureGlobal({ seed: 1 });
    this.mocha = new Mocha({ reporter: reporterFor(this), timeout: 0 });
    this.mocha.cleanReferencesAfterRun(false);
    for (const file of this.settings.files) this.mocha.addFile(path.resolve(file));
    const runner = this;
    this.mocha.suite.beforeEach(function () {
      if (runner.noting) runner.stryker.currentTestId = this.currentTest?.fullTitle();
    });
  }

  async dryRun({ coverageAnalysis, disableBail }) {
    this.noting = coverageAnalysis === 'perTest';
    const result = await this.run(disableBail, null);
    this.noting = false;
    this.stryker.currentTestId = undefined;
    return result.status === DryRunStatus.Complete
      ? { ...result, mutantCoverage: this.stryker.mutantCoverage }
      : result;
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit, mutantActivation }) {
    this.stryker.hitLimit = hitLimit;
    this.stryker.hitCount = hitLimit ? 0 : undefined;
    this.chosen = testFilter && new Set(testFilter);
    const result = await this.run(disableBail, { id: activeMutant.id, early: mutantActivation === 'static' });
    this.chosen = undefined;
    return toMutantRunResult(result);
  }

  async run(disableBail, mutant) {
    try {
      if (!this.loaded) {
        this.stryker.activeMutant = mutant?.early ? mutant.id : undefined;
        await this.mocha.loadFilesAsync();
        this.loaded = true;
        for (const test of testsIn(this.mocha.suite)) if (this.isLeftOut(test)) test.pending = true;
      }
      this.stryker.activeMutant = mutant?.id;
      bail(this.mocha.suite, !disableBail);
      // Selects the tests that reach the mutant, by Stryker's test names.
      this.mocha.grep({ test: (title) => !this.chosen || this.chosen.has(title) });
      this.tests = [];
      await new Promise((resolve) => this.mocha.run(resolve));
      const endless = determineHitLimitReached(this.stryker.hitCount, this.stryker.hitLimit);
      return endless ?? { status: DryRunStatus.Complete, tests: this.tests };
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error?.stack ?? error) };
    }
  }

  isLeftOut(test) {
    return this.settings.leftOut.some((title) => test.fullTitle().includes(title));
  }
}

/** Mocha creates a reporter for each run; this one passes each test's result to the runner. */
function reporterFor(unitTests) {
  return class {
    constructor(run) {
      let began = performance.now();
      const note = (test, more) => {
        const now = performance.now();
        const name = test.fullTitle();
        unitTests.tests.push({ id: name, name, timeSpentMs: now - began, fileName: test.file, ...more });
        began = now;
      };
      run.on('pass', (test) => note(test, { status: TestStatus.Success }));
      run.on('pending', (test) => note(test, { status: TestStatus.Skipped }));
      run.on('fail', (test, error) =>
        note(test.ctx?.currentTest ?? test, {
          status: TestStatus.Failed,
          failureMessage: String(error?.message ?? error),
        }),
      );
    }
  };
}

function* testsIn(suite) {
  yield* suite.tests;
  for (const inner of suite.suites) yield* testsIn(inner);
}

function bail(suite, on) {
  suite.bail(on);
  for (const inner of suite.suites) bail(inner, on);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'unit-tests', UnitTests)];
