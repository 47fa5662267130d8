import { type Waits, waits } from '../../cli/limits.ts';

/** The waits of `smoke` a hundred times shorter, in the same relations, and those of `dlq redrive` and `repair`. */
export const shortWaits: Waits = {
  ...waits,
  smokeSettleMilliseconds: 40,
  smokeSettlePollMilliseconds: 10,
  acceptanceMilliseconds: 12,
  keylessPauseMilliseconds: 6,
  redriveWatchMilliseconds: 50,
  redrivePollMilliseconds: 20,
  repairPollMilliseconds: 20,
};
