import { type ExitCode, exitCodes } from '../command-error.ts';

/**
 * What became of a check. `skipped` was not asked for a reason of ours; `unanswered` was asked, and nobody
 * could tell. Neither counts as passed.
 */
export const checkOutcomes = ['passed', 'failed', 'skipped', 'unanswered'] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];

/** What a check has seen, without its name. */
export interface Finding {
  readonly outcome: CheckOutcome;
  /** One sentence: what was seen. */
  readonly says: string;
  /** What mends it: commands, or the place in the documents. */
  readonly mend: readonly string[];
  /** For a failure that is nobody's answer: the exit code that says so. */
  readonly exitCode?: ExitCode;
}

export interface Check extends Finding {
  readonly name: string;
}

export type Counts = Readonly<Record<CheckOutcome, number>>;

const finding = (outcome: CheckOutcome, says: string, mend: readonly string[]): Finding => ({
  outcome,
  says,
  mend,
});
export const passed = (says: string): Finding => finding('passed', says, []);
export const failed = (says: string, ...mend: string[]): Finding => finding('failed', says, mend);
export const skipped = (says: string, ...mend: string[]): Finding => finding('skipped', says, mend);
export const unanswered = (says: string, ...mend: string[]): Finding => finding('unanswered', says, mend);

export function countsOf(checks: readonly Finding[]): Counts {
  const count = (outcome: CheckOutcome): number => checks.filter((check) => check.outcome === outcome).length;
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
  checks.filter(({ name, outcome }) => [signedPayment, orderIsPaid].includes(name) && outcome !== 'passed');

/**
 * Unreachable when that is all that failed; a failure that was seen says more. Without a failure 0 says that
 * the pipeline was proven, and 1 that nobody could tell.
 */
export function exitCodeOf(checks: readonly Check[]): ExitCode {
  const failures = checks.filter(({ outcome }) => outcome === 'failed');
  const codes = new Set(failures.map(({ exitCode }) => exitCode ?? exitCodes.failed));
  const [only = exitCodes.done, ...others] = codes;
  if (failures.length === 0 && unprovenOf(checks).length > 0) return exitCodes.failed;
  return others.length === 0 ? only : exitCodes.failed;
}

/** "3 alarms", "1 alarm". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
