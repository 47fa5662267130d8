import { createHash } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import type { OperationsParts } from '../lambdas/operations/parts.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { memoryActStores } from './doubles/act-stores.ts';
import { memoryActs } from './doubles/memory-acts.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { operationsOver, variants } from './doubles/operations.ts';
import { consumedStores, request } from './doubles/order-query.ts';
import type { SentBody } from './doubles/sqs-event.ts';

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const order = { seed: 'one', orderId: 'order-1', transactionId: 'txn-1', eventId: 'evt-1' };
const paid = bytesOf(paidEvent({ ...order, amount: '5.00' }));
const larger = bytesOf(paidEvent({ ...order, amount: '7.00' }));
const otherOrder = bytesOf(paidEvent({ ...order, orderId: 'order-2' }));
const spaced = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(paid).toString()), null, 1));
const operator = 'arn:aws:iam::111122223333:user/operator';

async function setUp(sent: readonly SentBody[], parts: Partial<OperationsParts> = {}) {
  const stores = await consumedStores(...sent);
  const api = operationsOver(stores, parts);
  const get = (route: string, pathParameters: Record<string, string>, query: Record<string, string> = {}) =>
    request(api, { routeKey: `GET /operations${route}`, pathParameters, queryStringParameters: query });
  return {
    ...stores,
    getEvent: (event_id: string, query?: Record<string, string>) =>
      get('/events/{event_id}', { event_id }, query),
    getBodies: (event_id: string, query?: Record<string, string>) =>
      get('/bodies/events/{event_id}', { event_id }, query),
    getBody: (body_sha256: string, query?: Record<string, string>) =>
      get('/bodies/{body_sha256}', { body_sha256 }, query),
    getKeys: (query?: Record<string, string>) => get('/keys', {}, query),
  };
}

interface Shown {
  readonly record: string;
  readonly body_sha256: string;
  readonly counts: boolean;
  readonly body_base64: string | null;
}

describe('GET /operations/events/{event_id}', () => {
  it('shows every body under the id and which of them its order counts, without customer data', async () => {
    const { getEvent } = await setUp([
      { body: paid },
      { body: larger },
      { body: otherOrder },
      { body: spaced },
    ]);
    const { status, body } = await getEvent('evt-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'evt-1', mode: 'live', acts: [] });
    expect(body.records[0]).toEqual({
      record: 'event',
      outcome: 'applied',
      reason: null,
      waiting: null,
      event_name: 'transaction.paid',
      order_id: 'order-1',
      transaction_id: 'txn-1',
      received_at: '2026-11-21T10:00:00.000Z',
      recorded_at: '2026-11-21T10:00:01.000Z',
      key_id: '9a76d0a46113',
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      body_sha256: sha256(paid),
      has_body: true,
      judged: null,
      erased: null,
      counts: false,
    });
    const found = body.records.map(({ record, body_sha256, counts }: Shown) => [record, body_sha256, counts]);
    expect(found.slice(1).toSorted()).toEqual([
      // Of two payments for one order the larger counts, whichever came first.
      ...[
        ['conflict', sha256(larger), true],
        ['conflict', sha256(otherOrder), false],
      ].toSorted(),
      ['variant', sha256(spaced), false],
    ]);
    expect(JSON.stringify(body)).not.toContain('Nobody Real');
  });

  it('shows what operators did to the event and to each of its bodies', async () => {
    const acts = memoryActs();
    const decision = { by: operator, at: '2026-11-21T11:00:00.000Z', reason: 'the shop confirmed it' };
    const act = { ...decision, act: 'admit', eventId: 'evt-1', orderId: 'order-1' } as const;
    await acts.putAct(act, ['live:event:evt-1']);
    const { getEvent, events } = await setUp([{ body: paid }], { acts });
    const { body: _, ...row } = events.get('live:event:evt-1 event') as EventRow;
    const judged = { ...decision, verdict: 'admitted', orderId: 'order-1' } as const;
    const fact = '["event.1","evt-1","transaction.paid","txn-1","5.00","USD",null]';
    events.set('live:event:evt-1 event', { ...row, fact, judged, erased: decision });
    const { body } = await getEvent('evt-1');
    expect(body.records).toMatchObject([
      {
        has_body: false,
        erased: decision,
        judged: { ...decision, verdict: 'admitted', order_id: 'order-1' },
      },
    ]);
    expect(body.acts).toEqual([
      { ...decision, act: 'admit', event_id: 'evt-1', order_id: 'order-1', body_sha256: null },
    ]);
  });

  it('counts no fact that its order does not hold', async () => {
    const { getEvent, orders } = await setUp([{ body: paid }]);
    expect((await getEvent('evt-1')).body.records[0].counts).toBe(true);
    orders.clear();
    expect((await getEvent('evt-1')).body.records[0].counts).toBe(false);
  });

  it('counts the fact of a refund that was assigned through its transaction', async () => {
    const refund = bytesOf(refundedEvent({ ...order, orderId: '', eventId: 'evt-2' }));
    const { getEvent } = await setUp([{ body: paid }, { body: refund }]);
    const { body } = await getEvent('evt-2');
    expect(body.records).toMatchObject([{ order_id: 'order-1', outcome: 'applied', counts: true }]);
  });

  it('reads no order for an event that names none', async () => {
    const read: (string | undefined)[] = [];
    const { reader, writer } = memoryStores();
    const get: typeof reader.get = async ({ id }) => void read.push(id);
    const refund = bytesOf(refundedEvent({ ...order, orderId: '', eventId: 'evt-2' }));
    const { getEvent } = await setUp([{ body: refund }], { orders: { ...writer, ...reader, get } });
    expect((await getEvent('evt-2')).body.records).toMatchObject([{ outcome: 'unassigned', counts: false }]);
    expect(read).toEqual([]);
  });

  it('responds 404 to an id that nothing was received under, and to one that no key can hold', async () => {
    const { getEvent } = await setUp([{ body: paid }]);
    const { status, body } = await getEvent('evt-1', { mode: 'sandbox' });
    expect([status, body.detail]).toEqual([404, 'No sandbox event has the id "evt-1".']);
    expect((await getEvent('x'.repeat(513))).status).toBe(404);
  });
});

describe('GET /operations/bodies/events/{event_id}', () => {
  it('shows the bytes and the payload of every body, side by side', async () => {
    const { getBodies } = await setUp([{ body: paid }, { body: larger }]);
    const { status, body } = await getBodies('evt-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'evt-1', mode: 'live', more: false, acts: [] });
    const bytes = body.records.map((one: Shown) => Buffer.from(one.body_base64 ?? '', 'base64').toString());
    expect(bytes).toEqual([paid, larger].map((one) => Buffer.from(one).toString()));
    expect(body.records[1]).toMatchObject({
      ...{ record: 'conflict', has_body: true, counts: true },
      payload: { transaction: { order_id: 'order-1', amount: '7.00' } },
    });
  });

  it('shows one body when its hash selects it', async () => {
    const { getBodies } = await setUp([{ body: paid }, { body: larger }]);
    const { body } = await getBodies('evt-1', { body_sha256: sha256(larger) });
    expect(body.records).toMatchObject([{ record: 'conflict', body_sha256: sha256(larger) }]);
    const other = 'ab'.repeat(32);
    const { status, body: missing } = await getBodies('evt-1', { body_sha256: other });
    expect([status, missing.detail]).toEqual([
      404,
      `No body of the live event "evt-1" has the SHA-256 ${other}.`,
    ]);
    const { body: none } = await getBodies('evt-2', { body_sha256: other });
    expect(none.detail).toBe('No live event has the id "evt-2".');
    const { body: wrong } = await getBodies('evt-1', { body_sha256: 'AB' });
    expect(wrong.detail).toBe(
      'The parameter body_sha256 is "AB"; expected a SHA-256 in 64 lowercase hexadecimal digits.',
    );
  });

  it('reads the rows of the event once when a hash selects a body', async () => {
    const stores = await consumedStores({ body: paid }, { body: larger });
    const events = { ...stores.writer, ...memoryActStores(stores).events, ...stores.reader };
    const findBody = () => Promise.reject(new Error('a second read'));
    const { status, body } = await request(operationsOver(stores, { events: { ...events, findBody } }), {
      routeKey: 'GET /operations/bodies/events/{event_id}',
      pathParameters: { event_id: 'evt-1' },
      queryStringParameters: { body_sha256: sha256(larger) },
    });
    expect([status, body.records.length]).toEqual([200, 1]);
  });

  const shownBodies = ({ records }: { readonly records: readonly Shown[] }): number =>
    records.filter(({ body_base64 }) => body_base64 !== null).length;

  it('shows ten bodies at most, but the record of every body, and whether there are more', async () => {
    const amounts = Array.from({ length: 12 }, (_, n) => `${n}.00`);
    const sent = amounts.map((amount) => ({ body: bytesOf(paidEvent({ ...order, amount })) }));
    const { getBodies } = await setUp(sent);
    const { body } = await getBodies('evt-1');
    expect([body.records.length, shownBodies(body), body.more]).toEqual([12, 10, true]);
    const { body: eleventh } = await getBodies('evt-1', { body_sha256: body.records[11].body_sha256 });
    expect([shownBodies(eleventh), eleventh.more]).toEqual([1, false]);
  });

  it('counts only what is shown: a row without its body takes no place', async () => {
    const amounts = Array.from({ length: 10 }, (_, n) => `${n}.00`);
    const sent = amounts.map((amount) => ({ body: bytesOf(paidEvent({ ...order, amount })) }));
    const { getBodies, events } = await setUp(sent);
    const { body: _, ...own } = events.get('live:event:evt-1 event') as EventRow;
    const receivedAt = '2026-11-20T10:00:00.000Z';
    const erased = { ...own, record: 'variant:0', bodySha256: '0', receivedAt };
    events.set('live:event:evt-1 variant:0', erased);
    const { body } = await getBodies('evt-1');
    expect(body.records[1]).toMatchObject({ record: 'variant', has_body: false });
    expect([body.records.length, shownBodies(body), body.more]).toEqual([11, 10, false]);
  });

  it('shows 300 records at most, and a body after those by its hash', async () => {
    const { events: stored, reader, writer, ...rest } = await consumedStores({ body: paid });
    const own = stored.get('live:event:evt-1 event') as EventRow;
    const wanted = 'ab'.repeat(32);
    for (const row of [...variants(own, 299), { ...own, record: 'variant:w', bodySha256: wanted }])
      stored.set(`live:event:evt-1 ${row.record}`, row);
    const find: typeof reader.find = async (...id) => (await reader.find(...id)).slice(0, 300);
    const stores = { ...rest, events: stored, writer, reader: { ...reader, find } };
    const api = operationsOver(stores, {
      events: { ...writer, ...memoryActStores(stores).events, ...reader, find },
    });
    const get = (queryStringParameters: Record<string, string>) =>
      request(api, {
        ...{ routeKey: 'GET /operations/bodies/events/{event_id}', queryStringParameters },
        pathParameters: { event_id: 'evt-1' },
      });
    expect((await get({})).body.records).toHaveLength(300);
    expect((await get({ body_sha256: wanted })).body.records).toMatchObject([{ body_sha256: wanted }]);
  });

  it('shows every body when their records have exactly 4 MB', async () => {
    const { getBodies, events } = await setUp([{ body: paid }]);
    const own = events.get('live:event:evt-1 event') as EventRow;
    const shown = async (padding: number, keyId: string) => {
      for (const [n, row] of variants(own, 9).entries()) {
        const body = Buffer.from(JSON.stringify({ payload: 'p'.repeat(n === 8 ? padding : 200_000) }));
        events.set(`live:event:evt-1 ${row.record}`, { ...row, body, keyId: n === 8 ? keyId : '' });
      }
      const { records, more } = (await getBodies('evt-1')).body;
      return { bytes: records.map((one: Shown) => JSON.stringify(one)).join('').length, more };
    };
    const missing = 4 * 1024 * 1024 - (await shown(0, '')).bytes;
    // Three bytes of a payload have four in base64.
    const [padding, keyId] = [3 * Math.floor(missing / 7), 'k'.repeat(missing % 7)];
    expect(await shown(padding, keyId)).toEqual({ bytes: 4 * 1024 * 1024, more: false });
    expect((await shown(padding, `${keyId}k`)).more).toBe(true);
  });

  it('shows at most 4 MB', async () => {
    const padding = 'p'.repeat(250_000);
    const large = (amount: string) => ({ ...paidEvent({ ...order, amount }), payload: { padding, amount } });
    const sent = Array.from({ length: 9 }, (_, n) => ({
      body: Buffer.from(JSON.stringify(large(`${n}.00`))),
    }));
    const { getBodies } = await setUp(sent);
    const { body } = await getBodies('evt-1');
    // Each has 333 KB as base64, and 250 KB as payload.
    expect([body.records.length, shownBodies(body), body.more]).toEqual([9, 7, true]);
    expect(JSON.stringify(body).length).toBeLessThan(4.1 * 1024 * 1024);
  });
});

describe('GET /operations/bodies/{body_sha256}', () => {
  const noEvent = Buffer.from('{"payload":{"hello":1}}');

  it('shows a body that is no event', async () => {
    const { getBody } = await setUp([{ body: noEvent }]);
    const { status, body } = await getBody(sha256(noEvent));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: null, mode: 'live', more: false, acts: [] });
    expect(body.records).toMatchObject([
      {
        ...{ record: 'unrecognised', outcome: 'unrecognised', waiting: 'unrecognised', reason: 'id_missing' },
        ...{ body_base64: noEvent.toString('base64'), payload: { hello: 1 }, counts: false },
      },
    ]);
  });

  it('shows no payload of bytes that are not JSON', async () => {
    const bytes = Buffer.from([0xff, 0x00]);
    const { getBody } = await setUp([{ body: bytes }]);
    expect((await getBody(sha256(bytes))).body.records).toMatchObject([
      { reason: 'not_utf8', body_base64: '/wA=', payload: null },
    ]);
  });

  it('responds 404 in the other mode and to the hash of an event, 400 to anything but a hash', async () => {
    const { getBody } = await setUp([{ body: noEvent }, { body: paid }]);
    const { status, body } = await getBody(sha256(noEvent), { mode: 'sandbox' });
    expect([status, body.detail]).toEqual([
      404,
      `No unrecognised sandbox body has the SHA-256 ${sha256(noEvent)}.`,
    ]);
    expect((await getBody(sha256(paid))).status).toBe(404);
    for (const given of ['evt-1', `${sha256(noEvent)}0`, `0${sha256(noEvent)}`])
      expect((await getBody(given)).body.parameter).toBe('body_sha256');
  });
});

describe('GET /operations/keys', () => {
  it('shows when each key matched last, in both modes', async () => {
    const matchedAt = '2026-11-21T11:00:00.000Z';
    const keyUses: OperationsParts['keyUses'] = {
      keyUses: async (mode) => [{ mode, keyId: mode === 'live' ? 'aaa' : 'bbb', matchedAt }],
    };
    const { getKeys } = await setUp([], { keyUses });
    expect((await getKeys()).body).toEqual({
      keys: [
        { mode: 'live', key_id: 'aaa', last_matched_at: matchedAt },
        { mode: 'sandbox', key_id: 'bbb', last_matched_at: matchedAt },
      ],
    });
    expect((await getKeys({ mode: 'live' })).status).toBe(400);
  });
});
