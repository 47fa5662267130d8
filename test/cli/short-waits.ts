import { type Waits, waits } from '../../operator/limits.ts';

/** Shorter waits, in the same relations. */
export const shortWaits: Waits = {
  ...waits,
  heartbeatReturnMilliseconds: 50,
  heartbeatPollMilliseconds: 10,
  redrivePollMilliseconds: 20,
  repairPollMilliseconds: 20,
  tokenPollMilliseconds: 20,
  evidenceDelayMilliseconds: 0,
};
