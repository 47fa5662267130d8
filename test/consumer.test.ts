import {
  bytesOf,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { createConsumer } from '../lambdas/consumer/consumer.ts';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { type FaultInjector, memoryStores } from './doubles/memory-stores.ts';
import { type SentBody, sqsEvent, sqsRecord } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

function scene(inject?: FaultInjector, eventRetentionDays?: number) {
  const stores = memoryStores(inject);
  const telemetry = recordTelemetry();
  const consumer = createConsumer({
    events: stores.writer,
    orders: stores.writer,
    eventRetentionDays,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    telemetry,
  });
  const consume = async (...sent: SentBody[]) => {
    const { batchItemFailures } = await consumer(sqsEvent(...sent));
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  const outcomes = () => telemetry.lines.map(({ fields }) => fields['outcome']);
  const rows = () =>
    [...stores.events.values()].map(({ key, record, outcome, reason }) => ({ key, record, outcome, reason }));
  return { ...stores, telemetry, consumer, consume, outcomes, rows };
}

const order1: SampleOptions = { seed: 'one', orderId: 'order-1' };
const paid = bytesOf(paidEvent({ ...order1, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...order1, eventId: 'evt-refunded' }));
const text = (body: string): Uint8Array => Buffer.from(body);

describe('the consumer', () => {
  it('records an event byte for byte and applies it to its order', async () => {
    const { consume, events, orders } = scene();
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
    expect(orders.get('live:order:order-1')).toMatchObject({ status: 'paid' });
  });

  it('changes nothing when an event comes twenty more times, alone or in one batch', async () => {
    const { consume, events, orders, outcomes } = scene();
    await consume({ body: paid });
    const before = structuredClone(orders.get('live:order:order-1'));
    for (let again = 0; again < 10; again += 1) await consume({ body: paid });
    await consume(...Array.from({ length: 10 }, () => ({ body: paid })));
    expect(orders.get('live:order:order-1')).toEqual(before);
    expect(events.size).toBe(1);
    expect(outcomes()).toEqual(['applied', ...Array(20).fill('duplicate')]);
  });

  it('calls one of ten equal bodies in a first batch applied and nine duplicate', async () => {
    const { consume, outcomes } = scene();
    await consume(...Array.from({ length: 10 }, () => ({ body: paid })));
    expect(outcomes().toSorted()).toEqual(['applied', ...Array(9).fill('duplicate')]);
  });

  it.each([[[paid, refunded]], [[refunded, paid]]])(
    'ends refunded whichever of payment and refund comes first',
    async (bodies) => {
      const { consume, orders } = scene();
      for (const body of bodies) await consume({ body });
      expect(orders.get('live:order:order-1')?.status).toBe('refunded');
    },
  );

  it('writes an order once for a batch of ten events', async () => {
    const merges: string[] = [];
    const { consume } = scene((moment, operation) => {
      if (moment === 'before' && operation !== 'put') merges.push(operation);
    });
    const bodies = Array.from({ length: 10 }, (_, n) =>
      bytesOf(unknownEvent({ ...order1, eventId: `evt-${n}` })),
    );
    await consume(...bodies.map((body) => ({ body })));
    expect(merges).toEqual(['merge']);
  });

  it('records an event without an order and changes none', async () => {
    const { consume, rows, orders } = scene();
    await consume(
      { body: text('{"id":"a","event_name":"account.updated","sandbox":false}') },
      {
        body: text(
          '{"id":"b","event_name":"transaction.paid","sandbox":false,"payload":{"transaction":{"order_id":""}}}',
        ),
      },
    );
    expect(rows()).toEqual([
      { key: 'live:event:a', record: 'event', outcome: 'recorded', reason: undefined },
      { key: 'live:event:b', record: 'event', outcome: 'recorded', reason: undefined },
    ]);
    expect(orders.size).toBe(0);
  });
});

describe('the consumer, given what nobody expected', () => {
  it.each([
    ['not JSON', 'hello', 'not_json'],
    ['no bytes', '', 'not_json'],
    ['no id', '{"event_name":"transaction.paid"}', 'id_missing'],
    ['an array', '[]', 'not_an_object'],
  ])(
    'keeps a signed body that is %s as unrecognised and does not harm the batch',
    async (_, body, reason) => {
      const { consume, rows, telemetry, orders } = scene();
      expect(await consume({ body: text(body) }, { body: paid }, { body: text(body) })).toEqual([]);
      expect(rows()).toContainEqual(
        expect.objectContaining({ outcome: 'unrecognised', reason, record: 'unrecognised' }),
      );
      expect(rows()).toHaveLength(2);
      expect(telemetry.metrics).toEqual(['EventsUnrecognised']);
      expect(orders.get('live:order:order-1')?.status).toBe('paid');
    },
  );

  it.each([
    ['a sandbox key saying sandbox: false', 'sandbox', false, 'sandbox_flag_disagrees'],
    ['a live key saying sandbox: true', 'live', true, 'sandbox_flag_disagrees'],
    ['no flag', 'live', undefined, 'sandbox_flag_missing'],
    ['a flag that is text', 'live', 'false', 'sandbox_flag_missing'],
  ] as const)('quarantines %s and touches no order', async (_, mode, sandbox, reason) => {
    const { consume, rows, orders, telemetry } = scene();
    const body = bytesOf({ ...paidEvent({ ...order1, eventId: 'evt-1' }), sandbox: sandbox as boolean });
    expect(await consume({ body, mode })).toEqual([]);
    expect(rows()).toEqual([
      expect.objectContaining({ key: `${mode}:event:evt-1`, outcome: 'quarantined', reason }),
    ]);
    expect(orders.size).toBe(0);
    expect(telemetry.metrics).toEqual(['EventsQuarantined']);
  });

  it('leaves the id of a quarantined body free for the right one', async () => {
    const { consume, rows } = scene();
    const wrong = bytesOf(paidEvent({ ...order1, eventId: 'evt-1', sandbox: true }));
    const right = bytesOf(paidEvent({ ...order1, eventId: 'evt-1' }));
    await consume({ body: wrong });
    await consume({ body: right });
    expect(rows().map(({ outcome }) => outcome)).toEqual(['quarantined', 'applied']);
  });

  it('keeps live and sandbox orders of one id apart', async () => {
    const { consume, orders } = scene();
    await consume({ body: paid });
    await consume({
      body: bytesOf(refundedEvent({ ...order1, eventId: 'evt-paid', sandbox: true })),
      mode: 'sandbox',
    });
    expect([...orders].map(([key, { status }]) => [key, status])).toEqual([
      ['live:order:order-1', 'paid'],
      ['sandbox:order:order-1', 'refunded'],
    ]);
  });

  it('quarantines an order id that no key can hold', async () => {
    const { consume, rows } = scene();
    await consume({ body: bytesOf(paidEvent({ ...order1, orderId: 'o'.repeat(1025) })) });
    expect(rows()).toEqual([expect.objectContaining({ outcome: 'quarantined', reason: 'order_id_invalid' })]);
  });

  it('keeps the first of two bodies under one id, the second as a conflict, and marks both orders', async () => {
    const { consume, rows, orders, telemetry } = scene();
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

  it('returns a message that the verifier did not write, and only that one', async () => {
    const { consumer, telemetry, rows } = scene();
    const plain = { ...sqsRecord({ body: paid }), messageId: 'plain', body: '{"id":"e"}' };
    const bare = { ...sqsRecord({ body: paid }), messageId: 'bare', messageAttributes: {} };
    const answer = await consumer({ Records: [plain, sqsRecord({ body: paid }), bare] });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'plain' }, { itemIdentifier: 'bare' }] });
    expect(rows()).toHaveLength(1);
    expect(telemetry.metrics).toEqual(['RecordsRetried', 'RecordsRetried']);
  });
});

describe('the consumer, when DynamoDB fails', () => {
  const failing = (operation: string, error: Error, moment = 'before'): FaultInjector => {
    return (when, what) => {
      if (when === moment && what === operation) throw error;
    };
  };

  it.each(['put', 'merge'])('returns the records of a batch whose %s fails', async (operation) => {
    const { consume } = scene(failing(operation, new Error('throttled')));
    expect(await consume({ body: paid, messageId: 'm1' }, { body: refunded, messageId: 'm2' })).toEqual([
      'm1',
      'm2',
    ]);
  });

  it('returns only the records of the order whose merge failed', async () => {
    let merges = 0;
    const { consume, orders } = scene((moment, operation) => {
      if (moment !== 'before' || operation !== 'merge') return;
      merges += 1;
      if (merges === 1) throw new Error('throttled');
    });
    const other = bytesOf(paidEvent({ seed: 'two', orderId: 'order-2' }));
    expect(await consume({ body: paid, messageId: 'm1' }, { body: other, messageId: 'm2' })).toEqual(['m1']);
    expect([...orders.keys()]).toEqual(['live:order:order-2']);
  });

  it('quarantines an event that its order will never take', async () => {
    const { consume, rows, outcomes } = scene(failing('merge', new PermanentStoreError('item too large')));
    expect(await consume({ body: paid })).toEqual([]);
    expect(rows().map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['applied', undefined],
      ['quarantined', 'order_refused'],
    ]);
    expect(outcomes()).toEqual(['quarantined']);
  });

  it('returns a record that cannot be recorded at all, for ever: the DLQ keeps its bytes', async () => {
    const { consume } = scene(failing('put', new PermanentStoreError('item too large')));
    expect(await consume({ body: paid, messageId: 'm1' })).toEqual(['m1']);
  });

  it('repairs on redelivery the status that a crash left behind, without moving updated_at', async () => {
    const state = { crash: true };
    const { consume, orders } = scene((moment, operation) => {
      if (state.crash && moment === 'before' && operation === 'setStatus') throw new Error('killed');
    });
    await consume({ body: paid });
    expect(await consume({ body: refunded, messageId: 'm1' })).toEqual(['m1']);
    expect(orders.get('live:order:order-1')?.status).toBe('paid');
    const { updatedAt } = orders.get('live:order:order-1') ?? {};
    state.crash = false;
    expect(await consume({ body: refunded, messageId: 'm1' })).toEqual([]);
    expect(orders.get('live:order:order-1')).toMatchObject({ status: 'refunded', updatedAt });
  });

  it('never skips the merge: a row whose order was not written yet gets its fact on redelivery', async () => {
    const state = { crash: true };
    const { consume, orders, outcomes } = scene((moment, operation) => {
      if (state.crash && moment === 'before' && operation === 'merge') throw new Error('killed');
    });
    await consume({ body: paid });
    state.crash = false;
    expect(await consume({ body: paid })).toEqual([]);
    expect(orders.get('live:order:order-1')?.status).toBe('paid');
    expect(outcomes().at(-1)).toBe('applied');
  });
});

describe('retention', () => {
  it('lets applied and recorded events expire, and nothing that waits for a person', async () => {
    const { consume, events } = scene(undefined, 30);
    await consume(
      { body: paid },
      { body: text('junk') },
      { body: bytesOf(paidEvent({ ...order1, sandbox: true })) },
    );
    const expiry = [...events.values()].map(({ outcome, expiresAt }) => [outcome, expiresAt]);
    // 2026-11-21T10:00:01Z and thirty days.
    expect(expiry).toEqual([
      ['applied', 1_797_847_201],
      ['unrecognised', undefined],
      ['quarantined', undefined],
    ]);
  });

  it('keeps events for ever without a setting', async () => {
    const { consume, events } = scene();
    await consume({ body: paid });
    expect([...events.values()].map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
  });
});
