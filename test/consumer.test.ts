import {
  bytesOf,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { failing, setUpConsumer } from './doubles/consumer.ts';
import type { FaultInjector } from './doubles/memory-stores.ts';
import { type SentBody, sampleSignature, sqsRecord } from './doubles/sqs-event.ts';

const order1: SampleOptions = { seed: 'one', orderId: 'order-1' };
const paid = bytesOf(paidEvent({ ...order1, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...order1, eventId: 'evt-refunded' }));
const otherOrder = bytesOf(paidEvent({ seed: 'two', orderId: 'order-2', eventId: 'evt-paid-2' }));
const text = (body: string): Uint8Array => Buffer.from(body);
const tenTimes = (body: Uint8Array): SentBody[] => Array.from({ length: 10 }, () => ({ body }));

describe('consumeBatch', () => {
  it('stores an event byte for byte and applies it to its order', async () => {
    const { consume, events, statuses } = setUpConsumer();
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
    const { consume, events, orders, loggedOutcomes } = setUpConsumer();
    await consume(...tenTimes(paid));
    const before = structuredClone(orders.get('live:order:order-1'));
    expect(loggedOutcomes().toSorted()).toEqual(['applied', ...Array(9).fill('duplicate')]);
    for (const sent of tenTimes(paid)) await consume(sent);
    await consume(...tenTimes(paid));
    expect(orders.get('live:order:order-1')).toEqual(before);
    expect(events.size).toBe(1);
    expect(loggedOutcomes().slice(10)).toEqual(Array(20).fill('duplicate'));
  });

  it('writes its metrics once per batch, also when the batch cannot be read at all', async () => {
    const { consume, consumeBatch, telemetry } = setUpConsumer();
    await consume({ body: paid }, { body: refunded });
    expect(telemetry.flushes()).toBe(1);
    await expect(consumeBatch({ Records: undefined as never })).rejects.toThrow();
    expect(telemetry.flushes()).toBe(2);
  });

  it('writes an order once for ten events of one batch', async () => {
    const writes: string[] = [];
    const inject: FaultInjector = (moment, operation) => {
      if (moment === 'before' && !operation.startsWith('put')) writes.push(operation);
    };
    const { consume } = setUpConsumer({ inject, parts: { meaningOf: () => 'history' } });
    const events = Array.from({ length: 10 }, (_, n) => unknownEvent({ ...order1, eventId: `evt-${n}` }));
    await consume(...events.map((event) => ({ body: bytesOf(event) })));
    expect(writes).toEqual(['merge']);
  });

  it('records an event that names no order and concerns no money, and changes no order', async () => {
    const { consume, rows, orders, waiting } = setUpConsumer();
    await consume({ body: text('{"id":"a","event_name":"account.updated","sandbox":false}') });
    expect(rows()).toEqual([
      { key: 'live:event:a', record: 'event', outcome: 'recorded', reason: undefined },
    ]);
    expect(waiting()).toEqual([]);
    expect(orders.size).toBe(0);
  });

  it.each([
    ['signed text that is not JSON', 'hello', 'not_json'],
    ['a signed empty body', '', 'not_json'],
    ['a signed event without an id', '{"event_name":"transaction.paid"}', 'id_missing'],
    ['a signed array', '[]', 'not_an_object'],
  ])('stores %s once as unrecognised, and applies the rest of the batch', async (...given) => {
    const [, body, reason] = given;
    const { consume, rows, waiting, statuses } = setUpConsumer();
    expect(await consume({ body: text(body) }, { body: paid }, { body: text(body) })).toEqual([]);
    expect(rows()).toContainEqual(
      expect.objectContaining({ outcome: 'unrecognised', reason, record: 'unrecognised' }),
    );
    expect(rows()).toHaveLength(2);
    expect(waiting().map(([, kind]) => kind)).toEqual(['unrecognised']);
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
    const { consume, rows, orders, waiting } = setUpConsumer();
    const body = text(JSON.stringify(sent));
    expect(await consume({ body, mode })).toEqual([]);
    expect(rows()).toEqual([
      expect.objectContaining({ key: `${mode}:event:evt-1`, outcome: 'quarantined', reason }),
    ]);
    expect(orders.size).toBe(0);
    expect(waiting()).toEqual([[`${mode}:event:evt-1`, 'quarantined']]);
  });

  it('applies a correct event although a body with the same id is in quarantine', async () => {
    const { consume, rows } = setUpConsumer();
    await consume({ body: bytesOf(paidEvent({ ...order1, eventId: 'evt-paid', sandbox: true })) });
    await consume({ body: paid });
    expect(rows().map(({ outcome }) => outcome)).toEqual(['quarantined', 'applied']);
  });

  it('keeps a live and a sandbox order with the same ids apart, even in one batch', async () => {
    const { consume, statuses } = setUpConsumer();
    const sandbox = bytesOf(refundedEvent({ ...order1, eventId: 'evt-paid', sandbox: true }));
    await consume({ body: paid }, { body: sandbox, mode: 'sandbox' });
    expect(statuses()).toEqual([
      ['live:order:order-1', 'paid'],
      ['sandbox:order:order-1', 'refunded'],
    ]);
  });

  it('stores the signature with every body', async () => {
    const { consume, events } = setUpConsumer();
    const conflict = paidEvent({ seed: 'two', orderId: 'order-2', eventId: 'evt-paid' });
    const variant = Buffer.concat([paid, Buffer.from(' ')]);
    await consume({ body: paid });
    const quarantined = { body: refunded, mode: 'sandbox' } as const;
    await consume({ body: bytesOf(conflict) }, { body: variant }, { body: text('junk') }, quarantined);
    expect([...events.values()].map(({ outcome, signature }) => [outcome, signature])).toEqual(
      ['applied', 'unrecognised', 'quarantined', 'conflict', 'duplicate'].map((outcome) => [
        outcome,
        sampleSignature,
      ]),
    );
  });

  it('records a message of 0.2.0, which has no signature', async () => {
    const { consume, events, statuses } = setUpConsumer();
    expect(await consume({ body: paid, signature: null })).toEqual([]);
    expect(events.get('live:event:evt-paid event')).not.toHaveProperty('signature');
    expect(statuses()).toEqual([['live:order:order-1', 'paid']]);
  });

  it('retries only the messages that the verifier did not write', async () => {
    const { consumeBatch, telemetry, rows } = setUpConsumer();
    const plain = { ...sqsRecord({ body: paid }), messageId: 'plain', body: '{"id":"e"}' };
    const bare = { ...sqsRecord({ body: paid }), messageId: 'bare', messageAttributes: {} };
    const unsigned = sqsRecord({ body: paid, messageId: 'unsigned', signature: 'none' });
    const response = await consumeBatch({ Records: [plain, sqsRecord({ body: paid }), bare, unsigned] });
    expect(response).toEqual({
      batchItemFailures: ['plain', 'bare', 'unsigned'].map((itemIdentifier) => ({ itemIdentifier })),
    });
    expect(rows()).toHaveLength(1);
    expect(telemetry.metrics).toEqual(['RecordsRetried', 'RecordsRetried', 'RecordsRetried']);
  });

  it.each([
    ['every record whose event row is not stored', 'put', new Error('throttled')],
    ['every record whose event row DynamoDB will always refuse', 'put', new PermanentStoreError('too large')],
    ['every record whose order is not written', 'merge', new Error('throttled')],
  ] as const)('retries %s', async (_, operation, error) => {
    const { consume } = setUpConsumer(failing(operation, error));
    const retried = await consume({ body: paid, messageId: 'm1' }, { body: refunded, messageId: 'm2' });
    expect(retried).toEqual(['m1', 'm2']);
  });

  it('retries only the records of the order whose write failed', async () => {
    let merges = 0;
    const inject: FaultInjector = (moment, operation) => {
      if (moment !== 'before' || operation !== 'merge') return;
      merges += 1;
      if (merges === 1) throw new Error('throttled');
    };
    const { consume, statuses } = setUpConsumer({ inject });
    const retried = await consume({ body: paid, messageId: 'm1' }, { body: otherOrder, messageId: 'm2' });
    expect(retried).toEqual(['m1']);
    expect(statuses()).toEqual([['live:order:order-2', 'paid']]);
  });

  it('adds on redelivery a fact that a crash kept out of its order', async () => {
    const fault = failing('merge');
    const { consume, statuses, loggedOutcomes } = setUpConsumer(fault);
    await consume({ body: paid });
    fault.repair();
    expect(await consume({ body: paid }, { body: paid }, { body: otherOrder })).toEqual([]);
    expect(statuses()).toContainEqual(['live:order:order-1', 'paid']);
    expect(loggedOutcomes().slice(-3)).toEqual(['applied', 'applied', 'applied']);
  });
});
