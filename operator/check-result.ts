/**
 * `unknown`: AWS did not give the information, for lack of a permission or because it throttles. It does not
 * count as passed.
 */
export const checkStatuses = ['passed', 'failed', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** The result of a check, without its name. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** One sentence: what was seen. */
  readonly message: string;
  /** Suggested fixes: commands, or a place in the documents. */
  readonly fixes: readonly string[];
}

export interface Check extends CheckResult {
  readonly name: string;
}

const resultOf =
  (status: CheckStatus) =>
  (message: string, ...fixes: string[]): CheckResult => ({ status, message, fixes });
export const passed = resultOf('passed');
export const failed = resultOf('failed');
export const unknown = resultOf('unknown');

/** "3 alarms", "1 alarm". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
