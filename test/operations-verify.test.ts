import { describe, expect, it } from 'vitest';
import type { OperationsParts } from '../lambdas/operations/parts.ts';
import { paid } from './doubles/facts.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { type ReadEvent, readByOlderParser } from './doubles/older-parser.ts';
import { operationsOver } from './doubles/operations.ts';

/** The events are recorded at 10:00:01 on the day before. */
const recordedAt = Date.parse('2026-11-21T10:00:01.000Z');
const events = (count: number): readonly ReadEvent[] =>
  Array.from({ length: count }, (_, n) => ({ real: { id: `e${n}`, order: `A${n}`, transaction: `T${n}` } }));

/** A comparison so many seconds after the events were recorded, whose pauses are noted. */
async function setUp(count: number, seconds: number) {
  const stores = await readByOlderParser(...events(count));
  const time = { now: recordedAt + seconds * 1000, perCall: 0 };
  const pauses: number[] = [];
  const meanwhile = { happens: () => {} };
  const parts: Partial<OperationsParts> = {
    now: () => {
      time.now += time.perCall;
      return new Date(time.now);
    },
    async pause(milliseconds) {
      pauses.push(milliseconds);
      meanwhile.happens();
    },
  };
  const api = operationsOver(stores, parts);
  async function verify(fields: object = {}) {
    const body = JSON.stringify(fields);
    const response = await api(gatewayEvent({ routeKey: 'POST /operations/verify', body }));
    return JSON.parse(response.body ?? '');
  }
  async function differences(): Promise<readonly (string | null)[]> {
    return (await verify()).differences.map((one: { event_id: string | null }) => one.event_id);
  }
  const loseOrders = () => stores.orders.clear();
  /** The merge of an event ends late. */
  async function merge(n: number) {
    const order = { mode: 'live', id: `A${n}` } as const;
    await stores.writer.merge({
      order,
      facts: [paid(`e${n}`, { transactionId: `T${n}` })],
      now: () => new Date(0),
    });
  }
  return { ...stores, verify, differences, pauses, meanwhile, loseOrders, merge, time };
}

describe('a comparison', () => {
  it('looks again after three seconds at an event that was recorded within the last minute', async () => {
    const { differences, loseOrders, meanwhile, merge, pauses } = await setUp(2, 59);
    loseOrders();
    meanwhile.happens = () => void merge(0);
    expect(await differences()).toEqual(['e1']);
    expect(pauses).toEqual([3_000]);
  });

  it.each([
    ['it finds no difference', 2, 59, false],
    ['the event was recorded a minute ago', 2, 60, true],
  ])('does not look again when %s', async (_, count, seconds, isLost) => {
    const { differences, loseOrders, pauses } = await setUp(count, seconds);
    if (isLost) loseOrders();
    expect(await differences()).toEqual(isLost ? ['e0', 'e1'] : []);
    expect(pauses).toEqual([]);
  });

  it('does not look again for a difference of an old event next to recent ones', async () => {
    const { differences, orders, events: rows, pauses } = await setUp(2, 59);
    orders.delete('live:order:A0');
    const old = rows.get('live:event:e0 event');
    if (old) rows.set('live:event:e0 event', { ...old, recordedAt: '2026-11-20T10:00:01.000Z' });
    expect(await differences()).toEqual(['e0']);
    expect(pauses).toEqual([]);
  });

  it('keeps the differences of the events that a second look had no time for', async () => {
    const { differences, loseOrders, meanwhile, merge, time } = await setUp(6, 59);
    loseOrders();
    // Four events are compared at a time, and a second look takes four seconds.
    meanwhile.happens = () => {
      time.perCall = 4_000;
      for (let n = 0; n < 6; n += 1) void merge(n);
    };
    expect(await differences()).toEqual(['e4', 'e5']);
  });

  it('goes on with the next orders where its time ended, and ends after the last', async () => {
    const { verify, time } = await setUp(5, 3_600);
    const first = await verify();
    expect(first.compared).toEqual({ events: 5, orders: 0 });
    time.perCall = 12_000;
    const compared: number[] = [];
    let cursor: string | null = first.next_cursor;
    for (let pages = 0; cursor !== null && pages < 9; pages += 1) {
      const page = await verify({ cursor });
      compared.push(page.compared.orders);
      cursor = page.next_cursor;
    }
    expect([compared, cursor]).toEqual([[2, 2, 1], null]);
  });
});
