import type { CheckResult } from '../../operator/check-result.ts';
import type { CommonOptions } from '../session.ts';

export interface DeployOptions extends CommonOptions {
  readonly context: readonly string[];
  readonly keyFile?: string;
}

/** Runs a step and prints its result, which the document of `--json` holds too. */
export type Step = (name: string, work: () => Promise<CheckResult>) => Promise<CheckResult>;
