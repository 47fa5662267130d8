import { expect, it } from 'vitest';
import * as limits from '../lambdas/contract/limits.ts';
import * as operations from '../lambdas/contract/operations-limits.ts';
import { createCallClock } from './doubles/call-clock.ts';
import type { EventFields } from './doubles/event-body.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { notedCalls } from './doubles/turns.ts';

/** For a call of DynamoDB; it takes milliseconds of one digit. */
const callSeconds = 0.05;
/** For the connections that a new instance opens, and for its slower code. */
const coldStartSeconds = 3;

it.each<[string, EventFields]>([
  ['moves to another order with', { id: 'p', order: 'B' }],
  ['leaves', { id: 'p', order: 'A', transaction: 'U' }],
  ['no longer gives an order to', { id: 'p' }],
])(
  'a payment %s all refunds that its transaction holds before the function times out',
  async (_, readNow) => {
    for (const eventRetentionDays of [undefined, 30]) await replayWithRefunds(readNow, eventRetentionDays);
  },
);

async function replayWithRefunds(
  readNow: EventFields,
  eventRetentionDays: number | undefined,
): Promise<void> {
  const tables = sharedTables({ eventRetentionDays });
  const refunds = Array.from({ length: limits.transactionFactsMax }, (_, n) => ({
    ...{ id: `r${n}`, action: 'refunded', amount: '1.00' },
  }));
  await deliver(tables, { id: 'p', order: 'A' }, ...refunds);
  readAs(tables, readNow);
  const clock = createCallClock();
  const calls = notedCalls();
  await tables.act('replay', { event_id: 'p' }, 'ann', clock.counted(calls.gate));
  const counted = Object.values(moneyOf(tables)).flatMap((order) => order.counted);
  // Each counts, or waits.
  expect(counted.length + tables.waiting().length).toBe(1 + refunds.length);
  // Of each event once; of the payment also to see whether it is there.
  expect(calls.of('find')).toHaveLength(2 + refunds.length);
  const { operationsTimeoutSeconds, replayMillisecondsMax } = operations;
  // The page may begin with it as late as its time allows.
  const seconds = replayMillisecondsMax / 1000 + clock.rounds() * callSeconds + coldStartSeconds;
  expect(seconds).toBeLessThanOrEqual(operationsTimeoutSeconds);
}
