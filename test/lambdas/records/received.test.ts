import { describe, expect, it } from 'vitest';
import { refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { setUpOperator } from '../../doubles/operations.ts';

const at = (minute: number): string => `2026-11-21T09:${String(minute).padStart(2, '0')}:00.000Z`;
const junk = Buffer.from('no event');

const messages = [
  { ...sent({ id: 'pay-1', order: 'A' }), receivedAt: at(1) },
  { ...sent({ id: 'pay-1', order: 'A', transaction: 'U', amount: '90.00' }), receivedAt: at(2) },
  { ...refund, receivedAt: at(3) },
  { ...sent({ id: 'test-2', order: 'A', transaction: 'V', sandbox: true }), receivedAt: at(4) },
  { body: junk, receivedAt: at(5) },
  { ...sent({ id: 'ping', action: 'settled', order: null, transaction: null }), receivedAt: at(6) },
];

/** They are recorded in another order than they were received in. */
async function setUp() {
  const operator = setUpOperator();
  await operator.consume(...messages.toReversed());
  async function list(queryStringParameters: Record<string, string> = {}) {
    const { body } = await operator.send({ routeKey: 'GET /operations/events', queryStringParameters });
    return body;
  }
  /** Minute and id of what is listed, page after page. */
  async function lines(parameters: Record<string, string> = {}): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ ...parameters, ...(cursor !== null && { cursor }) });
      for (const { received_at, event_id } of page.events)
        found.push(`${received_at.slice(15, 16)} ${event_id}`);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }
  return { ...operator, list, lines };
}
const all = ['6 ping', '5 null', '4 test-2', '3 r', '2 pay-1', '1 pay-1'];

describe('GET /operations/events', () => {
  it('lists every body once at its receipt, with outcome and amount, whatever becomes of it later', async () => {
    const { act, list, lines } = await setUp();
    const usd = { currency: 'USD', reason: null };
    const own = { event_id: 'pay-1', event_name: 'transaction.paid', order_id: 'A' };
    expect((await list()).events).toMatchObject([
      { outcome: 'recorded', event_name: 'transaction.settled', waiting: null },
      { outcome: 'unrecognised', reason: 'not_json', event_name: null, amount: null, received_at: at(5) },
      { outcome: 'quarantined', reason: 'sandbox_flag_disagrees', waiting: 'quarantined', order_id: 'A' },
      { ...usd, outcome: 'applied', order_id: 'A', transaction_id: 'T', amount: '40.00', waiting: null },
      { ...usd, ...own, outcome: 'applied', transaction_id: 'U', amount: '90.00', received_at: at(2) },
      { ...usd, ...own, outcome: 'conflict', waiting: 'conflict', amount: '100.00', received_at: at(1) },
    ]);
    for (const [name, fields] of [
      ['admit', { event_id: 'test-2' }],
      ['dismiss', { body_sha256: sha256(junk) }],
      ['replay', { event_id: 'pay-1' }],
      ['erase', { event_id: 'test-2' }],
    ] as const) {
      expect((await act(name, fields)).status, name).toBe(200);
      expect(await lines(), `after ${name}`).toEqual(all);
    }
    expect((await list()).events[2]).toMatchObject({ outcome: 'applied', waiting: null, amount: '100.00' });
  });

  it('pages by the time of receipt, from a time on and before another one', async () => {
    const { list, lines } = await setUp();
    for (const limit of ['1', '2', '4']) expect(await lines({ limit })).toEqual(all);
    expect(await lines({ since: at(2), until: at(5), limit: '2' })).toEqual(['4 test-2', '3 r', '2 pay-1']);
    expect(await list({ since: at(5), until: at(2) })).toEqual({ events: [], next_cursor: null });
  });

  it.each([
    [{ outcome: 'quarantined' }, ['4 test-2']],
    [{ order_id: 'A' }, ['4 test-2', '3 r', '2 pay-1', '1 pay-1']],
    [{ transaction_id: 'U' }, ['2 pay-1']],
    [{ prefix: 'pay' }, ['2 pay-1', '1 pay-1']],
    [{ prefix: 'T' }, ['3 r', '1 pay-1']],
    [{ prefix: sha256(junk).slice(0, 12) }, ['5 null']],
    [{ prefix: 'ay-1' }, []],
  ] as [Record<string, string>, string[]][])(
    'with %j lists what matches, page by page',
    async (filter, expected) => {
      const { lines } = await setUp();
      expect(await lines({ ...filter, limit: '1' })).toEqual(expected);
    },
  );

  it('refuses an unknown outcome, and the cursor of another selection', async () => {
    const { list } = await setUp();
    expect(await list({ outcome: 'lost' })).toMatchObject({ status: 400, parameter: 'outcome' });
    const { next_cursor: cursor } = await list({ limit: '1' });
    expect(await list({ cursor, mode: 'sandbox' })).toMatchObject({ status: 400, parameter: 'cursor' });
  });
});
