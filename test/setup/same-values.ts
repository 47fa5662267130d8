import fc from 'fast-check';
import { readTestSeed } from './test-seed.ts';

// A property would draw other values in each run, and fail in one that changes nothing.
fc.configureGlobal({ seed: readTestSeed(process.env['PAYHOOKS_TEST_SEED']) });
