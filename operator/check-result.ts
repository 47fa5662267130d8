import type { ExitCode } from './operator-error.ts';

/**
 * `skipped`: the check does not apply, or needs a check that did not pass. `unknown`: AWS did not give the
 * information, for lack of a permission or because it throttles. Neither counts as passed.
 */
export const checkStatuses = ['passed', 'failed', 'skipped', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** The result of a check, without its name. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** One sentence: what was seen. */
  readonly message: string;
  /** Suggested fixes: commands, or a place in the documents. */
  readonly fixes: readonly string[];
  /** The exit code of a failure that has one of its own. */
  readonly exitCode?: ExitCode;
}

export interface Check extends CheckResult {
  readonly name: string;
}

const resultOf =
  (status: CheckStatus) =>
  (message: string, ...fixes: string[]): CheckResult => ({ status, message, fixes });
export const passed = resultOf('passed');
export const failed = resultOf('failed');
export const skipped = resultOf('skipped');
export const unknown = resultOf('unknown');

/** "3 alarms", "1 alarm". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
