/** How much is logged; `test/limits.test.ts` asserts how these relate to alarms. */

/**
 * Refusals of one reason that an instance of the verifier logs and counts one by one, per minute. No fewer
 * than raise an alarm; what follows is summed up, because each line of a flood costs money.
 */
export const refusalLinesPerMinute = 20;
/** How often an instance writes such a sum. An instance that ends may lose the last one. */
export const refusalSumSeconds = 1;
/** How often a count of the same that waits is logged: `LogsSilent` watches that this log receives lines. */
export const waitingReportSeconds = 5 * 60;
