import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toBodyItem, toEventItem } from '../lambdas/aws/event-item.ts';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import type { HttpApi } from '../lambdas/http-api/http-api.ts';
import { createOperations } from '../lambdas/operations/operations.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { meaningOf } from './doubles/fold.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { type LocalTables, startTables, tableWriter } from './doubles/local-tables.ts';
import { sha256 } from './doubles/older-parser.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

// A sender that gives many payments the id `test`; each body but the first waits as a conflict.

const conflicts = 400;
const paid = (order: string) =>
  Buffer.concat([eventBody({ id: 'test', order, transaction: order }), Buffer.from(padding(order))]);
/** White space that cannot be compressed far, so that all rows have more than the 1 MB of a page. */
const padding = (order: string): string =>
  Array.from({ length: 150 }, (_, n) => sha256(Buffer.from(`${order} ${n}`)))
    .join('')
    .replace(/[0-7]/g, ' ')
    .replace(/[89ab]/g, '\t')
    .replace(/[cdef]/g, '\n');
const bodies = Array.from({ length: conflicts }, (_, n) => paid(`order-${n}`));
const hashes = bodies.map((body) => sha256(body));
let tables: LocalTables;
let api: HttpApi;

beforeAll(async () => {
  tables = await startTables();
  const { client } = tables;
  const consume = consumerOver({ writer: tableWriter(client) });
  await consume(sqsEvent({ body: paid('first') }, { body: paid('order-0') }));
  const operator = createOperatorTables(client, { events: 'events', orders: 'orders' });
  const [row] = (await operator.events.find('live', 'test')).filter(({ outcome }) => outcome === 'conflict');
  if (row === undefined) throw new Error('The second body is no conflict.');
  await putConflicts(client, row);
  const now = () => new Date('2026-11-22T10:00:00.000Z');
  api = createOperations({
    ...{ ...operator, meaningOf, eventRetentionDays: undefined, now, telemetry: recordTelemetry() },
  });
});
afterAll(() => tables.close());

/** Half of them have their body in a row of its own, as with `eventRetentionDays`. */
async function putConflicts(client: DynamoDBClient, { body: _, ...row }: EventRow): Promise<void> {
  const items = bodies.flatMap((body, n) => {
    const bodySha256 = sha256(body);
    const one = { ...row, bodySha256, orderId: `order-${n}`, record: `conflict:${bodySha256}` };
    return n % 2 === 0
      ? [toEventItem({ ...one, body })]
      : [toEventItem(one), toBodyItem({ key: row.key, bodySha256, body })];
  });
  for (let start = 0; start < items.length; start += 25) {
    const events = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { events } }));
  }
}

async function get(routeKey: string, query: Record<string, string> = {}) {
  const pathParameters = { event_id: 'test' };
  const response = await api(gatewayEvent({ routeKey, pathParameters, queryStringParameters: query }));
  return {
    status: response.statusCode,
    bytes: response.body?.length ?? 0,
    body: JSON.parse(response.body ?? ''),
  };
}

async function post(act: string, fields: object) {
  const body = JSON.stringify({ event_id: 'test', reason: 'one id for every payment', ...fields });
  const response = await api(gatewayEvent({ routeKey: `POST /operations/${act}`, body }));
  return { status: response.statusCode, body: JSON.parse(response.body ?? '') };
}

it('shows 300 bodies of an id that has more, the event first', async () => {
  const { status, body, bytes } = await get('GET /operations/events/{event_id}');
  expect([status, body.records.length, body.records[0].record]).toEqual([200, 300, 'event']);
  expect(body.records.every((record: { has_body: boolean }) => record.has_body)).toBe(true);
  expect(bytes).toBeLessThan(6_000_000);
});

it('shows, admits and dismisses any of them by its hash', async () => {
  const wanted = await get('GET /operations/bodies/events/{event_id}', { body_sha256: `${hashes.at(-1)}` });
  const shown = wanted.body.records.map((record: { body_base64: string }) => record.body_base64);
  expect(shown).toEqual([bodies.at(-1)?.toString('base64')]);
  const sorted = hashes.toSorted();
  const furthest = sorted.at(-1);
  expect(await post('dismiss', { body_sha256: furthest })).toMatchObject({
    status: 200,
    body: { changed: true },
  });
  const admitted = sorted.at(-2);
  for (const dry_run of [true, false]) {
    const { status, body } = await post('admit', { body_sha256: admitted, dry_run });
    expect([status, body.changed, body.orders.length]).toEqual([200, true, 1]);
  }
});

it('asks for a hash, and names some, when an act names none', async () => {
  const { status, body } = await post('dismiss', {});
  expect(status).toBe(400);
  expect(body.detail.match(/[0-9a-f]{64}/g)).toHaveLength(10);
});

it('neither replays nor erases what it does not read in full', async () => {
  expect((await post('replay', {})).body).toMatchObject({
    replayed: 0,
    left: [{ reason: 'too_many_bodies' }],
  });
  expect(await post('erase', {})).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('300') },
  });
});
