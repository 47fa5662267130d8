/** Between the plugin of Stryker and vitest's worker in the same process. */
export const channelName = 'payhooks-mutation';

/** Runs tests of these files with a mutant, or all of them without one, to see which code they run. */
export interface Request {
  readonly files: readonly string[];
  /** Ids of tests; all tests of the files when absent. */
  readonly tests?: readonly string[];
  readonly mutant?: {
    readonly id: string;
    /** The mutant matters while the code is loaded, so it is loaded anew. */
    readonly isStatic: boolean;
    /** More hits than this are an endless loop. */
    readonly hitLimit: number | undefined;
  };
}

export interface TestOutcome {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly milliseconds: number;
  /** Absent when the test passed. */
  readonly failure?: string;
}

export interface Coverage {
  readonly static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}

export interface Results {
  readonly outcomes: readonly TestOutcome[];
  readonly hitCount: number;
  readonly coverage?: Coverage;
}

export type Reply = Results | { readonly ready: true } | { readonly error: string };
