import { describe, expect, it } from 'vitest';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { payment, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { sampleSignature, sqsEvent, sqsRecord } from '../../doubles/sqs-event.ts';

const sandboxPayment = sent({ id: 'p', order: 'A', sandbox: true });

it('an event is stored byte for byte with its provenance and its reading, and applied to its order', async () => {
  const { row, order, tables } = await delivered([payment]);
  expect(row('p')).toEqual({
    ...{ key: 'live:event:p', record: 'event', mode: 'live', eventId: 'p', outcome: 'applied' },
    reading: {
      ...{ eventName: 'transaction.paid', meaning: 'paid', orderId: 'A', transactionId: 'T' },
      ...{ amount: '100.00', currency: 'USD', createdAt: null },
    },
    ...{ body: payment.body, bodySha256: sha256(payment.body), signature: sampleSignature },
    keyId: '9a76d0a46113',
    ...{ receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:01.000Z' },
    ...{ assignedOrderIds: [], version: 0 },
  });
  expect([...tables.orders.values()]).toEqual([
    {
      order: { mode: 'live', id: 'A' },
      facts: ['["paid","p","transaction.paid","T","100.00","USD",null]'],
      ...{ sequence: 1, updatedAt: '2026-11-21T10:00:01.000Z' },
    },
  ]);
  expect(order('A')).toEqual({ status: 'paid', attention: [], events: ['p'], sequence: 1 });
});

it.each([
  ['in sandbox without the flag', { ...payment, mode: 'sandbox' as const }, 'sandbox_flag_disagrees'],
  ['with the flag of the sandbox', sandboxPayment, 'sandbox_flag_disagrees'],
  ['of heartbeats without the flag', { ...payment, mode: 'heartbeat' as const }, 'sandbox_flag_disagrees'],
  [
    'with a flag that is none',
    sent({ id: 'p', order: 'A', sandbox: 'yes' as never }),
    'sandbox_flag_missing',
  ],
  ['with an order id of 1,025 bytes', sent({ id: 'p', order: 'x'.repeat(1_025) }), 'order_id_invalid'],
  [
    'with a transaction id of 257 bytes',
    sent({ id: 'p', order: 'A', transaction: 'x'.repeat(257) }),
    'transaction_id_invalid',
  ],
])('what is no event in order is quarantined %s, and waits with its body', async (_, message, reason) => {
  const { tables } = await delivered([message]);
  const [row] = tables.events.values();
  const { body } = message;
  expect(row).toMatchObject({ outcome: 'quarantined', reason, waiting: 'quarantined', body, eventId: 'p' });
  expect(row?.record).toBe(`quarantine:${sha256(body)}`);
  expect([tables.orders.size, tables.transactions.size]).toEqual([0, 0]);
});

describe('a batch', () => {
  it('changes an order once for ten events', async () => {
    const { consume, order } = setUpConsumer();
    await consume(
      ...Array.from({ length: 10 }, (_, n) => sent({ id: `${n}`, order: 'A', transaction: `${n}` })),
    );
    expect(order('A')).toMatchObject({ sequence: 1, attention: ['multiple_paid_transactions'] });
    expect(order('A')?.events).toHaveLength(10);
  });

  it('returns messages to the queue that the verifier did not write, and handles the others', async () => {
    const { consumeBatch, order, telemetry } = setUpConsumer();
    const record = sqsRecord({ ...payment, messageId: 'bad' });
    // Without a seal it can be read, and waits.
    const { seal: _, ...attributesRead } = record.messageAttributes;
    const attributes = Object.entries(attributesRead);
    const bad = [
      { ...record, body: '{}' },
      ...attributes.map((attribute) => ({
        ...record,
        messageAttributes: Object.fromEntries(attributes.filter((other) => other !== attribute)),
      })),
      ...['AB', `0${sampleSignature}`, `${sampleSignature}0`].map((signature) =>
        sqsRecord({ ...payment, messageId: 'bad', signature }),
      ),
      // The key of an index, which DynamoDB would refuse.
      sqsRecord({ ...payment, messageId: 'bad', receivedAt: 'noon' }),
    ];
    expect(bad).toHaveLength(10);
    const { batchItemFailures } = await consumeBatch({ Records: [...bad, sqsRecord(payment)] });
    expect(batchItemFailures).toEqual(bad.map(() => ({ itemIdentifier: 'bad' })));
    expect(order('A')?.status).toBe('paid');
    const fields = { message_id: 'bad', reason: 'message_malformed' };
    expect(telemetry.lines[0]).toMatchObject({ level: 'error', fields });
  });

  it('writes its metrics once, also when nothing in it can be read', async () => {
    const { consumeBatch, telemetry } = setUpConsumer();
    await consumeBatch(sqsEvent(payment, payment));
    await consumeBatch({ Records: [{ ...sqsRecord(payment), body: '{}' }] });
    expect(telemetry.flushes()).toBe(2);
    await expect(consumeBatch({} as never)).rejects.toThrow();
    expect(telemetry.flushes()).toBe(3);
  });
});
