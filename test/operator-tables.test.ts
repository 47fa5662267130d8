import { createHash } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import { consumerOver } from './doubles/consumer.ts';
import { type LocalTables, startTables, tableWriter } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

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
});
