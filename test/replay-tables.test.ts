import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { toEventItem } from '../lambdas/aws/event-item.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fold } from './doubles/fold.ts';
import { sha256 } from './doubles/older-parser.ts';
import { operationsOverTables } from './doubles/operations-over-tables.ts';

/** The operations API over the tables of DynamoDB. */
async function setUp() {
  const operations = await operationsOverTables();
  const { client, tables } = operations;
  return {
    ...operations,
    /** The stored body of an event becomes another, as if an older parser had misread this one. */
    async misread(id: string, real: EventFields) {
      const row = await tables.events.getRow(`live:event:${id}`, 'event');
      if (row === undefined) throw new Error(`The event ${id} has no row.`);
      const body = eventBody(real);
      const { fact, ...kept } = row;
      const Item = toEventItem({ ...kept, body, bodySha256: sha256(body) });
      await client.send(new PutItemCommand({ TableName: 'events', Item }));
    },
    async statusOf(id: string) {
      return fold((await tables.orders.get({ mode: 'live', id }))?.facts ?? []).status;
    },
  };
}

it('replays and verifies the tables of DynamoDB, page by page', async () => {
  const { deliver, misread, run, statusOf, tables } = await setUp();
  await deliver({ id: 'e1', order: 'A' });
  await deliver({ id: 'e2', action: 'refunded', amount: '5.00' });
  await deliver({ id: 'e3', order: 'D', transaction: 'V' });
  expect((await run('verify')).flatMap(({ differences }) => differences)).toEqual([]);
  await misread('e1', { id: 'e1', order: 'B' });
  const found = (await run('verify')).flatMap(({ differences }) => differences);
  expect(new Set(found.map(({ kind, order_id }) => `${kind} ${order_id}`))).toEqual(
    new Set(['missing_fact B', 'stale_fact A', 'stale_row B']),
  );
  const since = '2026-11-01T00:00:00Z';
  const pages = await run('replay', { since, limit: 1, reason: 'release 0.3.0' });
  expect(pages.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(3);
  expect([await statusOf('A'), await statusOf('B')]).toEqual(['pending', 'partially_refunded']);
  expect(await tables.transactions.get('live', 'T')).toMatchObject({ orderIds: ['B'] });
  const row = await tables.events.getRow('live:event:e1', 'event');
  expect(row).toMatchObject({ orderId: 'B', outcome: 'applied' });
  expect(await tables.events.getRow('live:event:e2', 'event')).toMatchObject({ assignedOrderId: 'B' });
  expect((await run('verify')).flatMap(({ differences }) => differences)).toEqual([]);
  expect(await tables.acts.actsOf('live:replay')).toHaveLength(1);
});

it('leaves out events of another time and of the other mode', async () => {
  const { deliver, run } = await setUp();
  await deliver({ id: 'e1', order: 'A' });
  const counts = async (fields: object) =>
    (await run('replay', { dry_run: true, ...fields })).map(({ replayed }) => replayed);
  expect(await counts({})).toEqual([1]);
  expect(await counts({ mode: 'sandbox' })).toEqual([0]);
  expect(await counts({ until: '2026-11-21T10:00:00Z' })).toEqual([0]);
  expect(await counts({ since: '2026-11-21T10:00:02Z' })).toEqual([0]);
  expect(await counts({ since: '2026-11-21T10:00:01Z', until: '2026-11-21T10:00:01Z' })).toEqual([1]);
});
