import { secretMaxAgeSeconds } from '../../lambdas/contract/limits.ts';
import * as assumed from './assumptions.ts';
import { type BillLine, billOf, type Durations } from './bill.ts';
import { entryOverhead } from './capacity.ts';
import { hoursPerMonth, prices } from './prices.ts';
import type { Scenarios } from './scenarios.ts';
import { addUsages, timesUsage, type Usage } from './usage.ts';

const gigabyte = 1024 ** 3;
const secondsPerMonth = hoursPerMonth * 3600;

/** What a merchant with this many webhooks a month uses. */
export function monthOf(webhooks: number, { usages }: Pick<Scenarios, 'usages'>): Usage {
  const { paid, refund, duplicate } = assumed.webhookShares;
  return addUsages([
    timesUsage(usages.paid, webhooks * paid),
    timesUsage(usages.refund, webhooks * refund),
    timesUsage(usages.duplicate, webhooks * duplicate),
  ]);
}

/** Copies of a function that the busiest seconds of a month need: arrivals times duration (Little's law). */
export function copiesAtPeak(webhooksPerMonth: number, milliseconds: number): number {
  const perSecond = (webhooksPerMonth / secondsPerMonth) * assumed.peakFactor;
  return Math.max(1, Math.ceil((perSecond * milliseconds) / 1000));
}

/** Reads of something that each copy of a function keeps for so long; never more than there are webhooks. */
export const readsOfCopies = (copies: number, webhooks: number, keptSeconds: number): number =>
  Math.min(webhooks, Math.ceil((copies * secondsPerMonth) / keptSeconds));

export interface Stored {
  readonly what: string;
  readonly bytes: number;
  /** Recovery to a point in time covers tables and not their global indexes. */
  readonly recovered: boolean;
}

/** What a paid event on a new order leaves, with DynamoDB's overhead. */
export const storedByOrder = ({ stored }: Pick<Scenarios, 'stored'>): readonly Stored[] => [
  { what: 'row of the event', bytes: stored.event + entryOverhead, recovered: true },
  { what: 'row of the order', bytes: stored.order + entryOverhead, recovered: true },
  { what: 'entry in the index of changes', bytes: stored.indexEntry + entryOverhead, recovered: false },
];

/** Dollars a month for so many of it. */
export function storageBill({ bytes, recovered }: Stored, items: number): number {
  const { tableGigabyteMonth, recoveryGigabyteMonth } = prices;
  const rate = tableGigabyteMonth.dollars + (recovered ? recoveryGigabyteMonth.dollars : 0);
  return ((bytes * items) / gigabyte) * rate;
}

export interface Month {
  readonly lines: readonly BillLine[];
  /** A month of storage when this traffic has gone on for a year, and nothing expires. */
  readonly storageAfterYear: number;
}

/** What the webhooks of a month cost beside the idle stack. */
export function billOfMonth(webhooks: number, measured: Scenarios, durations: Durations): Month {
  const verifiers = copiesAtPeak(webhooks, assumed.warmMilliseconds.verifier);
  const consumers = copiesAtPeak(webhooks, assumed.warmMilliseconds.consumer);
  const secretReads = readsOfCopies(verifiers, webhooks, secretMaxAgeSeconds);
  const keyReads = 2 * readsOfCopies(consumers, webhooks, assumed.tableKeySeconds);
  const usage = { ...monthOf(webhooks, measured), secretReads };
  const newOrders = webhooks * assumed.webhookShares.paid;
  return {
    lines: [
      ...billOf(usage, durations),
      { name: 'KMS, keys of the tables', dollars: keyReads * prices.keyRequest.dollars },
    ],
    storageAfterYear: storedByOrder(measured).reduce((sum, one) => sum + storageBill(one, 12 * newOrders), 0),
  };
}
