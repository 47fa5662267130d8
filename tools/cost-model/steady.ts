import * as assumed from './assumed.ts';
import { addUsages, billOf, sumOf, type Usage, withoutFeed } from './bill.ts';
import { decimal, dollars, table } from './documents.ts';
import { limits } from './payhooks.ts';
import { cost } from './prices.ts';
import type { Measurement } from './scenarios.ts';

const million = 1_000_000;

/** What gathers one kind of batches. */
interface Gathering {
  readonly gatherers: number;
  readonly windowSeconds: number;
  readonly recordsMax: number;
}

/** The first record opens the window, and what arrives at the same gatherer joins it. */
const batchOf = (perSecond: number, { gatherers, windowSeconds, recordsMax }: Gathering): number =>
  Math.min(recordsMax, 1 + (perSecond / gatherers) * windowSeconds);

/**
 * A million paid events in batches of `events`, and their feed in batches of `changes`. What a batch costs is
 * shared by its events, so between the two that are counted, one and ten, usage is a straight line in 1/size.
 */
function millionOf({ counted }: Measurement, events: number, changes: number) {
  const mixed = (size: number): Usage => {
    const single = (1 / size - 1 / 10) / (1 - 1 / 10);
    return addUsages(
      [counted.paid.usage, million * single],
      [counted.tenOrders.usage, (million * (1 - single)) / 10],
    );
  };
  const core = withoutFeed(billOf(mixed(events)));
  const whole = billOf(mixed(changes));
  return { core: sumOf(core), feed: sumOf(whole) - sumOf(withoutFeed(whole)) };
}

/** Steady traffic: batch sizes and dollars by the rate of events. */
export function steadyTraffic(measured: Measurement) {
  const { queueWindowSeconds, streamWindowSeconds, streamReaders } = measured.stack;
  const queue = { gatherers: assumed.queuePollers, recordsMax: limits.consumerBatchRecordsMax };
  const stream = {
    gatherers: assumed.streamShards * streamReaders,
    recordsMax: limits.orderFeedBatchRecordsMax,
  };
  const at = (perSecond: number, windows: readonly [queue: number, stream: number]) => {
    const events = batchOf(perSecond, { ...queue, windowSeconds: windows[0] });
    const changes = batchOf(perSecond, { ...stream, windowSeconds: windows[1] });
    const { core, feed } = millionOf(measured, events, changes);
    // At worst Lambda receives every message with a request of its own.
    const receives = cost(million * (1 - 1 / events), 'queueRequest');
    return { perSecond, events, changes, core, whole: core + feed, receives };
  };
  const windows = [queueWindowSeconds, streamWindowSeconds] as const;
  return {
    shipped: [0.1, 1, 10, 100, 1_000].map((rate) => at(rate, windows)),
    unwindowed: [10, 100].map((rate) => at(rate, [0, 0])),
  };
}

export function steadyTable(measured: Measurement): string {
  const { shipped, unwindowed } = steadyTraffic(measured);
  const row = (windows: string) => (one: (typeof shipped)[number]) => [
    one.perSecond,
    windows,
    decimal(Number(one.events.toFixed(1))),
    decimal(Number(one.changes.toFixed(1))),
    dollars(one.core),
    dollars(one.whole),
    dollars(one.receives),
  ];
  const columns =
    'events/s | windows | events per batch | changes per batch | receive and record | with the order feed';
  return table(`${columns} | more at worst`, [...shipped.map(row('1 s')), ...unwindowed.map(row('0'))]);
}

/** What a million events would cost without a part that some can do without. */
export function optionsTable(measured: Measurement): string {
  const { shipped } = steadyTraffic(measured);
  const { core = 0, whole = 0 } = shipped.find(({ perSecond }) => perSecond === 100) ?? {};
  const { indexWrites = 0, gatewayRequests = 0, accessLogs = 0 } = measured.counted.paid.usage;
  const index = cost(indexWrites * million, 'writeUnit');
  const gateway =
    cost(gatewayRequests * million, 'gatewayRequest') +
    cost(accessLogs * million, 'logGigabyte', 'logGigabyteMonth');
  const row = (title: string, saved: number) => [title, dollars(core - saved), dollars(whole - saved)];
  return table('a million paid events at 100/s | receive and record | with the order feed', [
    row('with all parts', 0),
    row('without the index of changes', index),
    row('with a function URL instead of the HTTP API', gateway),
    row('with both', index + gateway),
  ]);
}
