import { expect, it } from 'vitest';
import { eventKey, orderKey } from '../../../lambdas/contract/schema.ts';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import { at, decision, describeBoth, later, numbers } from '../../doubles/both-tables.ts';
import { conflictRow, eventRow } from '../../doubles/event-rows.ts';

/** The time at which it is sent. */
const stamped = { updatedAt: expect.any(String) };

describeBoth('a transaction', (open) => {
  it('writes rows of every kind', async () => {
    const { ports, store, id, order, rowsOf, commit } = open();
    const act = { ...decision, act: 'admit', eventId: id, orderId: order.id } as const;
    const acts = [eventKey('live', id), orderKey('live', order.id)].map((partition) => ({
      act,
      partition,
    }));
    const row = eventRow(id);
    const placed = { order, facts: ['a', 'b'], updatedAt: later, sequence: 1 };
    const joined = {
      mode: 'live',
      transactionId: id,
      before: undefined,
      after: { entries: ['e'], version: 0 },
    } as const;
    const changes = {
      events: [{ before: undefined, after: row }],
      transactions: [joined],
      orders: [{ before: undefined, after: placed }],
      acts: [...acts, ...acts.slice(0, 1)],
    };
    expect(await commit(changes)).toEqual({ kind: 'committed' });
    expect(await rowsOf()).toEqual([row]);
    expect(await store.orderRows('live', [order.id, 'unseen'])).toEqual(
      new Map([[order.id, { ...placed, ...stamped }]]),
    );
    expect(await ports.transactions.getTransaction('live', id)).toEqual({ entries: ['e'], version: 1 });
    for (const { partition } of acts) expect(await ports.acts.actsOf(partition)).toEqual([act]);
    // Every row is there already.
    expect(await commit({ orders: changes.orders })).toEqual({ kind: 'changed' });
    expect(await commit({ transactions: [joined] })).toEqual({ kind: 'changed' });
    expect(await commit({ events: changes.events })).toEqual({ kind: 'changed' });
  });

  it('counts the row of an event when another row under its id changes', async () => {
    const { store, id, ownRow, commit } = open();
    await store.put(eventRow(id));
    const own = await ownRow();
    const added = { before: undefined, after: conflictRow(id, 'b') };
    const events = [{ before: own, after: own }, added];
    expect(await commit({ events })).toEqual({ kind: 'committed' });
    expect(await ownRow()).toEqual({ ...own, version: 1 });
    expect(await commit({ events: [{ before: own, after: own }] })).toEqual({ kind: 'changed' });
  });

  it('changes nothing when a row that was only read has changed', async () => {
    const { ports, store, id, rowsOf, ownRow, orderRow, merge, join, commit } = open();
    await store.put(eventRow(id));
    await join('e');
    await merge('a');
    const [own, transaction, row] = [
      await ownRow(),
      await ports.transactions.getTransaction('live', id),
      await orderRow(),
    ];
    const orders = [{ before: row, after: { ...row, facts: ['b'] } }];
    const joined = { mode: 'live', transactionId: id, before: transaction, after: transaction } as const;
    await join('f');
    expect(await commit({ orders, transactions: [joined] })).toEqual({ kind: 'changed' });
    expect((await orderRow()).facts).toEqual(['a']);
    await merge('c');
    expect(await commit({ orders: [{ before: row, after: row }] })).toEqual({ kind: 'changed' });
    const after = { ...own, outcome: 'recorded' } as const;
    expect(await commit({ orders, events: [{ before: own, after }] })).toEqual({ kind: 'changed' });
    expect(await rowsOf()).toEqual([own]);
  });

  it('takes entries and facts away, and leaves the rows', async () => {
    const { store, id, orderRow, merge, join, commit } = open();
    const transaction = await join('e');
    await merge('a');
    const row = await orderRow();
    const emptied = { ...row, facts: [], updatedAt: later, published: 'once' };
    const left = { ...transaction, entries: [] };
    const changes = {
      transactions: [{ mode: 'live', transactionId: id, before: transaction, after: left } as const],
      orders: [{ before: row, after: emptied }],
    };
    expect(await commit(changes)).toEqual({ kind: 'committed' });
    expect(await orderRow()).toEqual({ ...emptied, ...stamped, sequence: 2 });
    const found = await store.transactionRows('live', [id]);
    expect(found.get(id)).toEqual({ ...left, version: 2 });
  });

  it('refuses facts for which an order has no room, and takes the mark of a full order', async () => {
    const { order, commit } = open();
    const facts = numbers(204).map((n) => `${n}${'x'.repeat(2_000)}`);
    const row = { order, facts, updatedAt: at, sequence: 1 };
    expect(await commit({ orders: [{ before: undefined, after: row }] })).toEqual({ kind: 'committed' });
    const more = { ...row, facts: [...facts, 'y'.repeat(2_000)] };
    const full = { kind: 'full', orderIds: [order.id] };
    expect(await commit({ orders: [{ before: row, after: more }] })).toEqual(full);
    const marked = { ...row, facts: [...facts, fullFact] };
    expect(await commit({ orders: [{ before: row, after: marked }] })).toEqual({ kind: 'committed' });
  });

  it('is too large above a hundred rows', async () => {
    const { store, id, commit } = open();
    const events = numbers(101).map((n) => ({ before: undefined, after: eventRow(`${id}-${n}`) }));
    expect(await commit({ events })).toEqual({ kind: 'too_large' });
    expect(await store.eventRows('live', [`${id}-0`])).toEqual(new Map());
  });

  it('erases a body that is in the row of its event', async () => {
    const { store, id, rowsOf, commit } = open();
    const { body: _, ...row } = eventRow(id);
    await store.put(eventRow(id));
    const after = { ...row, erased: decision };
    expect(await commit({ events: [{ before: eventRow(id), after }] })).toEqual({ kind: 'committed' });
    expect(await rowsOf()).toEqual([{ ...after, version: 1 }]);
  });

  it('stores, expires, keeps and removes a body that has a row of its own', async () => {
    const { store, id, rowsOf, ownRow, commit } = open();
    const { body, ...bodiless } = eventRow(id);
    await store.put(bodiless);
    const [expiring, waiting] = [{ bodyRow: { expiresAt: 2_000_000_000 } }, { bodyRow: {} }];
    for (const state of [
      { body, ...expiring },
      { body, ...waiting },
      { body, ...expiring },
      {},
    ] as Partial<EventRow>[]) {
      const before = await ownRow();
      const { version } = before;
      const after = { ...bodiless, ...state, version };
      expect(await commit({ events: [{ before, after }] })).toEqual({ kind: 'committed' });
      expect(await rowsOf()).toEqual([{ ...after, version: version + 1 }]);
    }
  });
});
