import { expect, it } from 'vitest';
import { bodiesOfEventMax, transactionEntriesMax } from '../../../lambdas/contract/limits.ts';
import { eventKey } from '../../../lambdas/contract/schema.ts';
import { PermanentStoreError } from '../../../lambdas/ports/stores.ts';
import { at, describeBoth, later, numbers } from '../../doubles/both-tables.ts';
import { conflictRow, eventRow } from '../../doubles/event-rows.ts';

describeBoth('a first delivery', (open) => {
  it('stores a row once', async () => {
    const { store, id, rowsOf } = open();
    expect(await store.put(eventRow(id))).toBe(true);
    expect(await store.put(eventRow(id, { outcome: 'recorded' }))).toBe(false);
    expect(await rowsOf()).toEqual([eventRow(id)]);
  });

  it('stores a body in a row of its own, once, which expires when that is set first', async () => {
    const { store, id, rowsOf } = open();
    const row = eventRow(id, { bodyRow: {} });
    const { body: _, bodyRow: __, ...bodiless } = row;
    await store.put(row);
    expect(await rowsOf()).toEqual([bodiless]);
    const body = { key: row.key, bodySha256: row.bodySha256, body: row.body as Uint8Array };
    await store.putBody(body);
    await store.putBody({ ...body, expiresAt: 1 });
    expect(await rowsOf()).toEqual([row]);
    await store.expireBody(body, 2_000_000_000);
    await store.expireBody(body, 2_100_000_000);
    expect(await rowsOf()).toEqual([{ ...row, bodyRow: { expiresAt: 2_000_000_000 } }]);
  });

  it('joins a transaction while there is room', async () => {
    const { ports, store, id, join } = open();
    expect(await ports.transactions.getTransaction('live', id)).toEqual({ entries: [], version: 0 });
    for (const n of numbers(transactionEntriesMax)) await join(`entry ${n}`);
    const full = await join('entry 0');
    expect(full).toMatchObject({ joinedAt: at, version: transactionEntriesMax + 1 });
    expect(full.entries).toHaveLength(transactionEntriesMax);
    const refused = { ...full, version: transactionEntriesMax + 2 };
    expect(await join('one more')).toEqual(refused);
    expect(await store.transactionRows('live', [id, 'unseen'])).toEqual(new Map([[id, refused]]));
  });

  it('merges facts into an order, and counts the changes', async () => {
    const { store, order, orderRow, merge } = open();
    for (const _ of [1, 2]) await merge('a');
    expect(await orderRow()).toMatchObject({ facts: ['a'], updatedAt: at, sequence: 1 });
    await store.merge({ order, facts: ['a', 'b'], now: () => new Date(later) });
    const facts = expect.arrayContaining(['a', 'b']);
    expect(await orderRow()).toMatchObject({ order, facts, updatedAt: later, sequence: 2 });
  });

  it('does not merge facts for which the order has no room', async () => {
    const { orderRow, merge } = open();
    const long = numbers(199).map((n) => `${n}${'x'.repeat(2_000)}`);
    for (const start of [0, 50, 100, 150]) await merge(...long.slice(start, start + 50));
    await expect(merge('y'.repeat(20_000))).rejects.toThrow(PermanentStoreError);
    expect((await orderRow()).facts).toHaveLength(199);
  });

  it('settles an event that names no order, once', async () => {
    const { store, id, rowsOf } = open();
    const reading = { orderId: null, transactionId: 'txn-1', meaning: 'refunded' } as const;
    const row = eventRow(id, { reading, outcome: 'unassigned', waiting: 'unassigned' });
    const settlement = { mode: 'live', eventId: id, orderIds: ['a', 'b'] } as const;
    expect(await store.settle(settlement)).toBe(false);
    await store.put(row);
    expect(await store.settle(settlement)).toBe(true);
    expect(await store.settle({ ...settlement, orderIds: ['c'] })).toBe(false);
    const { waiting: _, ...settled } = row;
    const assigned = { outcome: 'applied', assignedOrderIds: ['a', 'b'], version: 1 };
    expect(await rowsOf()).toEqual([{ ...settled, ...assigned }]);
  });
});

describeBoth('the rows under an id', (open) => {
  it('are found with their bodies, by body, and without bodies', async () => {
    const { ports, store, id, rowsOf } = open();
    const [own, conflict, other] = [
      eventRow(id),
      conflictRow(id, 'b'),
      conflictRow(id, 'c', { bodyRow: {} }),
    ];
    for (const row of [own, conflict, other]) await store.put(row);
    await store.putBody({ ...other, body: other.body as Uint8Array });
    const all = await rowsOf();
    expect(all).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining([own, conflict, other]));
    expect(await ports.events.find(`live:event:${id}`)).toEqual(all);
    const found = await ports.events.findBody(`live:event:${id}`, other.bodySha256);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([own, other]));
    const { body: _, ...bodiless } = own;
    expect(await store.eventRows('live', [id, 'unseen', id])).toEqual(new Map([[id, bodiless]]));
    const { receivedAt, recordedAt, keyId, bodySha256 } = own;
    const summary = { receivedAt, recordedAt, keyId, bodySha256 };
    expect((await ports.events.summaries('live', [id])).get(id)).toMatchObject(summary);
  });

  it('are too many above a bound, and the first are found, the event among them', async () => {
    const { ports, store, id } = open();
    await store.put(eventRow(id));
    for (const n of numbers(bodiesOfEventMax)) await store.put(conflictRow(id, `body ${n}`));
    expect(await store.bodiesOf(`live:event:${id}`)).toEqual({ kind: 'too_many_bodies' });
    const found = await ports.events.find(`live:event:${id}`);
    expect(found).toHaveLength(bodiesOfEventMax);
    expect(found).toContainEqual(eventRow(id));
  });

  it('are scanned with the position after each, by time', async () => {
    const { ports, store, id } = open();
    const mode = 'sandbox';
    const rows = [
      eventRow(id, { mode, recordedAt: at }),
      { ...conflictRow(id, 'b'), key: eventKey(mode, id), mode, recordedAt: later } as const,
      { ...eventRow(id, { mode, record: 'quarantine:b' }) },
    ];
    for (const row of rows) await store.put(row);
    const scan = async (range: object) => {
      const { events } = await ports.eventScan.page({ mode, ...range });
      return events.filter(({ eventId }) => eventId === id).map(({ position }) => position.record);
    };
    expect(await scan({})).toEqual([rows[1]?.record, 'event']);
    expect(await scan({ until: at })).toEqual(['event']);
    expect(await scan({ since: later, until: later })).toEqual([rows[1]?.record]);
    const after = { key: eventKey(mode, id), record: rows[1]?.record ?? '' };
    expect(await scan({ after })).toEqual(['event']);
    const { events } = await ports.eventScan.page({ mode, withBodies: true });
    const scanned = events.filter(({ eventId }) => eventId === id).map(({ bodies }) => bodies);
    const found = await store.bodiesOf(eventKey(mode, id));
    expect(scanned).toEqual([found, found]);
    const parts = await Promise.all(
      [0, 1, 2].map((index) => ports.eventScan.page({ mode, segment: { index, of: 3 } })),
    );
    expect(parts.flatMap((part) => part.events)).toHaveLength(events.length);
  });
});
