const short = {
  smokeSettleMilliseconds: 40,
  smokeSettlePollMilliseconds: 10,
  acceptanceMilliseconds: 12,
  keylessPauseMilliseconds: 6,
};

/**
 * The limits of the command line with the waits of `smoke` a hundred times shorter, in the same relations. Each test
 * file mocks the limits with it, because a mock of vitest only applies to the file that declares it.
 */
export async function withShortLimits(
  original: () => Promise<object>,
  others: Readonly<Record<string, number>> = {},
): Promise<object> {
  return { ...(await original()), ...short, ...others };
}
