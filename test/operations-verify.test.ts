import { describe, expect, it } from 'vitest';
import type { OperationsParts } from '../lambdas/operations/parts.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { paid } from './doubles/facts.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { type ReadEvent, readByOlderParser, sha256 } from './doubles/older-parser.ts';
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

  it('finds once what a second look finds by its payment alone, before its time ends', async () => {
    const refund = { id: 'r', action: 'refunded', transaction: 'T3' };
    const { differences, loseOrders, meanwhile, consume, time } = await setUp(4, 59);
    await consume({ body: eventBody(refund) });
    loseOrders();
    meanwhile.happens = () => {
      time.perCall = 4_000;
    };
    expect(await differences()).toEqual(['e0', 'e1', 'e2', 'e3', 'r']);
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

describe('a comparison finds', () => {
  const found = async ({ verify }: Awaited<ReturnType<typeof compare>>) =>
    (await verify()).differences.map((one: Record<string, unknown>) => [
      one['kind'],
      one['order_id'],
      one['event_id'],
    ]);
  const compare = async (...read: readonly ReadEvent[]) => {
    const stores = await readByOlderParser(...read);
    const api = operationsOver(stores);
    const post = async (route: string, fields: object) => {
      const body = JSON.stringify(fields);
      return JSON.parse(
        (await api(gatewayEvent({ routeKey: `POST /operations/${route}`, body }))).body ?? '',
      );
    };
    async function verify() {
      const { differences, next_cursor: cursor } = await post('verify', {});
      const orders = await post('verify', { cursor });
      return { differences: [...differences, ...orders.differences] };
    }
    return { ...stores, post, verify };
  };

  it('an order that lacks the mark of a conflict', async () => {
    const tables = await compare({ real: { id: 'e1', order: 'A' } }, { real: { id: 'e1', order: 'B' } });
    const facts = tables.orders.get('live:order:A')?.facts ?? new Set();
    for (const fact of facts) if (fact.startsWith('["conflict.1"')) facts.delete(fact);
    expect(await found(tables)).toEqual([['missing_mark', 'A', 'e1']]);
  });

  it('a row that waits for an order by now, as the meaning of its name has changed', async () => {
    const tables = await compare({ real: { id: 'e1', action: 'refunded' } });
    const { waiting: _, ...row } = tables.rowOf('e1') as EventRow;
    tables.events.set('live:event:e1 event', { ...row, outcome: 'recorded' });
    expect(await found(tables)).toEqual([['stale_row', null, 'e1']]);
  });

  it('once what an event lacks in one order and has left in others, whatever their number', async () => {
    const ids = ['e1', 'e2', 'e3', 'e4'];
    const tables = await compare(...ids.map((id) => ({ real: { id, order: 'A', transaction: id } })));
    const facts = ids.map((id) => paid(id, { transactionId: id }));
    tables.orders.clear();
    await tables.writer.merge({ order: { mode: 'live', id: 'B' }, facts, now: () => new Date(0) });
    expect(await found(tables)).toEqual([
      ...ids.map((id) => ['missing_fact', 'A', id]),
      ...ids.map((id) => ['stale_fact', 'B', id]),
    ]);
  });

  it('the state of an order, next to a row that is stale', async () => {
    const tables = await compare({ real: { id: 'e1', order: 'A' } }, { real: { id: 'e2', order: 'A' } });
    tables.events.set('live:event:e1 event', { ...(tables.rowOf('e1') as EventRow), transactionId: 'V' });
    tables.orders.get('live:order:A')?.facts.delete(paid('e2'));
    const shown = (await tables.verify()).differences.map((one: Record<string, unknown>) => [
      one['kind'],
      one['after'] !== null,
    ]);
    expect(shown).toEqual([
      ['stale_row', false],
      ['missing_fact', true],
    ]);
  });

  it('no more than a page of orders after 5,000 differences', async () => {
    const tables = await compare();
    for (const [id, facts] of [
      ['A', 2_500],
      ['B', 2_500],
      ['C', 1],
    ] as const) {
      const lost = Array.from({ length: facts }, (_, n) => paid(`${id}${n}`));
      const order = { mode: 'live', id } as const;
      const row = { order, facts: new Set(lost), headroom: true, updatedAt: '2026-11-21T10:00:00.000Z' };
      tables.orders.set(`live:order:${id}`, row);
    }
    const { next_cursor: cursor } = await tables.post('verify', {});
    const first = await tables.post('verify', { cursor });
    expect([first.compared.orders, first.differences.length]).toEqual([2, 5_000]);
    const last = await tables.post('verify', { cursor: first.next_cursor });
    expect([last.compared.orders, last.next_cursor]).toEqual([1, null]);
  });

  it('no difference in an order whose events all name it, without a read of their rows', async () => {
    const stores = await readByOlderParser({ real: { id: 'e1', order: 'A' } });
    const read: string[] = [];
    const find: typeof stores.reader.find = (mode, id) => {
      read.push(id);
      return stores.reader.find(mode, id);
    };
    const api = operationsOver({ ...stores, reader: { ...stores.reader, find } });
    const verify = async (fields: object) => {
      const body = JSON.stringify(fields);
      const response = await api(gatewayEvent({ routeKey: 'POST /operations/verify', body }));
      return JSON.parse(response.body ?? '');
    };
    const { next_cursor: cursor } = await verify({});
    expect(read.splice(0)).toEqual(['e1']);
    expect(await verify({ cursor })).toMatchObject({ compared: { orders: 1 }, differences: [] });
    expect(read).toEqual([]);
  });

  it('nothing in an event that was dismissed', async () => {
    const tables = await compare({ real: { id: 'e1', action: 'refunded' } });
    await tables.post('dismiss', { event_id: 'e1', reason: 'r' });
    expect(await found(tables)).toEqual([]);
  });

  it('a fact that must count again, and one that must not', async () => {
    const tables = await compare({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    await tables.post('replay', { event_id: 'e1', reason: 'r' });
    const body = eventBody({ id: 'e1', order: 'A', amount: '1.00' });
    const row = tables.rowOf('e1') as EventRow;
    tables.events.set('live:event:e1 event', { ...row, body, bodySha256: sha256(body) });
    expect((await found(tables)).toSorted()).toEqual([
      ['missing_fact', 'A', 'e1'],
      ['stale_fact', 'A', 'e1'],
    ]);
  });
});
