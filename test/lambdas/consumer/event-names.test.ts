import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/receive.ts';
import { createMeaningOf } from '../../../lambdas/domain/assumptions.ts';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

const settled = (id: string) => sent({ id, order: 'A', action: 'settled' });
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
    const { tables, order } = await delivered([settled('e1'), settled('e2')]);
    const recorded = { mode: 'live', eventId: 'e1', orderId: 'A', recordedAt: '2026-11-21T10:00:01.000Z' };
    const money = { amount: '100.00', currency: 'USD' };
    const row = { eventName: 'transaction.settled', ...recorded, ...money, waiting: 'event_name' };
    expect([...tables.names]).toEqual([[place, row]]);
    expect(order('A')).toMatchObject({ status: 'pending', events: ['e1', 'e2'] });
  });

  it('is stored once by a consumer for any number of events, also of one batch', async () => {
    const { consume, names } = countNames();
    await consume(settled('e1'), settled('e2'), settled('e3'));
    await consume(settled('e4'));
    expect(names()).toBe(1);
  });

  it('is stored again once a consumer has met a thousand others, and needs no more memory', async () => {
    const { consumeBatch, names } = countNames();
    const thousand = Array.from({ length: 1_000 }, (_, n) => sent({ id: `${n}`, action: `x${n}` }));
    await consumeBatch(sqsEvent(...thousand, sent({ id: 'again', action: 'x0' })));
    expect(names()).toBe(1_000);
    await consumeBatch(sqsEvent(...['x1000', 'x0'].map((action) => sent({ id: `last ${action}`, action }))));
    expect(names()).toBe(1_002);
  });

  it('waits since its first event, and before that event is stored', async () => {
    const { consume, repair, row, tables, wait } = setUpConsumer({ failing: 'putEventName' });
    expect(await consume(settled('e1'))).toEqual(['e1']);
    repair();
    wait(5);
    await consume(settled('e1'));
    expect([...tables.names.values()].map(({ recordedAt }) => recordedAt)).toEqual([row('e1').recordedAt]);
  });
});

it('an event name with a meaning in the setting eventMeanings does not wait, not even with history', async () => {
  const classify = createClassify(createMeaningOf({ 'transaction.settled': 'history' }));
  const { tables, row } = await delivered([settled('e1')], { parts: { classify } });
  expect([tables.names.size, row('e1').reading?.meaning]).toEqual([0, 'history']);
});
