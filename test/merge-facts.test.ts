import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mergeFacts } from '../lambdas/consumer/merge-facts.ts';
import type { OrderWriter } from '../lambdas/ports/stores.ts';
import { paid } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';
import { memoryStores } from './doubles/memory-stores.ts';

const now = () => new Date('2026-11-21T10:00:00.000Z');
const order = { mode: 'live', id: 'A' } as const;

it('a merge in two writes returns every fact, although the response to the first arrives last', async () => {
  const { writer } = memoryStores();
  const facts = new Set(Array.from({ length: 51 }, (_, n) => paid(`p${n}`)));
  const merge: OrderWriter['merge'] = async (request) => {
    const response = await writer.merge(request);
    if (request.facts.length === 50) await setImmediate();
    return response;
  };
  const merged = await mergeFacts({ orders: { merge }, meaningOf }, { order, facts }, now);
  expect(new Set(merged.facts)).toEqual(facts);
});

it('a merge fails with a fault of the fold that is no unreadable fact', async () => {
  const faulty = () => {
    throw new TypeError('a fault');
  };
  const parts = { orders: memoryStores().writer, meaningOf: faulty };
  const merge = mergeFacts(parts, { order, facts: new Set([paid('p')]) }, now);
  await expect(merge).rejects.toThrow('a fault');
});
