import { expect, it } from 'vitest';
import { createChangeIndex } from '../lambdas/aws/change-index.ts';
import { startDynamoDbServer, success } from './doubles/dynamodb-server.ts';

it('lists an order once, at its latest change, when it changes between two pages of the index', async () => {
  const change = (id: string, second: number) => ({
    order_key: { S: `live:order:${id}` },
    change_shard: { S: 'live:0' },
    updated_at: { S: `2026-11-21T10:00:0${second}.000Z` },
  });
  const first = { Items: [change('A', 0), change('B', 0)], LastEvaluatedKey: change('B', 0) };
  const second = { Items: [change('C', 0), change('A', 1)] };
  const { client } = await startDynamoDbServer(({ input }) => {
    if (input.ExpressionAttributeValues[':shard'].S !== 'live:0') return success({ Items: [] });
    return success(input.ExclusiveStartKey === undefined ? first : second);
  });
  const start = { updatedAt: '2026-11-21T09:00:00.000Z', tie: '' };
  const { changes, more } = await createChangeIndex(client, 'orders').after('live', start, 10);
  const times = Object.fromEntries(changes.map(({ key, updatedAt }) => [key, updatedAt]));
  expect(times).toEqual({
    'live:order:A': '2026-11-21T10:00:01.000Z',
    'live:order:B': '2026-11-21T10:00:00.000Z',
    'live:order:C': '2026-11-21T10:00:00.000Z',
  });
  expect([changes.length, more]).toEqual([3, false]);
});
