import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { waitingPagesMax } from '../../../lambdas/contract/limits.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { setUpQuery } from '../../doubles/order-query.ts';

const quarantined = {
  record: 'quarantine:ab',
  outcome: 'quarantined',
  reason: 'sandbox_flag_missing',
  waiting: 'quarantined',
} as const;
const full = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
const conflict = { record: 'conflict:ab', outcome: 'conflict', waiting: 'conflict' } as const;

/** A payment that waits: its sandbox flag disagrees with its key. */
const misplaced = (eventId: string, orderId: string) =>
  bytesOf(paidEvent({ seed: eventId, eventId, orderId, sandbox: true }));
const order_id = 'order-1';

/** Over an index that has always another page, and the kinds of the pages that were read. */
function setUpEndless() {
  const searched: string[] = [];
  const query = setUpQuery(({ waiting }) => ({
    waiting: {
      async list(selection) {
        searched.push(selection.kind);
        const page = await waiting.list(selection);
        return { ...page, next: { key: 'k', record: 'r', recordedAt: '2026' } };
      },
    },
  }));
  return { ...query, searched };
}

describe('the events that wait and name an order', () => {
  it('are found in every kind that names orders, oldest first, and no others', async () => {
    const { get, open } = setUpQuery();
    const at = (hour: number) => ({ receivedAt: `2026-11-21T${hour}:00:00.000Z` });
    const assigned = { reading: { orderId: null }, assignedOrderIds: [order_id] };
    for (const row of [
      eventRow('evt-0', { ...quarantined, ...at(11) }),
      eventRow('evt-1', { ...quarantined, bodySha256: '1' }),
      eventRow('evt-2', { ...conflict, bodySha256: '2' }),
      eventRow('evt-3', { ...full, ...assigned, bodySha256: '3' }),
      eventRow('evt-other', { ...quarantined, reading: { orderId: 'order-2' } }),
      eventRow('evt-sandbox', { ...quarantined, mode: 'sandbox' }),
      eventRow('evt-done'),
    ])
      await open().store.put(row);
    const { status, type, body } = await get('/orders/{order_id}', { order_id });
    expect([status, type]).toEqual([404, 'application/problem+json']);
    expect((await get('/orders/{order_id}/events', { order_id })).body).toEqual(body);
    expect(body.detail).toBe(
      '4 live events that name the order "order-1" wait for a person; none counts yet.',
    );
    expect(body.waiting).toMatchObject([
      { event_id: 'evt-1', kind: 'quarantined' },
      { event_id: 'evt-3', kind: 'order_refused' },
      { event_id: 'evt-2', kind: 'conflict' },
      { event_id: 'evt-0', kind: 'quarantined' },
    ]);
    expect(body.waiting[0]).toEqual({
      event_id: 'evt-1',
      event_name: 'transaction.paid',
      ...{ meaning: 'paid', amount: '10.00', currency: 'EUR' },
      kind: 'quarantined',
      outcome: 'quarantined',
      reason: 'sandbox_flag_missing',
      received_at: '2026-11-21T10:00:00.000Z',
      body_sha256: '1',
    });
  });

  it('are shown with the events that count, and whether everything that waits was searched', async () => {
    for (const isComplete of [true, false]) {
      const { get, deliver } = isComplete ? setUpQuery() : setUpEndless();
      const counted = bytesOf(paidEvent({ seed: 'evt-1', eventId: 'evt-1', orderId: order_id }));
      await deliver([counted, misplaced('evt-2', order_id)]);
      const { body } = await get('/orders/{order_id}/events', { order_id });
      expect(body).toMatchObject({ events: [{ id: 'evt-1', others: [] }], waiting_complete: isComplete });
      expect(body.waiting[0]).toMatchObject({ event_id: 'evt-2', reason: 'sandbox_flag_disagrees' });
    }
  });
});

describe('the 404 of an order', () => {
  it('claims that no event has named it only after a complete search, of a bounded number of pages', async () => {
    const bodyOf = async ({ get }: ReturnType<typeof setUpQuery>) =>
      (await get('/orders/{order_id}', { order_id })).body;
    expect(await bodyOf(setUpQuery())).toEqual({
      ...{ type: 'about:blank', title: 'Not Found', status: 404 },
      ...{ detail: 'No live event has named the order "order-1".', waiting: [], acts: [] },
    });
    const endless = setUpEndless();
    expect((await bodyOf(endless)).detail).toBe(
      'No live event counts in the order "order-1"; more events wait than could be searched.',
    );
    const pages = ['conflict', 'order_refused', 'quarantined'].flatMap((kind) =>
      Array<string>(waitingPagesMax).fill(kind),
    );
    expect(endless.searched.toSorted()).toEqual(pages);
  });

  it('does not claim it of an id that is too long for a row', async () => {
    const { body } = await setUpQuery().get('/orders/{order_id}', { order_id: 'x'.repeat(1_025) });
    expect(body.detail).toBe(
      'No live order can have an id of more than 1024 bytes; ' +
        'an event that names it waits for a person, with the reason order_id_invalid.',
    );
  });

  it('of which the events were dismissed refers to the acts, and lists them', async () => {
    const { get, acts } = setUpQuery();
    const act = { by: 'ana', at: '2026-11-22T10:00:00.000Z', reason: 'a test', eventId: 'evt-1' };
    acts.set('live:order:order-1\nact:1', { act: 'dismiss', ...act, orderId: order_id });
    expect((await get('/orders/{order_id}/events', { order_id })).body).toMatchObject({
      status: 404,
      detail:
        'No live event counts in the order "order-1"; ' +
        'see acts for what operators did with the events that named it.',
      waiting: [],
      acts: [{ act: 'dismiss', event_id: 'evt-1', attention: null }],
    });
  });
});
