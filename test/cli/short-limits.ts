const short = {
  smokeSettleMilliseconds: 40,
  smokeSettlePollMilliseconds: 10,
  acceptanceMilliseconds: 62,
  keylessPauseMilliseconds: 6,
};

/**
 * The bounds of the command line with the waits of `smoke` in a hundredth of the time, and the same relations. A file
 * of tests mocks the bounds with it by itself: vitest takes a mock from the file that it stands in.
 */
export async function withShortLimits(
  original: () => Promise<object>,
  others: Readonly<Record<string, number>> = {},
): Promise<object> {
  return { ...(await original()), ...short, ...others };
}
