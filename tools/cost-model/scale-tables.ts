import * as limits from '../../lambdas/contract/limits.ts';
import { milliseconds, quotas, webhookShares } from './assumed.ts';
import { monthOf } from './cost-tables.ts';
import { decimal, table } from './documents.ts';

import type { Measurement } from './scenarios.ts';
import { writeUnits } from './units.ts';

/** The tables of `docs/scale.md`, by the name of their block. */
export const scaleTables = (measured: Measurement): Readonly<Record<string, string>> => ({
  limits: table('webhooks/s | limit', rateLimits(measured)),
  'hot-order': hotOrder(measured),
});

/** Every limit on the rate of webhooks, lowest first. */
export function rateLimits(measured: Measurement) {
  const { stack } = measured;
  const { paid, refund } = webhookShares;
  const { eventWrites = 0, orderWrites = 0, indexWrites = 0, busEvents = 0 } = monthOf(1, measured);
  const writes = Math.max(eventWrites, orderWrites, indexWrites);
  const { verifier, consumer, 'order-feed': feed } = milliseconds;
  const executions = (verifier[0] + consumer[0] + (paid + refund) * feed[0]) / 1000;
  const batch = consumer[1] / 1000 / limits.consumerBatchRecordsMax;
  const { newTableWritesPerSecond: newTable, partitionWritesPerSecond: partitionWrites } = quotas;
  const readers = (newTable / partitionWrites) * limits.orderFeedReadersPerShard;
  // A second delivery changes no order.
  const feedBatch = ((paid + refund) * feed[1]) / 1000 / limits.orderFeedBatchRecordsMax;
  const all: readonly (readonly [title: string, limit: number, usedPerWebhook: number])[] = [
    ['Lambda, new account: # concurrent executions', quotas.lambdaConcurrencyNewAccount, executions],
    ['Queue, at the start of a burst: # concurrent batches', quotas.pollerBatchesFirst, batch],
    ['Webhook API, throttle: # requests/s', stack.webhookRequestsPerSecond, 1],
    ['DynamoDB, new table or index: # write units/s', newTable, writes],
    ['Order feed, new table: # concurrent batches', readers, feedBatch],
    ['Consumers: # concurrent executions, full batches', stack.concurrencyMax, batch],
    ['API Gateway, all APIs of the account: # requests/s', quotas.gatewayRequestsPerSecond, 1],
    ['EventBridge in us-east-1: # PutEvents calls/s, one event each', quotas.putEventsPerSecond, busEvents],
    ['Index of changes, all shards: # write units/s', limits.changeShards * partitionWrites, indexWrites],
    ['Lambda, full quota: # concurrent executions, one record each', quotas.lambdaConcurrency, executions],
    ['DynamoDB, quota of a table: # write units/s', quotas.tableWritesPerSecond, writes],
  ];
  const rows = all.map(
    ([title, limit, used]) => [Math.round(limit / used), title.replace('#', decimal(limit))] as const,
  );
  return rows.toSorted(([one], [other]) => one - other);
}

/** The bytes of an order's row with so many facts: each is a member of one set, and nothing else grows. */
export function rowGrowth({ counted }: Measurement) {
  const bytes = (name: 'hot10' | 'hot20'): number =>
    counted[name].calls.find(({ key }) => key?.startsWith('live:order:'))?.itemBytes ?? 0;
  const factBytes = (bytes('hot20') - bytes('hot10')) / 10;
  const emptyBytes = bytes('hot10') - 10 * factBytes;
  const factsMax = Math.floor((quotas.itemBytes - emptyBytes) / factBytes);
  return { factsMax, rowBytes: (facts: number): number => emptyBytes + facts * factBytes };
}

function hotOrder(measured: Measurement): string {
  const { factsMax, rowBytes } = rowGrowth(measured);
  const rows = [1, 10, 100, 500, 1_000, factsMax].map((facts) => {
    const units = writeUnits(0, rowBytes(facts));
    return [facts, rowBytes(facts), units, Math.floor(quotas.partitionWritesPerSecond / units)];
  });
  return table('facts in the order | bytes of its row | write units of a merge | merges/s', rows);
}
