import {
  bytesOf,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { type FaultInjector, memoryStores } from './doubles/memory-stores.ts';
import { type SentBody, sqsEvent, sqsRecord } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

function setUp(inject?: FaultInjector, eventRetentionDays?: number) {
  const stores = memoryStores(inject);
  const telemetry = recordTelemetry();
  const consumeBatch = consumerOver(stores, { eventRetentionDays, telemetry });
  /** The ids of the messages that go back to the queue. */
  const consume = async (...sent: SentBody[]) => {
    const { batchItemFailures } = await consumeBatch(sqsEvent(...sent));
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  const loggedOutcomes = () => telemetry.lines.map(({ fields }) => fields['outcome']);
  const rows = () =>
    [...stores.events.values()].map(({ key, record, outcome, reason }) => ({ key, record, outcome, reason }));
  const statuses = () => [...stores.orders].map(([key, { status }]) => [key, status]);
  return { ...stores, telemetry, consumeBatch, consume, loggedOutcomes, rows, statuses };
}

const order1: SampleOptions = { seed: 'one', orderId: 'order-1' };
const paid = bytesOf(paidEvent({ ...order1, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...order1, eventId: 'evt-refunded' }));
const otherOrder = bytesOf(paidEvent({ seed: 'two', orderId: 'order-2', eventId: 'evt-paid-2' }));
const text = (body: string): Uint8Array => Buffer.from(body);
const tenTimes = (body: Uint8Array): SentBody[] => Array.from({ length: 10 }, () => ({ body }));

/** Fails one operation, before its effect, until it is repaired. */
function failing(operation: Parameters<FaultInjector>[1], error = new Error('throttled')) {
  let broken = true;
  const inject: FaultInjector = (moment, current) => {
    if (broken && moment === 'before' && current === operation) throw error;
  };
  const repair = () => {
    broken = false;
  };
  return { inject, repair };
}

describe('consumeBatch', () => {
  it('stores an event byte for byte and applies it to its order', async () => {
    const { consume, events, statuses } = setUp();
    expect(await consume({ body: paid })).toEqual([]);
    const row = events.get('live:event:evt-paid event');
    expect(Buffer.from(row?.body ?? []).equals(paid)).toBe(true);
    expect(row).toMatchObject({
      outcome: 'applied',
      mode: 'live',
      eventName: 'transaction.paid',
      orderId: 'order-1',
      keyId: '9a76d0a46113',
      receivedAt: '2026-11-21T10:00:00.000Z',
      recordedAt: '2026-11-21T10:00:01.000Z',
    });
    expect(statuses()).toEqual([['live:order:order-1', 'paid']]);
  });

  it('applies an event once, although it arrives ten times in one batch and twenty times later', async () => {
    const { consume, events, orders, loggedOutcomes } = setUp();
    await consume(...tenTimes(paid));
    const before = structuredClone(orders.get('live:order:order-1'));
    expect(loggedOutcomes().toSorted()).toEqual(['applied', ...Array(9).fill('duplicate')]);
    for (const sent of tenTimes(paid)) await consume(sent);
    await consume(...tenTimes(paid));
    expect(orders.get('live:order:order-1')).toEqual(before);
    expect(events.size).toBe(1);
    expect(loggedOutcomes().slice(10)).toEqual(Array(20).fill('duplicate'));
  });

  it('writes an order once for ten events of one batch', async () => {
    const writes: string[] = [];
    const { consume } = setUp((moment, operation) => {
      if (moment === 'before' && operation !== 'put') writes.push(operation);
    });
    const events = Array.from({ length: 10 }, (_, n) => unknownEvent({ ...order1, eventId: `evt-${n}` }));
    await consume(...events.map((event) => ({ body: bytesOf(event) })));
    expect(writes).toEqual(['merge']);
  });

  it.each([
    '{"id":"a","event_name":"account.updated","sandbox":false}',
    '{"id":"a","event_name":"transaction.paid","sandbox":false,"payload":{"transaction":{"order_id":""}}}',
  ])('records %s, which names no order, and changes no order', async (body) => {
    const { consume, rows, orders } = setUp();
    await consume({ body: text(body) });
    expect(rows()).toEqual([
      { key: 'live:event:a', record: 'event', outcome: 'recorded', reason: undefined },
    ]);
    expect(orders.size).toBe(0);
  });

  it.each([
    ['signed text that is not JSON', 'hello', 'not_json'],
    ['a signed empty body', '', 'not_json'],
    ['a signed event without an id', '{"event_name":"transaction.paid"}', 'id_missing'],
    ['a signed array', '[]', 'not_an_object'],
  ])('stores %s once as unrecognised, and applies the rest of the batch', async (...given) => {
    const [, body, reason] = given;
    const { consume, rows, telemetry, statuses } = setUp();
    expect(await consume({ body: text(body) }, { body: paid }, { body: text(body) })).toEqual([]);
    expect(rows()).toContainEqual(
      expect.objectContaining({ outcome: 'unrecognised', reason, record: 'unrecognised' }),
    );
    expect(rows()).toHaveLength(2);
    expect(telemetry.metrics).toEqual(['EventsUnrecognised']);
    expect(statuses()).toEqual([['live:order:order-1', 'paid']]);
  });

  const event = paidEvent({ ...order1, eventId: 'evt-1' });
  const longOrderId = paidEvent({ eventId: 'evt-1', orderId: 'o'.repeat(1025) });
  it.each([
    ['sandbox: false under a sandbox key', 'sandbox', event, 'sandbox_flag_disagrees'],
    ['sandbox: true under a live key', 'live', { ...event, sandbox: true }, 'sandbox_flag_disagrees'],
    ['no sandbox flag', 'live', { ...event, sandbox: undefined }, 'sandbox_flag_missing'],
    ['a sandbox flag that is text', 'live', { ...event, sandbox: 'false' }, 'sandbox_flag_missing'],
    ['an order id of 1,025 bytes', 'live', longOrderId, 'order_id_invalid'],
  ] as const)('quarantines an event with %s and changes no order', async (_, mode, sent, reason) => {
    const { consume, rows, orders, telemetry } = setUp();
    const body = text(JSON.stringify(sent));
    expect(await consume({ body, mode })).toEqual([]);
    expect(rows()).toEqual([
      expect.objectContaining({ key: `${mode}:event:evt-1`, outcome: 'quarantined', reason }),
    ]);
    expect(orders.size).toBe(0);
    expect(telemetry.metrics).toEqual(['EventsQuarantined']);
  });

  it('applies a correct event although a body with the same id is in quarantine', async () => {
    const { consume, rows } = setUp();
    await consume({ body: bytesOf(paidEvent({ ...order1, eventId: 'evt-paid', sandbox: true })) });
    await consume({ body: paid });
    expect(rows().map(({ outcome }) => outcome)).toEqual(['quarantined', 'applied']);
  });

  it('keeps a live and a sandbox order with the same ids apart, even in one batch', async () => {
    const { consume, statuses } = setUp();
    const sandbox = bytesOf(refundedEvent({ ...order1, eventId: 'evt-paid', sandbox: true }));
    await consume({ body: paid }, { body: sandbox, mode: 'sandbox' });
    expect(statuses()).toEqual([
      ['live:order:order-1', 'paid'],
      ['sandbox:order:order-1', 'refunded'],
    ]);
  });

  it('applies the first of two bodies with one id, stores the second as a conflict, marks both orders', async () => {
    const { consume, rows, orders, telemetry } = setUp();
    const second = bytesOf(paidEvent({ seed: 'two', orderId: 'order-2', eventId: 'evt-paid' }));
    await consume({ body: paid });
    await consume({ body: second });
    await consume({ body: second });
    expect(rows().map(({ outcome }) => outcome)).toEqual(['applied', 'conflict']);
    expect([...orders].map(([key, { status, facts }]) => [key, status, facts.size])).toEqual([
      ['live:order:order-1', 'paid', 2],
      ['live:order:order-2', 'pending', 1],
    ]);
    expect(telemetry.metrics).toEqual(['EventConflicts']);
  });

  it('retries only the messages that the verifier did not write', async () => {
    const { consumeBatch, telemetry, rows } = setUp();
    const plain = { ...sqsRecord({ body: paid }), messageId: 'plain', body: '{"id":"e"}' };
    const bare = { ...sqsRecord({ body: paid }), messageId: 'bare', messageAttributes: {} };
    const response = await consumeBatch({ Records: [plain, sqsRecord({ body: paid }), bare] });
    expect(response).toEqual({
      batchItemFailures: [{ itemIdentifier: 'plain' }, { itemIdentifier: 'bare' }],
    });
    expect(rows()).toHaveLength(1);
    expect(telemetry.metrics).toEqual(['RecordsRetried', 'RecordsRetried']);
  });

  it.each([
    ['every record whose event row is not stored', 'put', new Error('throttled')],
    ['every record whose event row DynamoDB will always refuse', 'put', new PermanentStoreError('too large')],
    ['every record whose order is not written', 'merge', new Error('throttled')],
  ] as const)('retries %s', async (_, operation, error) => {
    const { consume } = setUp(failing(operation, error).inject);
    const retried = await consume({ body: paid, messageId: 'm1' }, { body: refunded, messageId: 'm2' });
    expect(retried).toEqual(['m1', 'm2']);
  });

  it('retries only the records of the order whose write failed', async () => {
    let merges = 0;
    const { consume, statuses } = setUp((moment, operation) => {
      if (moment !== 'before' || operation !== 'merge') return;
      merges += 1;
      if (merges === 1) throw new Error('throttled');
    });
    const retried = await consume({ body: paid, messageId: 'm1' }, { body: otherOrder, messageId: 'm2' });
    expect(retried).toEqual(['m1']);
    expect(statuses()).toEqual([['live:order:order-2', 'paid']]);
  });

  it('quarantines an event whose order DynamoDB will always refuse to write', async () => {
    const { consume, rows, loggedOutcomes } = setUp(
      failing('merge', new PermanentStoreError('item too large')).inject,
    );
    expect(await consume({ body: paid })).toEqual([]);
    expect(rows().map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['applied', undefined],
      ['quarantined', 'order_refused'],
    ]);
    expect(loggedOutcomes()).toEqual(['quarantined']);
  });

  it('corrects on redelivery a status that a crash left out of date, without changing updated_at', async () => {
    const fault = failing('setStatus');
    const { consume, orders, statuses } = setUp(fault.inject);
    await consume({ body: paid });
    expect(await consume({ body: refunded, messageId: 'm1' })).toEqual(['m1']);
    expect(statuses()).toEqual([['live:order:order-1', 'paid']]);
    const { updatedAt } = orders.get('live:order:order-1') ?? {};
    fault.repair();
    expect(await consume({ body: refunded, messageId: 'm1' })).toEqual([]);
    expect(orders.get('live:order:order-1')).toMatchObject({ status: 'refunded', updatedAt });
  });

  it('adds on redelivery a fact that a crash kept out of its order', async () => {
    const fault = failing('merge');
    const { consume, statuses, loggedOutcomes } = setUp(fault.inject);
    await consume({ body: paid });
    fault.repair();
    expect(await consume({ body: paid })).toEqual([]);
    expect(statuses()).toEqual([['live:order:order-1', 'paid']]);
    expect(loggedOutcomes().at(-1)).toBe('applied');
  });

  it.each([
    // 30 days after 2026-11-21T10:00:01Z.
    [
      'expires applied and recorded events after 30 days, and no row that waits for a person',
      30,
      1_797_847_201,
    ],
    ['never expires an event without a retention setting', undefined, undefined],
  ])('%s', async (_, days, expiresAt) => {
    const { consume, events } = setUp(undefined, days);
    await consume(
      { body: paid },
      { body: text('{"id":"a","event_name":"account.updated","sandbox":false}') },
      { body: text('junk') },
      { body: bytesOf(paidEvent({ ...order1, sandbox: true })) },
      { body: bytesOf(paidEvent({ ...order1, seed: 'two', eventId: 'evt-paid' })) },
    );
    expect([...events.values()].map((row) => [row.outcome, row.expiresAt])).toEqual([
      ['applied', expiresAt],
      ['recorded', expiresAt],
      ['unrecognised', undefined],
      ['quarantined', undefined],
      ['conflict', undefined],
    ]);
  });
});
