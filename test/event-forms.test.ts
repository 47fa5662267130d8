import { deflateSync } from 'node:zlib';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../lambdas/aws/dynamodb.ts';
import { toEventItem } from '../lambdas/aws/event-item.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import { bodyBytesMax } from '../lambdas/contract/limits.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';
import { sha256 } from './doubles/older-parser.ts';

let tables: LocalTables;
let events: ReturnType<typeof createEventTable>;
let compactEvents: ReturnType<typeof createEventTable>;
beforeAll(async () => {
  tables = await startTables();
  events = createEventTable(tables.client, 'events');
  compactEvents = createEventTable(tables.client, 'events', { compact: true });
});
afterAll(() => tables.close());

const [at, later] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:01.000Z'];
let count = 0;
/** A row that has nothing but what every row of an event has. */
function bareRow({
  transaction = null as string | null,
  order = null as string | null,
} = {}): EventRow & Required<Pick<EventRow, 'eventId' | 'fact' | 'body'>> {
  count += 1;
  const eventId = `evt:row:${count}`;
  const body = new Uint8Array(eventBody({ id: eventId, transaction, order }));
  const fact = JSON.stringify(['event.1', eventId, 'transaction.paid', transaction, '100.00', 'USD', null]);
  return {
    ...{ key: `live:event:${eventId}`, record: 'event', mode: 'live', outcome: 'recorded', eventId, fact },
    ...{ eventName: 'transaction.paid', body, bodySha256: sha256(body), keyId: '0123456789ab' },
    ...{ receivedAt: at, recordedAt: later },
  };
}
const fullRow = () => ({
  ...bareRow({ transaction: 'T', order: 'A' }),
  ...{ transactionId: 'T', orderId: 'A', assignedOrderId: 'B', signature: 'ab'.repeat(32) },
  judged: { verdict: 'admitted', by: 'ann', at, reason: 'paid twice', orderId: 'B' } as const,
});
const withoutBody = ({ body: _, ...row }: EventRow): EventRow => row;

async function itemOf(key: string, record = 'event'): Promise<Item> {
  const Key = { event_key: { S: key }, record: { S: record } };
  const get = new GetItemCommand({ TableName: 'events', Key, ConsistentRead: true });
  return (await tables.client.send(get)).Item ?? {};
}
const putItem = (Item: Item) => tables.client.send(new PutItemCommand({ TableName: 'events', Item }));
async function read(key: string, record = 'event'): Promise<EventRow | undefined> {
  const row = await events.getRow(key, record);
  return row?.body ? { ...row, body: new Uint8Array(row.body) } : row;
}

describe.each([
  ['compact', true],
  ['0.2.0', false],
])('the form %s', (_, compact) => {
  const put = (row: EventRow) => (compact ? compactEvents : events).put(row);

  it.each<[string, () => EventRow]>([
    ['no order, transaction or signature', bareRow],
    ['all of them', fullRow],
    ['no body', () => withoutBody(fullRow())],
    ['a key id of an odd number of hexadecimal digits', () => ({ ...bareRow(), keyId: 'abc' })],
    ['a key id that begins with hexadecimal digits', () => ({ ...bareRow(), keyId: 'abxy' })],
    ['a key id that ends with hexadecimal digits', () => ({ ...bareRow(), keyId: 'xyab' })],
    [
      'times in another form',
      () => ({ ...bareRow(), receivedAt: '2026-11-21T10:00:00Z', recordedAt: 'at ten' }),
    ],
  ])('gives back a row with %s, and its summary', async (_name, rowOf) => {
    const row = rowOf();
    await put(row);
    expect('h' in (await itemOf(row.key))).toBe(compact);
    expect(await read(row.key)).toStrictEqual(row);
    const { eventId = '', orderId, assignedOrderId, transactionId } = row;
    const summary = {
      ...(orderId && { orderId }),
      ...(assignedOrderId && { assignedOrderId }),
      ...(transactionId && { transactionId }),
      ...{
        receivedAt: row.receivedAt,
        recordedAt: row.recordedAt,
        keyId: row.keyId,
        bodySha256: row.bodySha256,
      },
    };
    expect([...(await events.summaries('live', [eventId]))]).toStrictEqual([[eventId, summary]]);
  });

  it('gives the fact of its body to an event that is stored without, and to no other row', async () => {
    const { fact, ...row } = bareRow({ order: 'A' });
    const other = { ...row, orderId: 'A', record: 'conflict:ab', outcome: 'conflict' } as const;
    for (const one of [{ ...row, orderId: 'A' }, other]) await put(one);
    expect('h' in (await itemOf(row.key))).toBe(compact);
    expect(await read(row.key)).toStrictEqual({ ...row, orderId: 'A', fact });
    expect(await read(row.key, 'conflict:ab')).toStrictEqual(other);
    const gone = { ...withoutBody(row), key: `${row.key} gone`, eventId: `${row.eventId} gone` };
    await put(gone);
    expect(await read(gone.key)).toStrictEqual(gone);
  });
});

describe('a compact row', () => {
  const id = '11647d26-73ed-49b8-81ed-238a2b7f4d05';
  const sent = (transaction: object, more = {}) =>
    JSON.stringify({
      id: 'evt:1',
      event_name: 'transaction.paid',
      sandbox: false,
      payload: { transaction },
      ...more,
    });
  const times = { r: { N: '1795255200000' }, t: { N: '1795255201000' } };
  const bytes = (base64: string) => ({ B: Buffer.from(base64, 'base64') });
  const stored = (key: string) => ({
    ...{ event_key: { S: key }, record: { S: 'event' }, outcome: { S: 'applied' }, ...times },
    k: { B: Buffer.from('0123456789ab', 'hex') },
  });

  it.each([
    [
      'all that a body repeats',
      sent({
        ...{ id, amount: '100.00', currency: 'USD', order_id: 'ORD-1' },
        created_at: '2026-11-21T09:59:59.000000Z',
      }),
      { f: { S: 'paid EWR9JnPtSbiB7SOKK39NBQ 100.00 USD hod4upda68' }, o: { S: 'ORD-1' } },
      'AQCDOh3MpjBBYolkYtyLNSHgi32w47EmAeyeVaqtrQUA',
      'AQERZH0mc+1JuIHtI4orf00Fg9oGZlOYhrDECwPWiMEXG/5BLrqGWKPE0FDXyDDEwNLKFITgUVJbWwsA',
    ],
    [
      'nothing but its ids',
      sent({ id: null }, { note: id }),
      { f: { S: 'paid    ' } },
      'AQERZH0mc+1JuIHtI4orf00Fg9oGZlOYhjDjBZz2a3VgrSQGpVoA',
      'AQERZH0mc+1JuIHtI4orf00Fg9oGZlOYhjDjBZz2a3VgrSQGpVoA',
    ],
  ])('that is stored with %s is read byte for byte, and its body in a row of its own', async (...given) => {
    const [, text, said, packed, packedApart] = given;
    const key = 'live:event:evt:1';
    const item = { ...stored(key), ...said, h: { B: Buffer.from(sha256(Buffer.from(text)), 'hex') } };
    await putItem({ ...item, b: bytes(packed) });
    const whole = await read(key);
    expect(Buffer.from(whole?.body ?? []).toString()).toBe(text);
    expect(whole).toMatchObject({
      eventId: 'evt:1',
      keyId: '0123456789ab',
      receivedAt: at,
      recordedAt: later,
    });
    const { b, ...written } = whole ? toEventItem(whole, { compact: true }) : {};
    expect([b !== undefined, written]).toEqual([true, item]);
    await putItem(item);
    const { event_key, h } = item;
    const bodySha256 = h.B.toString('hex');
    await putItem({ event_key, record: { S: `body:${bodySha256}` }, b: bytes(packedApart) });
    const [found] = await events.find('live', 'evt:1');
    expect(Buffer.from(found?.body ?? []).toString()).toBe(text);
  });

  it.each([
    ['its fact is missing', { f: undefined }, 'A compact row of the table has no readable fact in "f".'],
    [
      'its fact has another form',
      { f: { S: 'paid' } },
      'A compact row of the table has no readable fact in "f".',
    ],
    ['its key id is missing', { k: undefined }, 'An item of the table has no bytes or text "k".'],
    ['a time is missing', { r: undefined }, 'An item of the table has no time "r".'],
  ])('is refused when %s', async (name, damage, message) => {
    const key = `live:event:${name}`;
    const whole = { ...stored(key), h: { B: Buffer.of(1) }, f: { S: 'paid    ' } };
    const item = Object.entries({ ...whole, ...damage }).filter(([, value]) => value !== undefined);
    await putItem(Object.fromEntries(item) as Item);
    await expect(events.getRow(key, 'event')).rejects.toThrow(message);
  });

  it('keeps what a settlement changes while it is rewritten to wait', async () => {
    const row = bareRow();
    await compactEvents.put(row);
    const send = tables.client.send.bind(tables.client);
    const { judgements } = createOperatorTables(tables.client, { events: 'events', orders: 'orders' });
    const settled = { outcome: 'applied', assignedOrderId: 'B' } as const;
    let reads = 0;
    // Between the read of the row and the write that changes its form.
    Object.assign(tables.client, {
      async send(command: GetItemCommand) {
        const response = await send(command);
        reads += 1;
        if (reads === 1) {
          await createEventTable({ send } as never, 'events').settle({
            key: row.key,
            mode: 'live',
            fact: row.fact,
            ...settled,
          });
        }
        return response;
      },
    });
    const judged = { verdict: 'admitted', by: 'ann', at, reason: 'paid twice' } as const;
    const change = { row, expected: { judged: null }, judged, waiting: 'unassigned' } as const;
    await judgements.judge(change);
    Reflect.deleteProperty(tables.client, 'send');
    expect(await read(row.key)).toStrictEqual({ ...row, ...settled, judged, waiting: 'unassigned' });
  });
});

describe('a body in the form of 0.2.0', () => {
  it.each([
    ['that deflate makes smaller is deflated', 'a'.repeat(12), 'deflate', 11],
    ['that deflate leaves as large is kept', 'a'.repeat(11), 'identity', 11],
    ['that deflate makes larger is kept', 'a', 'identity', 1],
  ])('%s', async (_, text, encoding, length) => {
    const row = { ...bareRow(), body: Buffer.from(text) };
    await events.put(row);
    const { body, body_encoding } = await itemOf(row.key);
    expect([body?.B?.length, body_encoding?.S]).toEqual([length, encoding]);
  });

  it('is refused when it would inflate to more than the largest body', async () => {
    const row = bareRow();
    await events.put(row);
    for (const [bytes, isRefused] of [
      [bodyBytesMax, false],
      [bodyBytesMax + 1, true],
    ] as const) {
      const body = { B: deflateSync(Buffer.alloc(bytes)) };
      await putItem({ ...(await itemOf(row.key)), body, body_encoding: { S: 'deflate' } });
      const length = await events.getRow(row.key, 'event').then(
        (found) => found?.body?.length,
        (error: { code?: string }) => error.code,
      );
      expect(length).toBe(isRefused ? 'ERR_BUFFER_TOO_LARGE' : bytes);
    }
  });
});
