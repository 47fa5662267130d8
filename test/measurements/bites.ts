import * as limits from '../../lambdas/contract/limits.ts';
import * as assumed from './assumptions.ts';
import { whole } from './markdown.ts';
import { monthOf } from './month.ts';
import { quotas } from './quotas.ts';
import type { Scenarios } from './scenarios.ts';
import type { ShardSpread } from './shard-spread.ts';

/** What the template sets, as far as it bounds the rate of webhooks. */
export interface Settings {
  readonly webhookRequestsPerSecond: number;
  readonly webhookBurst: number;
  readonly consumerConcurrencyMax: number;
}

/** A limit, and the rate of webhooks per second at which it bites. */
export interface Bite {
  readonly limit: string;
  readonly webhooksPerSecond: number;
  readonly seen: string;
  readonly raised: string;
}

/** Seconds of copies that one webhook takes, of all functions together; one or ten records in an invocation. */
function copySeconds(full: boolean): number {
  const { warmMilliseconds: warm, fullBatchMilliseconds: batch } = assumed;
  const perRecord = (stage: 'consumer' | 'order-feed'): number =>
    full ? (batch[stage] ?? 0) / 10 : warm[stage];
  const told = assumed.webhookShares.paid + assumed.webhookShares.refund;
  return (warm.verifier + perRecord('consumer') + told * perRecord('order-feed')) / 1000;
}

const batchesPerSecond = (batches: number): number =>
  (batches * limits.consumerBatchRecordsMax * 1000) / (assumed.fullBatchMilliseconds.consumer ?? 1);

/** A partition takes a quarter of what a new table does, and each has a shard of the stream. */
const newTableShards = quotas.newTableWriteUnitsPerSecond / quotas.partitionWriteUnitsPerSecond;

const feedRecordsPerSecond = (shards: number): number =>
  (shards * limits.orderFeedReadersPerShard * limits.orderFeedBatchRecordsMax * 1000) /
  (assumed.fullBatchMilliseconds['order-feed'] ?? 1);

/** Every limit that a rate of webhooks can meet, the first one first. */
export function bitesOf(
  measured: Scenarios,
  settings: Settings,
  { unevenness }: ShardSpread,
): readonly Bite[] {
  const perWebhook = monthOf(1, measured);
  const { orderWriteUnits, eventWriteUnits, indexWriteUnits, busEvents } = perWebhook;
  const byTable = Math.max(orderWriteUnits, eventWriteUnits, indexWriteUnits);
  const { paid, refund } = assumed.webhookShares;
  // A refund writes its facts and then the status; a second delivery changes nothing.
  const streamRecords = paid + 2 * refund;
  const bites: Bite[] = [
    {
      limit: `Lambda, all functions of a new account: ${whole(quotas.lambdaConcurrencyNewAccount)} copies at one time`,
      webhooksPerSecond: quotas.lambdaConcurrencyNewAccount / copySeconds(false),
      seen: '5xx to the payment service; `VerifierThrottles`, `WebhookServerErrors`',
      raised: 'quota *Concurrent executions* of Lambda, before the first deployment',
    },
    {
      limit: `Pollers of the queue, at the start of a burst: ${whole(quotas.pollerBatchesFirst)} batches at one time`,
      webhooksPerSecond: batchesPerSecond(quotas.pollerBatchesFirst),
      seen: '202 as ever; the queue grows, `EventsDelayed` if it lasts',
      raised: `by itself, ${quotas.pollerBatchesPerMinute} batches a minute, up to \`consumerConcurrencyMax\``,
    },
    {
      limit: `Throttle of the webhook API: ${whole(settings.webhookRequestsPerSecond)} requests/s`,
      webhooksPerSecond: settings.webhookRequestsPerSecond,
      seen: '429 by API Gateway; no alarm: the metric `4xx` and the access log',
      raised: '`webhookRequestsPerSecond`, `webhookBurst`',
    },
    {
      limit: `DynamoDB, a new table or index: ${whole(quotas.newTableWriteUnitsPerSecond)} write units/s`,
      webhooksPerSecond: quotas.newTableWriteUnitsPerSecond / byTable,
      seen: '202; records return to the queue and are repeated; `EventsDelayed`',
      raised: 'by itself, to twice the earlier peak; at once with the warm throughput of table and index',
    },
    {
      limit:
        `Order feed: ${limits.orderFeedReadersPerShard} batches at one time for each shard of the stream, ` +
        `${newTableShards} shards of a new table`,
      webhooksPerSecond: feedRecordsPerSecond(newTableShards) / streamRecords,
      seen: 'events late, none lost: `FeedDelayed`',
      raised: 'by itself: the stream has a shard for each partition of the table',
    },
    {
      limit: `Consumers at one time: ${whole(settings.consumerConcurrencyMax)}, full batches`,
      webhooksPerSecond: batchesPerSecond(settings.consumerConcurrencyMax),
      seen: '202; the queue grows, `EventsDelayed`',
      raised: '`consumerConcurrencyMax` (1,000 at most)',
    },
    {
      limit:
        `Index of changes: ${limits.changeShards} shards of ` +
        `${whole(quotas.partitionWriteUnitsPerSecond)} write units/s`,
      webhooksPerSecond:
        (limits.changeShards * quotas.partitionWriteUnitsPerSecond) / (indexWriteUnits * unevenness),
      seen: 'the index throttles the table of orders: 202, `EventsDelayed`',
      raised: '`changeShards` in `lambdas/contract/limits.ts`: a migration, as rows keep the shard they have',
    },
    {
      limit: `API Gateway, all APIs of the account: ${whole(quotas.gatewayRequestsPerSecond)} requests/s`,
      webhooksPerSecond: quotas.gatewayRequestsPerSecond,
      seen: '429 by API Gateway; no alarm',
      raised: 'quota *Throttle rate* of API Gateway',
    },
    {
      limit: `EventBridge: ${whole(quotas.putEventsPerSecond)} calls/s of PutEvents in us-east-1, one event each`,
      webhooksPerSecond: quotas.putEventsPerSecond / busEvents,
      seen: 'events late, none lost: `FeedDelayed`',
      raised: 'quota *PutEvents throttle limit*; smaller regions begin lower',
    },
    {
      limit: `Lambda, all functions of the account: ${whole(quotas.lambdaConcurrency)} copies, one record each`,
      webhooksPerSecond: quotas.lambdaConcurrency / copySeconds(false),
      seen: '5xx to the payment service; `VerifierThrottles`, `WebhookServerErrors`',
      raised: 'quota *Concurrent executions* of Lambda',
    },
    {
      limit: `DynamoDB, quota of a table: ${whole(quotas.tableWriteUnitsPerSecond)} write units/s`,
      webhooksPerSecond: quotas.tableWriteUnitsPerSecond / byTable,
      seen: '202; `EventsDelayed`',
      raised: 'quota *Table-level write throughput* of DynamoDB',
    },
  ];
  return bites.toSorted((one, other) => one.webhooksPerSecond - other.webhooksPerSecond);
}

/** Messages that are invisible at one time while every batch fails after so long. */
export function inFlight({ consumerConcurrencyMax }: Settings, failsAfterSeconds: number): number {
  const perSecond = (consumerConcurrencyMax * limits.consumerBatchRecordsMax) / failsAfterSeconds;
  return Math.min(quotas.queueInFlight, perSecond * limits.queueVisibilitySeconds);
}
