import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Item } from '../lambdas/aws/dynamodb.ts';
import { toBodyItem, toEventItem } from '../lambdas/aws/event-item.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';
import { sha256 } from './doubles/older-parser.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

const at = '2026-11-21T10:00:00.000Z';
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${n}`.padStart(3, '0'));
const rowOf = (id: string, record: string, body: Uint8Array): EventRow & { body: Uint8Array } => ({
  ...{ key: `live:event:${id}`, record, mode: 'live', eventId: id, keyId: 'abc' },
  ...{ outcome: record === 'event' ? 'recorded' : 'conflict', body, bodySha256: sha256(body) },
  ...{ receivedAt: at, recordedAt: at },
});
const withoutBody = ({ body: _, ...row }: EventRow): EventRow => row;
const actOf = (id: string): Item => ({ event_key: { S: `live:event:${id}` }, record: { S: 'act:1:a' } });
/** A row whose body is in a row of its own. */
const apart = (row: EventRow & { body: Uint8Array }): Item[] => [
  toEventItem(withoutBody(row)),
  toBodyItem(row),
];

async function store(client: DynamoDBClient, items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const events = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { events } }));
  }
}

/** What a reader finds, as record and body, and the requests that it costs. */
async function reading(read: (events: ReturnType<typeof createEventTable>) => Promise<readonly EventRow[]>) {
  const send = vi.spyOn(tables.client, 'send');
  const rows = await read(createEventTable(tables.client, 'events'));
  // biome-ignore lint/suspicious/noExplicitAny: a query and a read of keys have different inputs.
  const inputs = send.mock.calls.map(([{ input }]): any => input);
  send.mockRestore();
  const reads = inputs.map((input) => input.RequestItems?.events ?? input);
  expect(reads.every(({ ConsistentRead }) => ConsistentRead === true)).toBe(true);
  return {
    found: new Map(rows.map(({ record, body }) => [record, body && Buffer.from(body)])),
    requests: reads.map((read) =>
      read.Keys === undefined ? 'query' : read.Keys.map((key: Item) => key['record']?.S),
    ),
  };
}

it('an event with 300 rows is found in one request, however many acts and bodies it has', async () => {
  const own = rowOf('whole', 'event', Buffer.from('own'));
  const variants = numbered(299).map((n) => rowOf('whole', `variant:${n}`, Buffer.from(n)));
  const items = [actOf('whole'), ...apart(own), ...variants.flatMap(apart)];
  await store(tables.client, items);
  const { found, requests } = await reading((events) => events.find('live', 'whole'));
  expect(requests).toEqual(['query']);
  expect(found).toEqual(new Map([own, ...variants].map(({ record, body }) => [record, Buffer.from(body)])));
});

it('of more rows the first 299 are found with their bodies, and the event, which sorts after them', async () => {
  const conflicts = numbered(301).map((n) => rowOf('many', `conflict:${n}`, Buffer.from(n)));
  const [first = rowOf('', '', Buffer.of()), ...others] = conflicts;
  const own = rowOf('many', 'event', Buffer.from('own'));
  const items = [actOf('many'), ...apart(first), ...apart(own), ...others.map((row) => toEventItem(row))];
  await store(tables.client, items);
  const { found, requests } = await reading((events) => events.find('live', 'many'));
  const expected = [...conflicts.slice(0, 299), own];
  expect(found).toEqual(new Map(expected.map(({ record, body }) => [record, Buffer.from(body)])));
  const bodies = [first, own].map(({ bodySha256 }) => `body:${bodySha256}`);
  expect(requests).toEqual(['query', 'query', ['event'], bodies]);
});

it('of more rows that sort after the event, only the bodies in rows of their own are read again', async () => {
  const body = eventBody({ id: 'compact', transaction: 'T' });
  const own = { ...rowOf('compact', 'event', body), eventName: 'transaction.paid', transactionId: 'T' };
  const variants = numbered(300).map((n) => rowOf('compact', `variant:${n}`, Buffer.from(n)));
  const item = toEventItem(own, { compact: true });
  expect(item).toHaveProperty('b');
  await store(tables.client, [item, ...variants.map((row) => toEventItem(row))]);
  const { found, requests } = await reading((events) => events.find('live', 'compact'));
  expect([...found.keys()]).toEqual(['event', ...variants.slice(0, 299).map(({ record }) => record)]);
  expect(requests).toEqual(['query', 'query']);
});

it('one body under an id is found with the event, in every row that may hold it, and no other one', async () => {
  const [own, other] = [Buffer.from('own'), Buffer.from('other')];
  const records = ['conflict', 'quarantine', 'variant'];
  const bodyOf = (body: Buffer) => records.map((kind) => rowOf('one', `${kind}:${sha256(body)}`, body));
  const event = rowOf('one', 'event', Buffer.from('of the event'));
  const items = [...bodyOf(own), ...bodyOf(other)].map(withoutBody).map((row) => toEventItem(row));
  await store(tables.client, [
    ...items,
    toEventItem(event),
    toBodyItem({ ...event, body: own, bodySha256: sha256(own) }),
  ]);
  const { found, requests } = await reading((events) => events.findBody('live', 'one', sha256(own)));
  const expected = [['event', event.body], ...records.map((kind) => [`${kind}:${sha256(own)}`, own])];
  expect([...found].toSorted()).toEqual(expected.toSorted());
  expect(requests).toHaveLength(1);
});
