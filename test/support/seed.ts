/**
 * Loaded before the tests of `npm test`: random input is the same in every run, so that failures are repeatable. A file
 * that is run alone (`npx mocha test/unit/hold/holds.test.ts`) has new input each time, and fast-check prints the seed.
 */
import fc from 'fast-check';
import { runs } from './runs.ts';

fc.configureGlobal({ seed: Number(process.env['HOLDPOINT_SEED'] ?? 1), numRuns: runs(100) });
