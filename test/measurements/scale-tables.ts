import * as limits from '../../lambdas/contract/limits.ts';
import * as assumed from './assumptions.ts';
import { type Bite, bitesOf, inFlight } from './bites.ts';
import { factsMax, growthOf, mergeUnitsAt, rowBytesAt } from './hot-order.ts';
import { count, dollars, table, times, whole } from './markdown.ts';
import type { Measurement } from './measurement.ts';
import { prices } from './prices.ts';
import { quotas } from './quotas.ts';
import { spreadOf } from './shard-spread.ts';

/** A merchant's orders, for the spread over the shards. */
const orders = 100_000;

/** The tables of `docs/scale.md`, by name. */
export function scaleTables(measured: Measurement): Readonly<Record<string, string>> {
  return {
    bites: bites(bitesOf(measured.scenarios, measured.settings, spreadOf(orders))),
    copies: copies(),
    'hot-order': hotOrder(measured),
    'hot-order-sum': hotOrderSum(measured),
    shards: shards(),
    batches: batches(measured),
    lists: lists(measured),
    outage: outage(measured),
    windows: windows(),
  };
}

function bites(found: readonly Bite[]): string {
  const rows = found.map(({ limit, webhooksPerSecond, seen, raised }) => [
    `${whole(webhooksPerSecond)}`,
    limit,
    seen,
    raised,
  ]);
  return table(['webhooks/s', 'limit', 'what is seen', 'where it is raised'], rows, false);
}

function copies(): string {
  const { warmMilliseconds: warm, fullBatchMilliseconds: full } = assumed;
  const needed = (perSecond: number, milliseconds: number): number =>
    Math.ceil((perSecond * milliseconds) / 1000);
  const rows = [10, 100, 1_000, 5_000, 10_000].map((perSecond) => {
    const verifier = needed(perSecond, warm.verifier);
    const single = [needed(perSecond, warm.consumer), needed(perSecond, warm['order-feed'])];
    const batched = [
      needed(perSecond / 10, full.consumer ?? 0),
      needed(perSecond / 10, full['order-feed'] ?? 0),
    ];
    const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, verifier);
    return [whole(perSecond), ...[verifier, ...single, sum(single), ...batched, sum(batched)].map(whole)];
  });
  return table(
    [
      'webhooks/s',
      'verifier',
      'consumer, 1 per batch',
      'feed, 1 per batch',
      'together',
      'consumer, 10 per batch',
      'feed, 10 per batch',
      'together',
    ],
    rows,
  );
}

function hotOrder({ hotOrder: { merges } }: Measurement): string {
  const growth = growthOf(merges);
  const most = factsMax(growth);
  const rows = [1, 10, 50, 100, 500, 1_000, 2_000, most].map((facts) => {
    const seen = merges.find((merge) => merge.facts === facts);
    const units = seen?.tableWriteUnits ?? mergeUnitsAt(growth, facts);
    return [
      whole(facts),
      whole(seen?.rowBytes ?? rowBytesAt(growth, facts)),
      whole(units),
      whole(Math.floor(quotas.partitionWriteUnitsPerSecond / units)),
      seen === undefined ? 'calculated' : 'measured',
    ];
  });
  return table(['facts in the order', 'bytes of its row', 'write units of a merge', 'merges/s', ''], rows);
}

function hotOrderSum({ hotOrder: { merges } }: Measurement): string {
  const growth = growthOf(merges);
  const most = factsMax(growth);
  const rows = [10, 100, 1_000, most].map((facts) => {
    const units = (step: number): number => {
      let sum = 0;
      // The entry in the index is put once, and then moves.
      for (let n = step; n <= facts; n += step) sum += mergeUnitsAt(growth, n) + (n === step ? 1 : 2);
      return sum;
    };
    const price = (step: number): string =>
      `${whole(units(step))} (${dollars(units(step) * prices.writeUnit.dollars)})`;
    return [whole(facts), price(1), price(10)];
  });
  return table(['events of one order', 'write units, one by one', 'write units, ten per batch'], rows);
}

function shards(): string {
  const rows = [1_000, 10_000, orders].map((many) => {
    const { fewest, most, unevenness } = spreadOf(many);
    return [whole(many), whole(many / limits.changeShards), whole(fewest), whole(most), times(unevenness)];
  });
  return table(['orders', 'mean of a shard', 'emptiest', 'fullest', 'fullest against mean'], rows);
}

function batches({ scenarios, hotOrder: { calls } }: Measurement): string {
  const operations = ['PutItem', 'UpdateItem', 'GetItem', 'PutEvents'];
  const row = (title: string, of: Readonly<Record<string, number>>): string[] => [
    title,
    ...operations.map((name) => whole(of[name] ?? 0)),
  ];
  const header = ['a batch of ten paid events', ...operations.map((name) => `\`${name}\``)];
  return table(header, [row('of ten orders', scenarios.tenPaidCalls), row('of one order', calls)]);
}

function lists({ scenarios: { pages, emptyPage, oneOrder } }: Measurement): string {
  const row = (title: string, reads: { calls: number; readUnits: number }, of: number): string[] => [
    title,
    whole(reads.calls),
    count(reads.readUnits),
    of === 0 ? '' : count(reads.readUnits / of),
  ];
  return table(
    ['answer', 'calls of DynamoDB', 'read units', 'read units per order'],
    [
      row('`GET /orders/{order_id}`, one event', oneOrder, 1),
      row('`GET /orders`, nothing new', emptyPage, 0),
      ...pages.map((page) => row(`\`GET /orders?limit=${page.limit}\``, page, page.limit)),
    ],
  );
}

function outage({ settings }: Measurement): string {
  const rows = [0.3, 1, 8].map((seconds) => {
    const messages = inFlight(settings, seconds);
    return [`after ${seconds} s`, whole(messages), messages < quotas.queueInFlight ? 'no' : 'yes'];
  });
  return table(['every batch fails', 'messages in flight', 'at the quota of SQS'], rows);
}

function windows(): string {
  const hours = limits.orderFeedRecordAgeSecondsMax / 3600;
  const outageHours = (limits.queueVisibilitySeconds * limits.queueReceivesMax) / 3600;
  return table(
    ['how long it waits', 'what', 'then'],
    [
      [`${outageHours} h`, `a record that fails, ${limits.queueReceivesMax} receives`, 'dead letters'],
      [`${hours} h`, 'a change that cannot be published', "the feed's failure queue"],
      ['24 h', 'a change in the stream of orders (AWS)', 'gone from the stream; the order is right'],
      [`${limits.queueRetentionDays} days`, 'an event in the queue that nobody receives', 'lost'],
      [`${limits.deadLetterRetentionDays} days`, 'a dead letter, from its first enqueue', 'lost'],
      ['35 days', 'any second of the tables (AWS)', 'restored no more'],
    ],
    false,
  );
}
