import { type Profiler, Session } from 'node:inspector';

export interface Covered {
  /** The ranges of code that ran, each with its file. */
  readonly places: readonly string[];
  /** How often they ran, in sum. */
  readonly steps: number;
}

/** Counts which ranges of the functions and blocks of `lambdas/` run, as V8's own counters show it. */
export function startCoverage() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    /** What ran since the last call. */
    take(): Covered {
      let scripts: readonly Profiler.ScriptCoverage[] = [];
      // The inspector of this thread calls back before `post` returns.
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error) throw error;
        scripts = result;
      });
      const ran = scripts
        .filter(({ url }) => url.includes('/lambdas/'))
        .flatMap(({ url, functions }) =>
          functions.flatMap(({ ranges }) =>
            ranges.filter(({ count }) => count > 0).map((range) => ({ url, ...range })),
          ),
        );
      return {
        places: ran.map(({ url, startOffset, endOffset }) => `${url}:${startOffset}-${endOffset}`),
        steps: ran.reduce((sum, { count }) => sum + count, 0),
      };
    },
    stop(): void {
      session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
