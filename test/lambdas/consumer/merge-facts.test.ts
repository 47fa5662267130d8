import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { First } from '../../../lambdas/consumer/deliver.ts';
import { mergeOrders, mergesOf } from '../../../lambdas/consumer/merge-facts.ts';
import type { DeliveryStore } from '../../../lambdas/ports/stores.ts';
import { paid } from '../../doubles/facts.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';

const now = () => new Date('2026-11-21T10:00:00.000Z');

/** A delivery that adds these facts to its order. */
const adding = (orderId: string, ...texts: string[]): First => {
  const rest = { pending: texts.map((text) => ({ orderId, text })) };
  return { row: { mode: 'live' }, rest } as unknown as First;
};

it('a merge in two writes returns every fact, although the response to the first arrives last', async () => {
  const { store } = createMemoryTables().open();
  const facts = Array.from({ length: 51 }, (_, n) => paid(`p${n}`));
  const merge: DeliveryStore['merge'] = async (request) => {
    const response = await store.merge(request);
    if (request.facts.length === 50) await setImmediate();
    return response;
  };
  const delivery = adding('A', ...facts);
  const results = await mergeOrders({ store: { merge }, now }, [delivery]);
  const merged = mergesOf(delivery, results).get('live:order:A');
  expect(merged?.changed).toBe(true);
  expect(merged?.facts.toSorted()).toEqual(facts.toSorted());
});

it('the failure of one order is thrown for its deliveries, and for no other', async () => {
  const { store } = createMemoryTables().open();
  const merge: DeliveryStore['merge'] = async (request) => {
    if (request.order.id === 'B') throw new Error('throttled');
    return store.merge(request);
  };
  const [intact, failed] = [adding('A', paid('p')), adding('B', paid('q'))];
  const results = await mergeOrders({ store: { merge }, now }, [failed, intact]);
  expect(() => mergesOf(failed, results)).toThrow('throttled');
  expect(mergesOf(intact, results).get('live:order:A')?.changed).toBe(true);
});
