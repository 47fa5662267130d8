import { describe, expect, it } from 'vitest';
import { correctionFact } from '../lambdas/domain/fact.ts';
import { readTogether } from '../lambdas/operations/replay-event.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { memoryActStores } from './doubles/act-stores.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { fold, meaningOf } from './doubles/fold.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { deliver, moneyOf as moneyByOrder, readAs } from './doubles/misread.ts';
import { sha256 } from './doubles/older-parser.ts';
import { operationsOver } from './doubles/operations.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter, notedCalls } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const refund = { id: 'r', action: 'refunded' };
const payment = { id: 'p', order: 'A' };

const moneyOf = ({ orders }: Tables) =>
  Object.fromEntries([...orders.values()].map(({ order, facts }) => [order.id, fold(facts).status]));

describe('a replay', () => {
  it('gives an event that waits for an order the one that this version reads in it', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'p' });
    expect(tables.waiting()).toEqual(['live:event:p event']);
    readAs(tables, payment);
    expect(await tables.act('replay', { event_id: 'p' })).toMatchObject({ status: 200, changed: true });
    expect([moneyOf(tables), tables.waiting()]).toEqual([{ A: 'paid' }, []]);
    // The fact stays in the row of the transaction, and does not count in an order that is paid later.
    await deliver(tables, { id: 'q', order: 'B', action: 'paid', amount: '7.00' });
    expect(fold(tables.orders.get('live:order:B')?.facts ?? []).transactions).toMatchObject([
      { amount: '7.00' },
    ]);
  });

  it('corrects a dismissed refund that its payment has brought to an order since', async () => {
    const tables = sharedTables();
    await deliver(tables, refund);
    await tables.act('dismiss', { event_id: 'r' });
    await deliver(tables, payment);
    expect(moneyOf(tables)).toEqual({ A: 'refunded' });
    readAs(tables, { ...refund, amount: '5.00' });
    expect(await tables.act('replay', { event_id: 'r' })).toMatchObject({ changed: true });
    expect(moneyOf(tables)).toEqual({ A: 'partially_refunded' });
  });

  it('finds nothing to do for a body that was admitted out of quarantine under an order', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'p', order: 'o'.repeat(1_025) });
    await tables.act('admit', { event_id: 'p', order_id: 'A' });
    const row = tables.events.get('live:event:p event');
    expect(await tables.act('replay', { event_id: 'p' })).toMatchObject({ status: 200, changed: false });
    expect(tables.events.get('live:event:p event')).toEqual(row);
    expect(moneyOf(tables)).toEqual({ A: 'paid' });
  });

  it('counts an admitted payment once when this version reads another order in it', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'p' });
    await tables.act('admit', { event_id: 'p', order_id: 'B' });
    readAs(tables, payment);
    await tables.act('replay', { event_id: 'p' });
    expect(moneyOf(tables)).toEqual({ A: 'paid', B: 'pending' });
    expect(await tables.act('replay', { event_id: 'p' })).toMatchObject({ changed: false });
    expect(await tables.act('admit', { event_id: 'p', order_id: 'B' })).toMatchObject({
      status: 409,
      detail: 'The event "p" does not wait: it is applied to the order "A". It counts in one order only.',
    });
  });

  it('takes an order out of a transaction that neither of its payments names any more', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, { id: 'q', order: 'A' }, refund);
    readAs(tables, { ...payment, transaction: 'U' });
    readAs(tables, { id: 'q', order: 'A', transaction: null });
    await tables.act('replay', {});
    expect([moneyOf(tables), tables.waiting()]).toEqual([{ A: 'paid' }, ['live:event:r event']]);
  });

  it('leaves a refund to the order that a later payment gives its transaction, even the one that it left', async () => {
    const tables = sharedTables();
    await deliver(tables, { ...refund, order: 'A' });
    readAs(tables, refund);
    await tables.act('replay', { event_id: 'r' });
    expect([moneyOf(tables), tables.waiting()]).toEqual([{ A: 'pending' }, ['live:event:r event']]);
    await deliver(tables, payment);
    expect([moneyOf(tables), tables.waiting()]).toEqual([{ A: 'refunded' }, []]);
  });

  it('moves a refund with its payment, also back to the order that both have left', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    readAs(tables, { id: 'p', order: 'B' });
    await tables.act('replay', { event_id: 'p' });
    expect(moneyOf(tables)).toEqual({ A: 'pending', B: 'refunded' });
    readAs(tables, payment);
    await tables.act('replay', { event_id: 'p' });
    expect(moneyOf(tables)).toEqual({ A: 'refunded', B: 'pending' });
  });

  it('of a payment that moves, and of an event that follows it, leaves nothing in the former order', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'e' }, { id: 'p', order: 'B' });
    readAs(tables, { id: 'e', amount: '1.00' });
    readAs(tables, payment);
    expect(await tables.act('replay', {})).toMatchObject({ changed: true });
    const counted = Object.entries(tables.orderViews()).map(([id, { events }]) => [id, events]);
    expect(counted).toEqual([
      ['B', []],
      ['A', ['e', 'p']],
    ]);
  });

  it('of a refund corrects its order although it died after it corrected the transaction', async () => {
    for (let calls = 1; ; calls += 1) {
      const tables = sharedTables();
      await deliver(tables, payment, refund);
      readAs(tables, { ...refund, amount: '5.00' });
      const { status } = await tables.act(
        'replay',
        { event_id: 'r' },
        'ann',
        dyingAfter(calls)(async () => {}),
      );
      if (status === 200) break;
      await tables.act('replay', { event_id: 'r' });
      expect([calls, moneyOf(tables)]).toEqual([calls, { A: 'partially_refunded' }]);
    }
  });
});

describe('a replay of an admitted conflict', () => {
  const own = { id: 'e', order: 'A', amount: '1.00' };
  const conflict = { ...own, action: 'refunded', order: 'X', amount: '7.00' };
  const at = `live:event:e conflict:${sha256(eventBody(conflict))}`;

  async function admitted(other: EventFields = conflict, order_id = 'X'): Promise<Tables> {
    const tables = sharedTables();
    const body_sha256 = sha256(eventBody(other));
    await deliver(tables, own, other);
    await tables.act('admit', { event_id: 'e', body_sha256, order_id });
    return tables;
  }
  function readConflictAs({ events }: Tables, fields: EventFields, key = at): void {
    const row = events.get(key);
    if (row) events.set(key, { ...row, body: eventBody(fields) });
  }
  const amounts = (tables: Tables) =>
    Object.entries(moneyByOrder(tables)).map(([id, { counted }]) => [
      id,
      ...counted.map((one) => one.amount),
    ]);
  const ordersWith = (tables: Tables) =>
    amounts(tables).flatMap(([id, ...counted]) => (counted.includes('7.00') ? [id] : []));

  it.each<[string, EventFields]>([
    ['a refund', { ...conflict, transaction: 'U' }],
    ['a payment without a transaction', { ...conflict, action: 'paid', transaction: null }],
  ])('counts %s in the one order that this version reads, as often as that changes', async (_, other) => {
    const tables = await admitted(other);
    const key = `live:event:e conflict:${sha256(eventBody(other))}`;
    for (const order of ['Z', 'X', 'Y', 'Z', null, 'X']) {
      readConflictAs(tables, { ...other, order }, key);
      const state = tables.state();
      await tables.act('replay', { event_id: 'e', dry_run: true });
      expect(tables.state()).toEqual(state);
      await tables.act('replay', { event_id: 'e' });
      // Without an order in the body, the operator's stands.
      expect(ordersWith(tables)).toEqual([order ?? 'X']);
      expect(tables.events.get(key)?.orderId).toBe(order ?? undefined);
      expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ changed: false });
    }
  });

  it('counts a refund with the order of an operator in the one transaction that this version reads', async () => {
    const unnamed = { ...conflict, order: null, transaction: 'U' };
    const tables = await admitted(unnamed);
    const key = `live:event:e conflict:${sha256(eventBody(unnamed))}`;
    await deliver(tables, { id: 'p', order: 'B', transaction: 'V' });
    for (const transaction of ['V', 'U']) {
      readConflictAs(tables, { ...unnamed, transaction }, key);
      await tables.act('replay', { event_id: 'e' });
      expect(ordersWith(tables)).toEqual(transaction === 'V' ? ['X', 'B'] : ['X']);
    }
  });

  it('counts it in one order after a replay that died anywhere, and is repeated by the next version', async () => {
    let status: number | undefined = 0;
    for (let calls = 1; status !== 200; calls += 1) {
      const tables = await admitted();
      readConflictAs(tables, { ...conflict, order: 'Z' });
      ({ status } = await tables.act(
        'replay',
        { event_id: 'e' },
        'ann',
        dyingAfter(calls)(async () => {}),
      ));
      await tables.act('replay', { event_id: 'e' });
      readConflictAs(tables, conflict);
      await tables.act('replay', { event_id: 'e' });
      expect([calls, ordersWith(tables)]).toEqual([calls, ['X']]);
    }
  });

  it.each<[string, EventFields]>([
    ['came before', own],
    ['names its former order too', { ...own, order: 'X', transaction: 'U' }],
  ])('that is a payment takes along its refunds, with an event that %s', async (_, first) => {
    const other = { ...conflict, action: 'paid', transaction: 'U' };
    const [key, body_sha256] = [
      `live:event:e conflict:${sha256(eventBody(other))}`,
      sha256(eventBody(other)),
    ];
    const before = { id: 'r', action: 'refunded', transaction: 'U', amount: '1.00' };
    const later = { ...before, id: 's', amount: '2.00' };
    const begin = async () => {
      const tables = sharedTables();
      await deliver(tables, first, other);
      await tables.act('admit', { event_id: 'e', body_sha256, order_id: 'X' });
      await deliver(tables, before);
      return tables;
    };
    const refundsOf = (tables: Tables) =>
      Object.entries(moneyByOrder(tables)).map(([id, { counted }]) => [
        id,
        ...counted.flatMap((one) => (one.id === 'e' ? [] : [one.id])),
      ]);
    const kept = first.order === 'X' ? [['X', 'r', 's']] : [['A']];
    const noted = notedCalls();
    const whole = await begin();
    readConflictAs(whole, { ...other, order: 'Z' }, key);
    await whole.act('replay', { event_id: 'e' }, 'ann', noted.gate);
    expect(noted.of('leave')).toHaveLength(first.order === 'X' ? 0 : 1);
    let status: number | undefined = 0;
    for (let calls = 1; status !== 200; calls += 1) {
      const tables = await begin();
      for (const order of ['Z', 'X', 'Z']) {
        readConflictAs(tables, { ...other, order }, key);
        ({ status } = await tables.act(
          'replay',
          { event_id: 'e' },
          'ann',
          dyingAfter(calls)(async () => {}),
        ));
        await tables.act('replay', { event_id: 'e' });
      }
      await deliver(tables, later);
      expect([calls, refundsOf(tables)]).toEqual([calls, [...kept, ['Z', 'r', 's']]]);
      expect(tables.waiting()).toEqual([]);
    }
  });

  it('counts it where this version reads it although the event itself waits', async () => {
    const tables = sharedTables();
    await deliver(tables, { ...own, order: null }, conflict);
    await tables.act('admit', { event_id: 'e', body_sha256: sha256(eventBody(conflict)), order_id: 'X' });
    readConflictAs(tables, { ...conflict, order: 'Z' });
    await tables.act('replay', { event_id: 'e' });
    expect(ordersWith(tables)).toEqual(['Z']);
    expect(tables.waiting()).toEqual(['live:event:e event']);
    expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ changed: false });
  });

  it('of which another body names the order of a payment lets that payment move with its refunds', async () => {
    const tables = sharedTables();
    const disputed = { ...own, action: 'disputed' };
    const payment = { id: 'p', order: 'A' };
    const other = { ...conflict, action: 'paid', order: 'A', transaction: 'U' };
    await deliver(tables, disputed, other, payment, { id: 'r', action: 'refunded' });
    await tables.act('admit', { event_id: 'e', body_sha256: sha256(eventBody(other)), order_id: 'A' });
    readAs(tables, { ...payment, order: 'B' });
    await tables.act('replay', { event_id: 'p' });
    expect(tables.orderViews()).toMatchObject({ A: { events: ['e'] }, B: { events: ['p', 'r'] } });
  });

  it.each([
    ['once it is admitted', true],
    ['not while it waits', false],
  ])('keeps an order in a transaction although its event cannot be read: %s', async (_, isAdmitted) => {
    const tables = sharedTables();
    const payment = { id: 'p', order: 'A' };
    const other = { id: 'e', order: 'A', amount: '7.00' };
    await deliver(tables, payment, { id: 'e' }, other);
    const body_sha256 = sha256(eventBody(other));
    if (isAdmitted) await tables.act('admit', { event_id: 'e', body_sha256, order_id: 'A' });
    const row = tables.events.get('live:event:e event');
    if (row) tables.events.set('live:event:e event', { ...row, body: Buffer.from('{}') });
    readAs(tables, { ...payment, order: 'B' });
    await tables.act('replay', { event_id: 'p' });
    const orderIds = tables.transactions.get('live:transaction:T')?.orderIds;
    expect(orderIds).toEqual(new Set(isAdmitted ? ['A', 'B'] : ['B']));
  });

  it('is about to move when another order is read in it, though not in the event', async () => {
    const tables = await admitted();
    const now = () => new Date('2026-11-22T09:00:00.000Z');
    const parts = { ...memoryActStores(tables), meaningOf, eventRetentionDays: undefined, now };
    const both = [{ eventId: 'e' }, { eventId: 'another' }];
    expect(await readTogether(parts, 'live', both)).toHaveLength(2);
    readConflictAs(tables, { ...conflict, order: 'Z' });
    expect(await readTogether(parts, 'live', both)).toBeUndefined();
    expect(await readTogether(parts, 'live', both.slice(0, 1))).toHaveLength(1);
  });

  it('leaves one that this version cannot read where it counts', async () => {
    const tables = await admitted();
    const row = tables.events.get(at);
    if (row) tables.events.set(at, { ...row, body: Buffer.from('{}') });
    const { orders } = tables.state();
    expect((await tables.act('replay', { event_id: 'e' })).status).toBe(200);
    expect(tables.state().orders).toEqual(orders);
  });

  it('leaves the row of one that was dismissed', async () => {
    const tables = sharedTables();
    await deliver(tables, own, conflict);
    await tables.act('dismiss', { event_id: 'e', body_sha256: sha256(eventBody(conflict)) });
    readConflictAs(tables, { ...conflict, order: 'Z' });
    const row = tables.events.get(at);
    expect(row?.judged?.verdict).toBe('dismissed');
    await tables.act('replay', { event_id: 'e' });
    expect(tables.events.get(at)).toEqual(row);
  });

  it('keeps what its row says where it can correct nothing, and while the admission is under way', async () => {
    const tables = await admitted();
    const row = tables.events.get(at);
    const { body: _, ...erased } = { ...row, record: 'conflict:b', bodySha256: 'b' };
    tables.events.set('live:event:e conflict:b', erased as EventRow);
    readConflictAs(tables, { ...conflict, order: 'Z' });
    await tables.act('replay', { event_id: 'e' });
    expect(tables.events.get(at)?.orderId).toBe('X');
    tables.events.delete('live:event:e conflict:b');
    tables.events.set(at, { ...(tables.events.get(at) as EventRow), waiting: 'conflict' });
    await tables.act('replay', { event_id: 'e' });
    expect(tables.events.get(at)).toMatchObject({ orderId: 'X', waiting: 'conflict' });
  });
});

describe('an admission', () => {
  it('counts an event again in the order that an earlier replay took it out of', async () => {
    const tables = sharedTables();
    await deliver(tables, payment);
    readAs(tables, { id: 'p' });
    await tables.act('replay', { event_id: 'p' });
    expect([moneyOf(tables), tables.waiting()]).toEqual([{ A: 'pending' }, ['live:event:p event']]);
    expect(await tables.act('admit', { event_id: 'p', order_id: 'A' })).toMatchObject({ status: 200 });
    expect(moneyOf(tables)).toEqual({ A: 'paid' });
    expect(await tables.act('replay', { event_id: 'p' })).toMatchObject({ changed: false });
  });

  it('counts an event that waits in its transaction with a correction, and that its order holds', async () => {
    const tables = sharedTables();
    await deliver(tables, refund, { id: 'p', order: 'A', transaction: 'U' });
    const text = fact('r', 'refunded');
    const order = { mode: 'live', id: 'A' } as const;
    await tables.writer.merge({ order, facts: [text], now: () => new Date(0) });
    const correction = correctionFact(text, 1);
    await tables.writer.join({ mode: 'live', transactionId: 'T', add: { correction } });
    expect(await tables.act('admit', { event_id: 'r', order_id: 'A' })).toMatchObject({ status: 200 });
    expect(tables.orderViews()['A']?.events).toEqual(['p', 'r']);
  });

  it('of an event without a transaction, which counts again, reads none', async () => {
    const tables = sharedTables();
    await deliver(tables, { ...payment, transaction: null });
    readAs(tables, { id: 'p', transaction: null });
    await tables.act('replay', { event_id: 'p' });
    const { transactions } = memoryActStores(tables);
    const get = () => Promise.reject(new Error('a read of no transaction'));
    const api = operationsOver(tables, { transactions: { ...transactions, get } });
    const body = JSON.stringify({ event_id: 'p', order_id: 'A', reason: 'checked' });
    expect(await api(gatewayEvent({ routeKey: 'POST /operations/admit', body }))).toMatchObject({
      statusCode: 200,
    });
    expect(moneyOf(tables)).toEqual({ A: 'paid' });
  });
});
