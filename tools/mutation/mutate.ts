import { fileURLToPath } from 'node:url';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

const plugins = ['prose.ts', 'resident-runner.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

export interface Run {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Where results are kept, so that the next run repeats only what changed. */
  readonly resultsFile: string;
  /** Repeats what did not change, too. */
  readonly force?: boolean;
}

/** Runs the tests once per mutant, in a copy of the repository under `.mutation`. */
export async function mutate({
  mutate,
  tests,
  resultsFile,
  force = false,
}: Run): Promise<readonly MutantResult[]> {
  process.env['MUTATION_TESTS'] = tests.join(' ');
  const stryker = new Stryker({
    mutate: [...mutate],
    testRunner: 'resident',
    plugins,
    ignorers: ['prose'],
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // More than `testTimeout`, by which a test that waits without an end fails on every machine.
    timeoutMS: 120_000,
    timeoutFactor: 3,
    warnings: false,
    tempDirName: '.mutation',
    // Whatever happens, nothing stays behind.
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: resultsFile,
    force,
    // It would be rewritten with the API of TypeScript 6, and nothing here reads it.
    tsconfigFile: 'no-tsconfig.json',
    ignorePatterns: ['cdk.out', 'coverage', 'docs/**/*.png', 'packages/*/dist'],
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    allowConsoleColors: false,
    logLevel: 'warn' as LogLevel,
  });
  return stryker.runMutationTest();
}
