import { describe, expect, it } from 'vitest';
import { createDryRunStores } from '../lambdas/operations/dry-run-stores.ts';
import { replayEvent } from '../lambdas/operations/replay-event.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { memoryActStores } from './doubles/act-stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { fact, paid } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';
import { type ReadEvent, readByOlderParser, sha256 } from './doubles/older-parser.ts';

const correction = (text: string, n: number) => JSON.stringify(['correction.1', sha256(text), n]);

async function setUp(...events: readonly ReadEvent[]) {
  const stores = await readByOlderParser(...events);
  const acting = memoryActStores(stores);
  const now = () => new Date('2026-11-22T10:00:00.000Z');
  const parts = { ...acting, meaningOf, eventRetentionDays: undefined, now };
  return {
    ...stores,
    parts,
    replay: (id: string) => replayEvent(parts, 'live', { eventId: id }),
    dryRun: (id: string) => replayEvent({ ...parts, ...createDryRunStores(acting) }, 'live', { eventId: id }),
  };
}

describe('a replay of an event that an older version read differently', () => {
  it('replaces the fact in its order', async () => {
    const { replay, factsOf, amountsOf } = await setUp({
      real: { id: 'e1', order: 'A' },
      as: { amount: '1.00' },
    });
    const old = paid('e1', { amount: '1.00' });
    expect(factsOf('A')).toEqual([old]);
    expect(await replay('e1')).toMatchObject({ kind: 'replayed', eventId: 'e1' });
    expect(new Set(factsOf('A'))).toEqual(new Set([old, correction(old, 1), paid('e1')]));
    expect(amountsOf('A')).toEqual(['100.00']);
  });

  it('changes nothing when it is repeated', async () => {
    const { replay, factsOf, rowOf } = await setUp({ real: { id: 'e1', order: 'A' }, as: { order: 'B' } });
    await replay('e1');
    const [a, b, row] = [factsOf('A'), factsOf('B'), rowOf('e1')];
    await replay('e1');
    expect([factsOf('A'), factsOf('B'), rowOf('e1')]).toEqual([a, b, row]);
  });

  it('moves a payment to the order that it names, without a mark of sharing', async () => {
    const { replay, statusOf, attentionOf, rowOf, transactions } = await setUp({
      real: { id: 'e1', order: 'B' },
      as: { order: 'A' },
    });
    await replay('e1');
    expect([statusOf('A'), statusOf('B')]).toEqual(['pending', 'paid']);
    expect([attentionOf('A'), attentionOf('B')]).toEqual([[], []]);
    expect(rowOf('e1')).toMatchObject({ orderId: 'B', outcome: 'applied' });
    expect([...(transactions.get('live:transaction:T')?.orderIds ?? [])]).toEqual(['B']);
  });

  it('moves the refund that came without an order id along with its payment', async () => {
    const { replay, statusOf, rowOf, attentionOf } = await setUp(
      { real: { id: 'e1', order: 'B' }, as: { order: 'A' } },
      { real: { id: 'e2', action: 'refunded' } },
    );
    expect([statusOf('A'), rowOf('e2')?.assignedOrderId]).toEqual(['refunded', 'A']);
    await replay('e1');
    expect([statusOf('A'), statusOf('B'), rowOf('e2')?.assignedOrderId]).toEqual([
      'pending',
      'refunded',
      'B',
    ]);
    expect([attentionOf('A'), attentionOf('B')]).toEqual([[], []]);
  });

  it('keeps the former order while another payment of the transaction names it', async () => {
    const { replay, transactions } = await setUp(
      { real: { id: 'e1', order: 'B' }, as: { order: 'A' } },
      { real: { id: 'e2', order: 'A' } },
    );
    await replay('e1');
    expect([...(transactions.get('live:transaction:T')?.orderIds ?? [])].sort()).toEqual(['A', 'B']);
  });

  it('counts a fact again that an earlier replay corrected', async () => {
    const { replay, factsOf, amountsOf, events, rowOf } = await setUp({
      real: { id: 'e1', order: 'A' },
      as: { amount: '1.00' },
    });
    await replay('e1');
    const body = eventBody({ id: 'e1', order: 'A', amount: '1.00' });
    const row = rowOf('e1');
    if (row) events.set('live:event:e1 event', { ...row, body, bodySha256: sha256(body) });
    await replay('e1');
    expect(amountsOf('A')).toEqual(['1.00']);
    expect(factsOf('A')).toContain(correction(paid('e1', { amount: '1.00' }), 2));
  });

  it('corrects a refund that waits in its transaction, also for an order that joins later', async () => {
    const refund = { id: 'e2', action: 'refunded', amount: '5.00' };
    const { replay, consume, factsOf, statusOf } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: refund, as: { amount: '100.00' } },
    );
    expect(statusOf('A')).toBe('refunded');
    await replay('e2');
    expect(statusOf('A')).toBe('partially_refunded');
    await consume({ body: eventBody({ id: 'e3', order: 'C' }) });
    expect(factsOf('C')).toContain(correction(fact('e2', 'refunded', { amount: '100.00' }), 1));
    expect(statusOf('C')).toBe('partially_refunded');
  });

  it('predicts all of it in a dry run, and changes nothing', async () => {
    const { dryRun, replay, factsOf, rowOf } = await setUp({
      real: { id: 'e1', order: 'B' },
      as: { order: 'A' },
    });
    const before = [factsOf('A'), factsOf('B'), rowOf('e1')];
    const predicted = await dryRun('e1');
    expect([factsOf('A'), factsOf('B'), rowOf('e1')]).toEqual(before);
    expect(await replay('e1')).toEqual(predicted);
  });
});

describe('a replay of an event', () => {
  it('makes a merge that is missing', async () => {
    const { replay, orders, factsOf } = await setUp({ real: { id: 'e1', order: 'A' } });
    orders.clear();
    await replay('e1');
    expect(factsOf('A')).toEqual([paid('e1')]);
  });

  it('joins its order to the transaction when its name means a payment by now', async () => {
    const { parts, rowOf, statusOf } = await setUp(
      { real: { id: 'e1', action: 'captured', order: 'A' } },
      { real: { id: 'e2', action: 'refunded' } },
    );
    expect(rowOf('e2')).toMatchObject({ outcome: 'unassigned', waiting: 'unassigned' });
    const known = (name: string) => (name === 'transaction.captured' ? 'paid' : meaningOf(name));
    await replayEvent({ ...parts, meaningOf: known }, 'live', { eventId: 'e1' });
    expect(rowOf('e2')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
    expect(rowOf('e2')).not.toHaveProperty('waiting');
    expect(statusOf('A')).toBe('refunded');
  });

  it('lets an event whose name means a refund by now wait while no order is known for it', async () => {
    const { parts, rowOf } = await setUp({ real: { id: 'e2', action: 'returned' } });
    await replayEvent({ ...parts, meaningOf: () => 'refunded' }, 'live', { eventId: 'e2' });
    expect(rowOf('e2')).toMatchObject({ outcome: 'unassigned', waiting: 'unassigned' });
  });

  it('merges the stored fact of an event whose body was erased', async () => {
    const { replay, orders, factsOf, rowOf, events } = await setUp({ real: { id: 'e1', order: 'A' } });
    orders.clear();
    const { body, ...row } = rowOf('e1') ?? ({} as EventRow);
    const erased = { by: 'someone', at: '2026-11-22T09:00:00.000Z', reason: 'requested' };
    events.set('live:event:e1 event', { ...row, fact: paid('e1'), erased });
    await replay('e1');
    expect(factsOf('A')).toEqual([paid('e1')]);
    expect(rowOf('e1')).not.toHaveProperty('body');
  });

  it('keeps both facts of a conflict within one order', async () => {
    const { replay, factsOf } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e1', order: 'A', amount: '7.00' } },
    );
    const before = factsOf('A');
    await replay('e1');
    expect(factsOf('A')).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it.each([
    ['waits', { waiting: 'unassigned' }, 'waiting'],
    ['was dismissed', { judged: { verdict: 'dismissed', by: 'b', at: 'a', reason: 'r' } }, 'dismissed'],
  ] as const)('leaves an event that %s as it is', async (_, state, reason) => {
    const { replay, events, rowOf } = await setUp({ real: { id: 'e2', action: 'refunded' } });
    const { waiting, ...row } = rowOf('e2') ?? ({} as EventRow);
    events.set('live:event:e2 event', { ...row, ...state });
    expect(await replay('e2')).toEqual({ kind: 'left', eventId: 'e2', reason });
    expect(rowOf('e2')).toEqual({ ...row, ...state });
  });

  it('leaves an event that this version would not accept, and its money', async () => {
    const { replay, events, rowOf, statusOf } = await setUp({ real: { id: 'e1', order: 'A' } });
    const row = rowOf('e1') ?? ({} as EventRow);
    events.set('live:event:e1 event', { ...row, body: Buffer.from('{}') });
    expect(await replay('e1')).toEqual({ kind: 'left', eventId: 'e1', reason: 'id_missing' });
    expect(statusOf('A')).toBe('paid');
  });

  it('keeps an admitted event in the order that the operator named', async () => {
    const { replay, events, rowOf, parts, statusOf } = await setUp({ real: { id: 'e1', transaction: null } });
    const { waiting, ...row } = rowOf('e1') ?? ({} as EventRow);
    const judged = { verdict: 'admitted', by: 'b', at: 'a', reason: 'r', orderId: 'X' } as const;
    events.set('live:event:e1 event', { ...row, outcome: 'applied', assignedOrderId: 'X', judged });
    const order = { mode: 'live', id: 'X' } as const;
    await parts.orders.merge({ order, facts: [paid('e1', { transactionId: null })], now: parts.now });
    await replay('e1');
    expect(statusOf('X')).toBe('paid');
    expect(rowOf('e1')).toMatchObject({ outcome: 'applied', assignedOrderId: 'X' });
  });
});
