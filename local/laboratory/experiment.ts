import type { ExperimentView } from '../../console/contract/laboratory.ts';
import type { Bench } from './bench.ts';
import type { Verdict } from './run-record.ts';

export interface Experiment extends Omit<ExperimentView, 'refusal'> {
  /** Loads or breaks the pipeline, so that only one of these runs at a time. */
  readonly disturbs: boolean;
  run(bench: Bench): Promise<Verdict>;
}

/** As expected only if all are. */
export const both = (...verdicts: readonly Verdict[]): Verdict => ({
  asExpected: verdicts.every(({ asExpected }) => asExpected),
  seen: verdicts.map(({ seen }) => seen).join(' '),
});
