import { describe, expect, it } from 'vitest';
import { createChangeIndex } from '../../../lambdas/aws/order-table.ts';
import { startDynamoDbServer, success } from '../../doubles/dynamodb-server.ts';

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
  const { changes, more } = await createChangeIndex({ client, name: 'orders' }).after('live', start, 10);
  const times = Object.fromEntries(changes.map(({ key, updatedAt }) => [key, updatedAt]));
  expect(times).toEqual({
    'live:order:A': '2026-11-21T10:00:01.000Z',
    'live:order:B': '2026-11-21T10:00:00.000Z',
    'live:order:C': '2026-11-21T10:00:00.000Z',
  });
  expect([changes.length, more]).toEqual([3, false]);
});

describe('a walk over one partition of the index', () => {
  const start = { updatedAt: '2026-11-21T09:00:00.000Z', tie: '' };
  const at = (second: number): string => `2026-11-21T10:00:${String(second).padStart(2, '0')}.000Z`;
  const change = (n: number, second: number) => ({
    order_key: { S: `live:order:${n}` },
    change_shard: { S: 'live:0' },
    updated_at: { S: at(second) },
  });
  type Changes = readonly ReturnType<typeof change>[];

  /** The index with these pages of one partition, each of which shows that there may be another. */
  async function setUp(pageOf: (page: number) => Changes) {
    let pages = 0;
    const { client, requests } = await startDynamoDbServer(({ input }) => {
      if (input.ExpressionAttributeValues[':shard'].S !== 'live:0') return success({ Items: [] });
      const Items = pageOf(pages);
      pages += 1;
      return success({ Items, LastEvaluatedKey: Items.at(-1) });
    });
    const limits = () =>
      requests
        .filter(({ input }) => input.ExpressionAttributeValues[':shard'].S === 'live:0')
        .map(({ input }) => input.Limit);
    return { read: createChangeIndex({ client, name: 'orders' }).after, limits };
  }

  it('ends with the first page that holds a later millisecond than the last change of the page', async () => {
    const { read, limits } = await setUp(() => [change(1, 1), change(2, 1), change(3, 2)]);
    const { changes, more } = await read('live', start, 2);
    expect(changes.map(({ key }) => key)).toEqual(['live:order:1', 'live:order:2']);
    expect([more, limits()]).toEqual([true, [3]]);
  });

  it('goes on in large pages until the millisecond ends', async () => {
    const pages = [[change(1, 1), change(2, 1)], [change(3, 1)], [change(0, 1), change(4, 2)]];
    const { read, limits } = await setUp((page) => pages[page] ?? []);
    const { changes, more } = await read('live', start, 1);
    expect([changes.length, more]).toEqual([1, true]);
    expect(limits()).toEqual([2, 1_000, 1_000]);
  });

  it('fails after 20 pages of one millisecond, and names the partition', async () => {
    const { read, limits } = await setUp((page) => [change(page, 1)]);
    const message = 'The index partition live:0 did not end within 20 pages.';
    await expect(read('live', start, 1)).rejects.toThrow(message);
    expect(limits()).toHaveLength(20);
  });
});
