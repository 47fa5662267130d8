import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../lambdas/domain/assumptions.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { consumerOver, failing, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { type FaultInjector, memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const body = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });
/** 30 days after 2026-11-21T10:00:01Z. */
const expiry = 1_797_847_201;

function setUp(inject: FaultInjector = () => {}) {
  const consumer = setUpConsumer({ inject, parts: { eventRetentionDays: 30 } });
  const { events, bodies } = consumer;
  return {
    ...consumer,
    expiries: () => [...bodies.values()].map(({ key, expiresAt }) => [key, expiresAt]),
    /** What DynamoDB does some time after the expiry: rows of 0.2.0 expired too. */
    expire(): void {
      for (const [key, row] of bodies) if (row.expiresAt !== undefined) bodies.delete(key);
      for (const [key, row] of events) if (row.expiresAt !== undefined) events.delete(key);
    },
  };
}

describe('with eventRetentionDays', () => {
  it('the body of an event expires, and its row stays, with its fact and without the body', async () => {
    const { consume, events, bodies, expiries } = setUp();
    const sent = body({ id: 'e', order: 'A' });
    await consume(sent);
    const row = events.get('live:event:e event');
    expect(row).toMatchObject({ outcome: 'applied', orderId: 'A', fact: fact('e', 'paid') });
    expect(row).not.toHaveProperty('body');
    expect(row).not.toHaveProperty('expiresAt');
    expect(expiries()).toEqual([['live:event:e', expiry]]);
    const [stored] = [...bodies.values()];
    expect(stored?.bodySha256).toBe(createHash('sha256').update(sent.body).digest('hex'));
    expect(Buffer.from(stored?.body ?? []).equals(sent.body)).toBe(true);
  });

  it('bodies that wait for a person never expire, and the same event in other bytes does', async () => {
    const { consume, events } = setUp();
    await consume(
      { body: Buffer.from('junk') },
      { body: eventBody({ id: 'q', order: 'A' }), mode: 'sandbox' },
      body({ id: 'e', order: 'A' }),
    );
    await consume(body({ id: 'e', order: 'B' }), body({ id: 'e', order: 'A', attempt: 2 }));
    const kept = [...events.values()].map(({ outcome, body, expiresAt }) => [
      outcome,
      body !== undefined,
      expiresAt,
    ]);
    expect(kept).toEqual([
      ['unrecognised', true, undefined],
      ['quarantined', true, undefined],
      ['applied', false, undefined],
      ['conflict', true, undefined],
      ['duplicate', true, expiry],
    ]);
  });

  it('the body of another event that takes no order is kept once, with its conflict', async () => {
    const { consume, expiries } = setUp();
    for (const amount of ['1.00', '2.00']) await consume(body({ id: 'e', action: 'refunded', amount }));
    expect(expiries()).toEqual([
      ['live:event:e', undefined],
      ['live:event:e', expiry],
    ]);
  });

  it('the body of an event that waits for nobody expires also when it is delivered again', async () => {
    const { consume, expiries } = setUp();
    for (const _ of [1, 2]) await consume(body({ id: 'note', action: 'note' }));
    expect(expiries()).toEqual([['live:event:note', expiry]]);
  });

  it('an event whose body has expired is still a duplicate when it is delivered again', async () => {
    const { consume, factsOf, expire, rows, loggedOutcomes } = setUp();
    await consume(body({ id: 'e', order: 'A' }));
    expire();
    await consume(body({ id: 'e', order: 'A' }), body({ id: 'e', order: 'A', attempt: 2 }));
    expect(factsOf('A')).toEqual([fact('e', 'paid')]);
    expect(rows().map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate']);
    expect(loggedOutcomes()).toEqual(['applied', 'duplicate', 'duplicate']);
  });

  it('one event id does not count in two orders, although the body of the first event has expired', async () => {
    const { consume, statuses, expire, waiting } = setUp();
    await consume(body({ id: 'e', order: 'A' }));
    expire();
    await consume(body({ id: 'e', order: 'B' }));
    expect(statuses()).toEqual([
      ['live:order:A', 'paid'],
      ['live:order:B', 'pending'],
    ]);
    expect(waiting()).toEqual([['live:event:e', 'conflict']]);
  });

  it('a judged conflict is not applied, although the row of the first event, from 0.2.0, has expired', async () => {
    const { consume, events, statuses, expire } = setUp();
    await consume(body({ id: 'e', order: 'A' }));
    const first = events.get('live:event:e event');
    if (first !== undefined) events.set('live:event:e event', { ...first, expiresAt: expiry });
    await consume(body({ id: 'e', order: 'B' }));
    expire();
    expect(await consume(body({ id: 'e', order: 'B' }))).toEqual([]);
    expect(statuses()).toEqual([
      ['live:order:A', 'paid'],
      ['live:order:B', 'pending'],
    ]);
    expect(events.has('live:event:e event')).toBe(false);
  });

  it('a row of 0.2.0, which would expire, is kept once its event waits', async () => {
    const { consume, events, waiting, expire } = setUp();
    const sent = body({ id: 'refund', action: 'refunded' });
    await consume(sent);
    const { fact: _, waiting: __, ...old } = events.get('live:event:refund event') as EventRow;
    const inline = { outcome: 'recorded', body: sent.body, expiresAt: expiry } as const;
    events.set('live:event:refund event', { ...old, ...inline });
    await consume(sent);
    expire();
    expect(waiting()).toEqual([['live:event:refund', 'unassigned']]);
    await consume(body({ id: 'pay', order: 'A' }));
    expect(events.get('live:event:refund event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
  });

  it('a body is kept while its event waits for an order, and expires once the event is applied', async () => {
    const { consume, expiries } = setUp();
    await consume(body({ id: 'refund', action: 'refunded' }));
    expect(expiries()).toEqual([['live:event:refund', undefined]]);
    await consume(body({ id: 'pay', order: 'A' }));
    expect(expiries()).toEqual([
      ['live:event:refund', expiry],
      ['live:event:pay', expiry],
    ]);
  });

  it.each([[['pay', 'refund']], [['refund', 'pay']]])(
    'a body expires in the end although any call fails once (%j)',
    async (ids) => {
      const sent = ids.map((id) =>
        id === 'pay' ? body({ id, order: 'A' }) : body({ id, action: 'refunded' }),
      );
      for (const operation of [
        'put',
        'putBody',
        'getRow',
        'join',
        'merge',
        'settle',
        'setBodyExpiry',
      ] as const) {
        for (const moment of ['before', 'after'] as const) {
          const fault = failing(operation, new Error('throttled'), moment);
          const { consume, expiries, waiting } = setUp(fault.inject);
          for (const one of sent) await consume(one);
          fault.repair();
          for (const one of sent) expect(await consume(one)).toEqual([]);
          expect(new Map(expiries() as [string, number][])).toEqual(
            new Map([
              ['live:event:pay', expiry],
              ['live:event:refund', expiry],
            ]),
          );
          expect(waiting()).toEqual([]);
        }
      }
    },
  );

  it('the body of an event that was recorded late, after a redrive, expires as late', async () => {
    let now = new Date('2026-11-07T10:00:01.000Z');
    const fault = failing('put', new Error('throttled'));
    const { consume, bodies } = setUpConsumer({
      inject: fault.inject,
      parts: { eventRetentionDays: 30, now: () => now },
    });
    await consume(body({ id: 'e', order: 'A' }));
    fault.repair();
    now = new Date('2026-11-21T10:00:01.000Z');
    expect(await consume(body({ id: 'e', order: 'A' }))).toEqual([]);
    expect([...bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([expiry]);
  });

  it.each(['settle', 'setBodyExpiry'] as const)(
    'the body of an event whose name has been given a meaning is kept while it waits, although %s fails once',
    async (operation) => {
      for (const moment of ['before', 'after'] as const) {
        const { inject, repair } = failing(operation, new Error('throttled'), moment);
        const stores = memoryStores(inject);
        const parts = { eventRetentionDays: 30 };
        const sent = sqsEvent(body({ id: 'e', action: 'settled' }));
        await consumerOver(stores, parts)(sent);
        const meaningOf = createMeaningOf({ 'transaction.settled': 'paid' });
        const consume = consumerOver(stores, { ...parts, meaningOf });
        await consume(sent);
        repair();
        await consume(sent);
        expect(stores.events.get('live:event:e event')).toMatchObject({ waiting: 'unassigned' });
        expect([...stores.bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
      }
    },
  );

  it.each(['settle', 'setBodyExpiry'] as const)(
    'the body of an event that a full order refused is kept, although %s fails once',
    async (operation) => {
      for (const moment of ['before', 'after'] as const) {
        const { inject, repair } = failing(operation, new Error('throttled'), moment);
        const room = { orderBytesMax: 0 };
        const parts = { eventRetentionDays: 30 };
        const { consume, bodies, waiting } = setUpConsumer({ inject, room, parts });
        await consume(body({ id: 'e', order: 'A' }));
        repair();
        await consume(body({ id: 'e', order: 'A' }));
        expect(waiting()).toEqual([['live:event:e', 'order_refused']]);
        expect([...bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
      }
    },
  );
});

it('without eventRetentionDays an event is one row that never expires', async () => {
  const { consume, events, bodies } = setUpConsumer();
  await consume(body({ id: 'e', order: 'A' }));
  const stored = [...events.values()].map(({ body, expiresAt, fact }) => [
    body !== undefined,
    expiresAt,
    fact,
  ]);
  expect(stored).toEqual([[true, undefined, undefined]]);
  expect(bodies.size).toBe(0);
});

it('other bytes of an event are stored although its row, of 0.2.0, expires meanwhile', async () => {
  const { consume, events, factsOf, rows } = setUpConsumer({
    inject: (_, operation) => operation === 'getRow' && events.delete('live:event:e event'),
  });
  await consume(body({ id: 'e', order: 'A' }));
  expect(await consume(body({ id: 'e', order: 'A', attempt: 2 }))).toEqual([]);
  expect(rows().map(({ outcome }) => outcome)).toEqual(['duplicate']);
  expect(factsOf('A')).toEqual([fact('e', 'paid')]);
});
