import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/classify.ts';
import { createMeaningOf } from '../../../lambdas/domain/assumptions.ts';
import { consumerOver, failing, setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

const settled = (id: string, sandbox = false) => sent({ id, order: 'A', action: 'settled', sandbox });
const place = 'live:name:transaction.settled';

/** A consumer, and how many times it has stored a name. */
function countNames() {
  const calls: string[] = [];
  const gate = async ({ name }: StoreCall): Promise<void> =>
    void (name === 'putEventName' && calls.push(name));
  return { ...setUpConsumer({ gate }), names: () => calls.length };
}

describe('an event name without a meaning', () => {
  it('waits with its first event, which has no effect on its order', async () => {
    const { consume, tables, order } = setUpConsumer();
    expect(await consume(settled('e1'))).toEqual([]);
    await consume(settled('e2'));
    const recorded = { mode: 'live', eventId: 'e1', orderId: 'A', recordedAt: '2026-11-21T10:00:01.000Z' };
    const row = { eventName: 'transaction.settled', ...recorded, waiting: 'event_name' };
    expect([...tables.names]).toEqual([[place, row]]);
    expect(order('A')).toMatchObject({ status: 'pending', events: ['e1', 'e2'] });
  });

  it('of an event without an order waits without an order', async () => {
    const { consume, tables } = setUpConsumer();
    await consume(sent({ id: 'e1', action: 'settled' }));
    expect(tables.names.get(place)).not.toHaveProperty('orderId');
  });

  it('is stored once by a consumer for any number of events, also of one batch', async () => {
    const { consume, names } = countNames();
    await consume(settled('e1'), settled('e2'), settled('e3'));
    await consume(settled('e4'));
    expect(names()).toBe(1);
  });

  it('keeps its first event when another consumer stores it again', async () => {
    const { tables, settings } = setUpConsumer();
    for (const id of ['e1', 'e2']) await consumerOver(tables.open().store, settings)(sqsEvent(settled(id)));
    expect([...tables.names.values()].map(({ eventId }) => eventId)).toEqual(['e1']);
  });

  it('does not wait again after it was dismissed, for any consumer', async () => {
    const { consume, tables, settings } = setUpConsumer();
    await consume(settled('e1'));
    const { waiting: _, ...row } = tables.names.get(place) ?? ({} as never);
    const judged = { verdict: 'dismissed', by: 'ann', at: '2026-11-21T11:00:00.000Z', reason: 'r' } as const;
    tables.names.set(place, { ...row, judged });
    await consumerOver(tables.open().store, settings)(sqsEvent(settled('e2')));
    expect(tables.names.get(place)).toEqual({ ...row, judged });
  });

  it('waits again with the event that has it after its meaning was taken back', async () => {
    const { consume, tables, settings } = setUpConsumer();
    await consume(settled('e1'));
    const { waiting: _, ...row } = tables.names.get(place) ?? ({} as never);
    tables.names.set(place, row);
    await consumerOver(tables.open().store, settings)(sqsEvent(settled('e2')));
    expect(tables.names.get(place)).toMatchObject({ waiting: 'event_name', eventId: 'e2' });
  });

  it('is stored again once a consumer has met a thousand others, and needs no more memory', async () => {
    const { consume, names } = countNames();
    for (let n = 0; n < 1_000; n += 10)
      await consume(
        ...Array.from({ length: 10 }, (_, at) => sent({ id: `${n + at}`, action: `x${n + at}` })),
      );
    await consume(sent({ id: 'again', action: 'x0' }));
    expect(names()).toBe(1_000);
    for (const action of ['x1000', 'x0']) await consume(sent({ id: `last ${action}`, action }));
    expect(names()).toBe(1_002);
  });
});

it('an event name with a meaning in the setting eventMeanings does not wait, not even with history', async () => {
  const classify = createClassify(createMeaningOf({ 'transaction.settled': 'history' }));
  const { consume, tables, row } = setUpConsumer({ parts: { classify } });
  await consume(settled('e1'));
  expect([tables.names.size, row('e1').reading?.meaning]).toEqual([0, 'history']);
});

it('a name waits since its first event, and before that event is stored', async () => {
  const { hooks, repair } = failing('putEventName');
  const { consume, row, tables, wait } = setUpConsumer(hooks);
  expect(await consume(settled('e1'))).toEqual(['e1']);
  repair();
  wait(5);
  await consume(settled('e1'));
  expect([...tables.names.values()].map(({ recordedAt }) => recordedAt)).toEqual([row('e1').recordedAt]);
});
