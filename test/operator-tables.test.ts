import { createHash } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsumerTables } from '../lambdas/aws/consumer-tables.ts';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import { createQueryTables } from '../lambdas/aws/query-tables.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { type LocalTables, startTables, tableWriter } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const at = '2026-11-21T10:00:00.000Z';
let tables: LocalTables;
let operator: ReturnType<typeof createOperatorTables>;

beforeAll(async () => {
  tables = await startTables();
  operator = createOperatorTables(tables.client, { events: 'events', orders: 'orders' });
});
afterAll(() => tables.close());

describe('the tables of operators', () => {
  it('find a body that is no event by its hash, with its bytes, in its mode', async () => {
    const body = Buffer.from('no JSON');
    await consumerOver({ writer: tableWriter(tables.client) })(sqsEvent({ body }));
    const sha256 = createHash('sha256').update(body).digest('hex');
    const found = await operator.events.findUnrecognised('live', sha256);
    expect(Buffer.from(found?.body ?? '').toString()).toBe('no JSON');
    expect(found).toMatchObject({ outcome: 'unrecognised', reason: 'not_json' });
    expect(await operator.events.findUnrecognised('sandbox', sha256)).toBeUndefined();
    expect(await operator.events.findUnrecognised('live', 'ab'.repeat(32))).toBeUndefined();
  });

  it('list the last use of every key of a mode', async () => {
    const put = (mode: string, keyId: string, at: string) =>
      tables.client.send(
        new PutItemCommand({
          TableName: 'events',
          Item: {
            event_key: { S: `${mode}:keys` },
            record: { S: `key:${keyId}` },
            key_id: { S: keyId },
            last_matched_at: { S: at },
          },
        }),
      );
    await put('live', 'new', '2026-11-21T10:00:00.000Z');
    await put('live', 'old', '2026-11-20T10:00:00.000Z');
    await put('sandbox', 'test', '2026-11-19T10:00:00.000Z');
    // Other tests of this table record events, and so the use of their key.
    const uses = (await operator.keyUses.keyUses('live')).filter(({ keyId }) => keyId.length < 12);
    expect(uses).toEqual([
      { mode: 'live', keyId: 'new', matchedAt: '2026-11-21T10:00:00.000Z' },
      { mode: 'live', keyId: 'old', matchedAt: '2026-11-20T10:00:00.000Z' },
    ]);
  });

  it('scan the rows of events and of other bodies under their ids, and no others', async () => {
    const records = ['act:1:a', 'body:ab', 'conflict:ab', 'event', 'quarantine:ab', 'variant:ab'];
    const put = (key: string, record: string) =>
      tables.client.send(
        new PutItemCommand({
          TableName: 'events',
          Item: { event_key: { S: key }, record: { S: record }, recorded_at: { S: at } },
        }),
      );
    for (const record of records) await put('sandbox:event:a:b', record);
    await put('sandbox:transaction:t', 'transaction');
    const { events, next } = await operator.eventScan.page({
      ...{ mode: 'sandbox', since: undefined, until: undefined, after: undefined },
    });
    const position = (record: string) => ({
      eventId: 'a:b',
      position: { key: 'sandbox:event:a:b', record },
    });
    expect(events).toEqual(['conflict:ab', 'event', 'variant:ab'].map(position));
    expect(next).toBeUndefined();
  });
});

describe('another reading of a row', () => {
  const row: EventRow = {
    ...{ key: 'live:event:r', record: 'event', mode: 'live', outcome: 'applied', eventId: 'r' },
    ...{
      eventName: 'transaction.paid',
      orderId: 'A',
      transactionId: 'T',
      assignedOrderId: 'B',
      fact: 'a fact',
    },
    ...{ bodySha256: 'ab', keyId: 'abc', receivedAt: at, recordedAt: at },
  };
  const { eventName, orderId, transactionId, assignedOrderId, fact, ...bare } = row;
  const reading = { key: row.key, mode: 'live', bodySha256: 'ab', from: 'applied' } as const;
  const says = {
    outcome: 'quarantined',
    waiting: 'order_refused',
    eventName: 'transaction.refunded',
  } as const;
  const whole = { ...says, orderId: 'C', transactionId: 'U', assignedOrderId: 'D', fact: 'another fact' };

  it.each([
    ['replaces all that it says', whole, { ...row, ...whole }],
    ['removes what it says no more', { outcome: 'recorded' }, { ...bare, outcome: 'recorded' }],
    ['leaves a row of another body', { ...whole, bodySha256: 'cd' }, row],
    ['leaves a row that was settled since', { ...whole, from: 'recorded' }, row],
  ] as const)('%s', async (name, given, expected) => {
    const key = `live:event:${name}`;
    await operator.events.put({ ...row, key });
    await operator.events.reread({ ...reading, ...given, key });
    expect(await operator.events.getRow(key, 'event')).toStrictEqual({ ...expected, key });
  });

  it('replaces what the row of a conflict says, and leaves that of the event', async () => {
    const [key, record] = ['live:event:of a conflict', 'conflict:ab'];
    const conflict = { ...bare, key, record, outcome: 'conflict' } as const;
    for (const one of [{ ...row, key }, conflict]) await operator.events.put(one);
    const { outcome, from } = { outcome: 'conflict', from: 'conflict' } as const;
    await operator.events.reread({
      ...reading,
      key,
      record,
      outcome,
      from,
      orderId: 'C',
      fact: 'another fact',
    });
    const after = { ...conflict, orderId: 'C', fact: 'another fact' };
    expect(await operator.events.getRow(key, record)).toStrictEqual(after);
    expect(await operator.events.getRow(key, 'event')).toStrictEqual({ ...row, key });
  });
});

it('the first event of a name that names no order is read without one', async () => {
  const first = { mode: 'live', eventName: 'transaction.settled', eventId: 'e', recordedAt: at } as const;
  await operator.events.putEventName(first);
  expect(await operator.judgements.getEventName('live', first.eventName)).toStrictEqual({
    ...first,
    waiting: 'event_name',
  });
});

it('the consumer writes both tables, and the order query reads them', async () => {
  const names = { events: 'events', orders: 'orders' };
  const writers = createConsumerTables(tables.client, names);
  const readers = createQueryTables(tables.client, names);
  await consumerOver({ writer: tableWriter(tables.client) })(
    sqsEvent({ body: eventBody({ id: 'q', order: 'Q', transaction: 'Q' }) }),
  );
  const order = { mode: 'live', id: 'Q' } as const;
  const row = await writers.events.getRow('live:event:q', 'event');
  expect(await readers.events.find('live', 'q')).toEqual([row]);
  const now = () => new Date(at);
  const facts = [row?.fact ?? ''];
  expect(await writers.orders.merge({ order, facts, now })).toEqual({ facts, changed: false });
  expect(await readers.orders.get(order)).toMatchObject({ facts });
  expect(await readers.transactions.get('live', 'Q')).toMatchObject({ orderIds: ['Q'] });
  await writers.transactions.join({ mode: 'live', transactionId: 'Q', add: { orderId: 'R' } });
  expect(await readers.transactions.get('live', 'Q')).toMatchObject({ orderIds: ['Q', 'R'] });
  const use = { mode: 'sandbox', keyId: 'q', matchedAt: at } as const;
  await writers.keyUses.putKeyUse(use);
  expect(await operator.keyUses.keyUses('sandbox')).toContainEqual(use);
  const { changes } = await readers.changes.after('live', { updatedAt: '', tie: '' }, 10);
  expect(changes).toMatchObject([{ key: 'live:order:Q' }]);
  expect(await readers.acts.actsOf('live:order:Q')).toEqual([]);
});
