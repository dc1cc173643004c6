/**
 * Loaded before the tests of `npm test`: random input is the same in every run, so that what fails fails again. A file
 * that is run by itself (`npx mocha test/unit/hold/holds.test.ts`) draws new input each time, and fast-check names the seed.
 */
import fc from 'fast-check';
import { runs } from './runs.ts';

fc.configureGlobal({ seed: Number(process.env['HOLDPOINT_SEED'] ?? 1), numRuns: runs(100) });
