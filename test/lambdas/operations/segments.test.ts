import { expect, it } from 'vitest';
import { sent } from '../../doubles/event-body.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { operationsOver, operatorAfter } from '../../doubles/operations.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const payments = ids.map((id) => sent({ id, order: `O ${id}`, transaction: id }));
const parts = ['1/3', '2/3', '3/3'];

it('the parts of a rebuild repair together what one run through the tables repairs', async () => {
  const { act, tables, factsOf } = await operatorAfter(payments);
  for (const id of ids) tables.orders.delete(`live:order:O ${id}`);
  const replayed = [];
  for (const segment of parts)
    replayed.push((await act('replay', { readings: 'stored', segment })).body.replayed);
  expect(replayed.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  expect(Math.max(...replayed)).toBeLessThan(ids.length);
  for (const id of ids) expect(factsOf(`O ${id}`)).toHaveLength(1);
});

it('a run ends its page in time although its part of the tables has no event of it', async () => {
  const { tables, settings } = await operatorAfter([]);
  const clock = { now: Date.UTC(2026, 10, 21, 12), pages: 0 };
  const page = async () => {
    clock.now += 5_000;
    clock.pages += 1;
    const next = clock.pages < 9 ? { key: `live:order:${clock.pages}`, record: 'act' } : undefined;
    return { events: [], next };
  };
  const parts = { ...settings, now: () => new Date(clock.now), eventScan: { page } };
  const request = gatewayEvent({ routeKey: 'POST /operations/verify', body: '{}' });
  const { body = '' } = await operationsOver(tables, parts)(request);
  expect([clock.pages, JSON.parse(body).next_cursor]).toEqual([3, expect.any(String)]);
});
