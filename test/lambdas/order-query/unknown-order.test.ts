import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../doubles/event-rows.ts';
import { consumedTables, orderQueryOver, request } from '../../doubles/order-query.ts';
import type { SentBody } from '../../doubles/sqs-event.ts';

/** A payment that waits: its sandbox flag disagrees with its key. */
const misplaced = (eventId: string, orderId: string) =>
  bytesOf(paidEvent({ seed: eventId, eventId, orderId, sandbox: true }));

async function setUp(...sent: SentBody[]) {
  const { reader } = await consumedTables(...sent);
  const query = (isComplete = true) =>
    orderQueryOver({
      reader: {
        ...reader,
        waiting: {
          async list(selection) {
            const page = await reader.waiting.list(selection);
            return isComplete ? page : { ...page, next: { key: 'k', record: 'r', recordedAt: '2026' } };
          },
        },
      },
    });
  const get = (order_id: string, { route = 'GET /orders/{order_id}', isComplete = true } = {}) =>
    request(query(isComplete), { routeKey: route, pathParameters: { order_id } });
  return { get };
}

describe('the 404 of an order', () => {
  it.each(['GET /orders/{order_id}', 'GET /orders/{order_id}/events'])(
    'of %s lists the events that name the order and wait, each with its reason',
    async (route) => {
      const [first, second] = [misplaced('evt-1', 'o-1'), misplaced('evt-2', 'o-1')];
      const { get } = await setUp({ body: first }, { body: second }, { body: misplaced('evt-3', 'o-2') });
      const { status, type, body } = await get('o-1', { route });
      expect([status, type]).toEqual([404, 'application/problem+json']);
      expect(body.detail).toBe('2 live events that name the order "o-1" wait for a person; none counts yet.');
      expect(body.waiting.map((event: { event_id: string }) => event.event_id).toSorted()).toEqual([
        'evt-1',
        'evt-2',
      ]);
      expect(body.waiting[0]).toEqual({
        event_id: expect.any(String),
        event_name: 'transaction.paid',
        kind: 'quarantined',
        outcome: 'quarantined',
        reason: 'sandbox_flag_disagrees',
        received_at: '2026-11-21T10:00:00.000Z',
        body_sha256: expect.stringMatching(new RegExp(`^(${sha256(first)}|${sha256(second)})$`)),
      });
    },
  );

  it('claims that no event has named the order only after a complete search', async () => {
    const { get } = await setUp();
    const claim = 'No live event has named the order "o-1".';
    expect((await get('o-1')).body).toMatchObject({ detail: claim, waiting: [] });
    expect((await get('o-1', { isComplete: false })).body.detail).toBe(
      'No live event counts in the order "o-1"; more events wait than could be searched.',
    );
  });

  it('does not claim it of an id that is too long for a row', async () => {
    const { get } = await setUp();
    expect((await get('x'.repeat(1_025))).body).toMatchObject({
      status: 404,
      detail:
        'No live order can have an id of more than 1024 bytes; ' +
        'an event that names it waits for a person, with the reason order_id_invalid.',
      waiting: [],
      acts: [],
    });
  });
});

it('the events of an order show whether everything that waits was searched for it', async () => {
  const counted = bytesOf(paidEvent({ seed: 'evt-1', eventId: 'evt-1', orderId: 'o-1' }));
  const { get } = await setUp({ body: counted }, { body: misplaced('evt-2', 'o-2') });
  const route = 'GET /orders/{order_id}/events';
  expect((await get('o-1', { route })).body).toMatchObject({ waiting: [], waiting_complete: true });
  expect((await get('o-1', { route, isComplete: false })).body).toMatchObject({ waiting_complete: false });
});
