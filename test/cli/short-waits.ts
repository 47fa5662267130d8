import { type Waits, waits } from '../../operator/limits.ts';

/** The waits of `smoke` a hundred times shorter, in the same relations, and those of others. */
export const shortWaits: Waits = {
  ...waits,
  smokeSettleMilliseconds: 20,
  smokeSettlePollMilliseconds: 4,
  acceptanceMilliseconds: 12,
  keylessPauseMilliseconds: 6,
  redriveWatchMilliseconds: 50,
  redrivePollMilliseconds: 20,
  repairPollMilliseconds: 20,
  tokenPollMilliseconds: 20,
};
