import { type ExitCode, exitCodes } from '../outcome.ts';

/**
 * What became of a check. `skipped` was not asked for a reason of ours; `unanswered` was asked, and nobody
 * could tell. Neither counts as passed.
 */
export const checkStatuses = ['passed', 'failed', 'skipped', 'unanswered'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** What a check has seen, without its name. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** One sentence: what was seen. */
  readonly message: string;
  /** What mends it: commands, or the place in the documents. */
  readonly fixes: readonly string[];
  /** For a failure that is nobody's answer: the exit code that says so. */
  readonly exitCode?: ExitCode;
}

export interface Check extends CheckResult {
  readonly name: string;
}

export type Counts = Readonly<Record<CheckStatus, number>>;

const result = (status: CheckStatus, message: string, fixes: readonly string[]): CheckResult => ({
  status,
  message,
  fixes,
});
export const passed = (message: string): CheckResult => result('passed', message, []);
export const failed = (message: string, ...fixes: string[]): CheckResult => result('failed', message, fixes);
export const skipped = (message: string, ...fixes: string[]): CheckResult =>
  result('skipped', message, fixes);
export const unanswered = (message: string, ...fixes: string[]): CheckResult =>
  result('unanswered', message, fixes);

export function countsOf(checks: readonly CheckResult[]): Counts {
  const count = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    unanswered: count('unanswered'),
  };
}

/** The checks without which nothing is proven: an event went in, and came out as an order. */
export const signedPayment = 'signed payment';
export const orderIsPaid = 'order is paid';

/** Those of them that did not pass; empty when the pipeline is proven. */
export const unprovenOf = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ name, status }) => [signedPayment, orderIsPaid].includes(name) && status !== 'passed');

/**
 * Unreachable when that is all that failed; a failure that was seen says more. Without a failure 0 says that
 * the pipeline was proven, and 1 that nobody could tell.
 */
export function exitCodeOf(checks: readonly Check[]): ExitCode {
  const failures = checks.filter(({ status }) => status === 'failed');
  const codes = new Set(failures.map(({ exitCode }) => exitCode ?? exitCodes.failed));
  const [only = exitCodes.done, ...others] = codes;
  if (failures.length === 0 && unprovenOf(checks).length > 0) return exitCodes.failed;
  return others.length === 0 ? only : exitCodes.failed;
}

/** "3 alarms", "1 alarm". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
