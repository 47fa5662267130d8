import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../lambdas/domain/assumptions.ts';
import { consumerOver, failing, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type FaultInjector, memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const body = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });
const settled = (id: string, sandbox = false) => body({ id, order: 'A', action: 'settled', sandbox });

/** How many times a name was stored, with every other call. */
function countNames() {
  let names = 0;
  const inject: FaultInjector = (moment, operation) => {
    if (moment === 'before' && operation === 'putEventName') names += 1;
  };
  return { inject, names: () => names };
}

describe('an event name without a meaning', () => {
  it('is stored with its first event, whose order is usable', async () => {
    const { consume, eventNames, factsOf, statuses } = setUpConsumer();
    expect(await consume(settled('e1'))).toEqual([]);
    await consume(settled('e2'));
    expect([...eventNames]).toEqual([
      [
        'live:name:transaction.settled',
        {
          mode: 'live',
          eventName: 'transaction.settled',
          eventId: 'e1',
          orderId: 'A',
          recordedAt: '2026-11-21T10:00:01.000Z',
        },
      ],
    ]);
    expect(factsOf('A')).toHaveLength(2);
    expect(statuses()).toEqual([['live:order:A', 'pending']]);
  });

  it('is stored once by a consumer for any number of events, also of one batch', async () => {
    const { inject, names } = countNames();
    const { consume } = setUpConsumer({ inject });
    await consume(settled('e1'), settled('e2'), settled('e3'));
    await consume(settled('e4'));
    expect(names()).toBe(1);
  });

  it('keeps its first event when another consumer stores it again', async () => {
    const stores = memoryStores();
    for (const id of ['e1', 'e2']) await consumerOver(stores)(sqsEvent(settled(id)));
    expect([...stores.eventNames.values()].map(({ eventId }) => eventId)).toEqual(['e1']);
  });

  it('is stored for each mode', async () => {
    const { consume, eventNames } = setUpConsumer();
    await consume(settled('e1'), { ...settled('e2', true), mode: 'sandbox' });
    expect([...eventNames.keys()]).toEqual([
      'live:name:transaction.settled',
      'sandbox:name:transaction.settled',
    ]);
  });

  it.each(['before', 'after'] as const)(
    'returns its record to the queue, %s a failed write, until stored',
    async (when) => {
      const fault = failing('putEventName', new Error('throttled'), when);
      const { consume, eventNames } = setUpConsumer(fault);
      expect(await consume(settled('e1'), body({ id: 'e2', order: 'A' }))).toEqual(['e1']);
      fault.repair();
      expect(await consume(settled('e1'))).toEqual([]);
      expect(eventNames.size).toBe(1);
    },
  );

  it('is stored again once a consumer has met a thousand others, and needs no more memory', async () => {
    const { inject, names } = countNames();
    const { consume } = setUpConsumer({ inject });
    for (let n = 0; n < 1_000; n += 10) {
      await consume(
        ...Array.from({ length: 10 }, (_, at) => body({ id: `${n + at}`, action: `x${n + at}` })),
      );
    }
    await consume(body({ id: 'again', action: 'x0' }));
    expect(names()).toBe(1_000);
    for (const action of ['x1000', 'x0']) await consume(body({ id: `last ${action}`, action }));
    expect(names()).toBe(1_002);
  });
});

describe('an event name with a meaning', () => {
  it.each(['paid', 'refunded', 'failed', 'disputed', 'charged_back'])('is not stored: %s', async (action) => {
    const { consume, eventNames } = setUpConsumer();
    await consume(body({ id: 'e', order: 'A', action }));
    expect(eventNames.size).toBe(0);
  });

  it('is not stored when the setting eventMeanings gives the meaning, even history', async () => {
    const meaningOf = createMeaningOf({ 'transaction.settled': 'history' });
    const { consume, eventNames } = setUpConsumer({ parts: { meaningOf } });
    await consume(settled('e1'));
    expect(eventNames.size).toBe(0);
  });
});

it('the name of an event that is kept out of its order is not stored', async () => {
  const { consume, eventNames } = setUpConsumer();
  await consume({ ...settled('e1'), mode: 'sandbox' });
  expect(eventNames.size).toBe(0);
});
