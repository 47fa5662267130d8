import assert from 'node:assert/strict';
import type { SQSEvent } from 'aws-lambda';
import { type Consumer, type ConsumerParts, createConsumer } from '../../lambdas/consumer/consumer.ts';
import { type Classification, type Classify, createClassify } from '../../lambdas/consumer/receive.ts';
import type { Reading } from '../../lambdas/domain/payment-event.ts';
import type { EventRow } from '../../lambdas/ports/rows.ts';
import { fold, meaningOf } from './fold.ts';
import { createMemoryTables, type Hooks } from './memory-store.ts';
import { knownSealKeys } from './seal.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

type MemoryTables = ReturnType<typeof createMemoryTables>;

/** The consumer over the store of any tables, a second after `sqsEvent` received its bodies. */
export function consumerOver(store: ConsumerParts['store'], parts: Partial<ConsumerParts> = {}): Consumer {
  return createConsumer({
    store,
    classify: createClassify(meaningOf),
    sealKeys: knownSealKeys,
    keyUses: { putKeyUse: async () => {} },
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    pause: async () => {},
    postpone: async () => {},
    telemetry: recordTelemetry(),
    ...parts,
  });
}

export interface ConsumerSetUp extends Hooks {
  /** The calls of this name fail, with `thrown`, until `repair`. */
  readonly failing?: string;
  readonly thrown?: unknown;
  /** Whether the row of an order has room for these facts. */
  readonly fits?: NonNullable<Parameters<typeof createMemoryTables>[0]>;
  readonly eventRetentionDays?: number | undefined;
  readonly parts?: Partial<ConsumerParts>;
}

/** A consumer over tables in memory, what they hold, and the release and the clock, which a test changes. */
export function setUpConsumer({ fits, eventRetentionDays, parts, ...disturbed }: ConsumerSetUp = {}) {
  const fault = { call: disturbed.failing };
  const gate: Hooks['gate'] = async (call) => {
    if (call.name === fault.call) throw disturbed.thrown ?? new Error('throttled');
    await disturbed.gate?.(call);
  };
  const tables = createMemoryTables(fits);
  const telemetry = recordTelemetry();
  const clock = { now: Date.parse('2026-11-21T10:00:01.000Z') };
  /** How the release reads bodies. */
  const release: { classify: Classify } = { classify: createClassify(meaningOf) };
  const settings = {
    classify: (message: Parameters<Classify>[0]) => release.classify(message),
    eventRetentionDays,
    now: () => new Date(clock.now),
    pause: async (_milliseconds: number): Promise<void> => {},
    telemetry,
    ...(fits && { fits }),
  };
  const { store } = tables.open({ ...disturbed, gate });
  const consumeBatch = consumerOver(store, { ...settings, ...parts });
  const inspected = inspect(tables);

  /** As SQS may: another instance gets the messages an hour later, and must change nothing. */
  async function redeliver(event: SQSEvent): Promise<void> {
    const before = inspected.everything();
    const consumeAgain = consumerOver(tables.open().store, {
      ...{ ...settings, ...parts, keyUses: { putKeyUse: async () => {} } },
      now: () => new Date(clock.now + 3_600_000),
      telemetry: recordTelemetry(),
    });
    assert.deepEqual(await consumeAgain(event), { batchItemFailures: [] }, 'of a second delivery');
    assert.equal(inspected.everything(), before, 'after a second delivery');
  }

  /** The ids of the messages that go back to the queue. */
  async function consume(...sent: SentBody[]): Promise<string[]> {
    const event = sqsEvent(...sent);
    const { batchItemFailures } = await consumeBatch(event);
    if (batchItemFailures.length === 0) await redeliver(event);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  return {
    ...{ tables, telemetry, clock, release, settings, consumeBatch },
    consume,
    /** Each message in a batch of its own, and none may go back to the queue. */
    async deliver(...sent: SentBody[]): Promise<void> {
      for (const message of sent)
        assert.deepEqual(await consume(message), [], JSON.stringify(telemetry.lines.at(-1)));
    },
    repair: () => {
      fault.call = undefined;
    },
    wait: (seconds: number) => {
      clock.now += seconds * 1000;
    },
    /** This release reads the live event otherwise than the stack's first one. */
    reread(id: string, change: Partial<Reading> | ((reading: Reading) => Partial<Reading>)) {
      const { classify } = release;
      release.classify = (message) => {
        const read = classify(message);
        if (!isReadAs(read, id)) return read;
        const changed = typeof change === 'function' ? change(read.reading) : change;
        return { ...read, reading: { ...read.reading, ...changed } };
      };
    },
    ...inspected,
  };
}

/** A consumer, after it was sent these messages one by one. */
export async function delivered(messages: readonly SentBody[], setUp?: ConsumerSetUp) {
  const consumer = setUpConsumer(setUp);
  await consumer.deliver(...messages);
  return consumer;
}

const isReadAs = (
  read: Classification,
  id: string,
): read is Exclude<Classification, { kind: 'unrecognised' }> =>
  read.kind !== 'unrecognised' && read.eventId === id;

/** What live events and orders are. */
export function inspect(tables: MemoryTables) {
  const rowsOf = (id: string): readonly EventRow[] =>
    [...tables.events.values()].filter(({ key }) => key === `live:event:${id}`);
  return {
    rowsOf,
    row(id: string, record = 'event'): EventRow {
      const row = rowsOf(id).find((found) => found.record.startsWith(record));
      if (row === undefined) throw new Error(`The event ${id} has no row ${record}.`);
      return row;
    },
    /** By record: the outcome of a row, and as what it waits. */
    states: (id: string) =>
      Object.fromEntries(
        rowsOf(id).map(({ record, outcome, waiting }) => [
          record.split(':')[0],
          waiting === undefined ? outcome : `${outcome}, waits as ${waiting}`,
        ]),
      ),
    factsOf: (orderId: string): readonly string[] => tables.orders.get(`live:order:${orderId}`)?.facts ?? [],
    /** The live order as readers see it; `undefined` when there is none. */
    order(id: string) {
      const row = tables.orders.get(`live:order:${id}`);
      if (row === undefined) return undefined;
      const { status, attention, events } = fold(row.facts);
      return { status, attention, events: events.map((event) => event.id), sequence: row.sequence };
    },
    entriesOf: (transactionId: string) =>
      (tables.transactions.get(`live:transaction:${transactionId}`)?.entries ?? []).map(
        (entry) => JSON.parse(entry) as readonly (string | null)[],
      ),
    /** Everything, as it is stored; acts included. */
    everything: () =>
      JSON.stringify(
        [tables.events, tables.transactions, tables.orders, tables.names, tables.acts].map((map) =>
          [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
  };
}
