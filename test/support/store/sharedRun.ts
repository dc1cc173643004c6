/** Loaded first by `npm run test:shared`: the tests of the store then run on a shared journal (`sharedSandbox.ts`). */
process.env['HOLDPOINT_TEST_JOURNAL'] = 'postgres';
