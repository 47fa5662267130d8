import { describe, expect, it } from 'vitest';
import { createChangeIndex } from '../../../lambdas/aws/order-table.ts';
import { startDynamoDbServer, success } from '../../doubles/dynamodb-server.ts';

const start = { updatedAt: '2026-11-21T09:00:00.000Z', tie: '' };
const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
const change = (n: number, second: number) => ({
  order_key: { S: `live:order:${n}` },
  change_shard: { S: 'live:0' },
  updated_at: { S: at(second) },
});
type Changes = readonly ReturnType<typeof change>[];

/** The index with these pages of one partition; the last one is followed by no other. */
async function setUp(pageOf: (page: number) => Changes, last = Number.POSITIVE_INFINITY) {
  const limits: unknown[] = [];
  const { client } = await startDynamoDbServer((input) => {
    if (input.ExpressionAttributeValues[':shard'].S !== 'live:0') return success({ Items: [] });
    const Items = pageOf(limits.push(input.Limit) - 1);
    return success({ Items, ...(limits.length <= last && { LastEvaluatedKey: Items.at(-1) }) });
  });
  return { read: createChangeIndex({ client, name: 'orders' }).after, limits };
}

describe('a walk over the index of changes', () => {
  it('lists an order once, at its latest change, when it changes between two pages', async () => {
    const pages = [
      [change(1, 0), change(2, 0)],
      [change(3, 0), change(1, 1)],
    ];
    const { read } = await setUp((page) => pages[page] ?? [], 1);
    const { changes, more } = await read('live', start, 10);
    const times = new Map(changes.map(({ key, updatedAt }) => [key, updatedAt]));
    const [second, third, first] = [2, 3, 1].map((n) => `live:order:${n}`);
    expect(times).toEqual(
      new Map([
        [second, at(0)],
        [third, at(0)],
        [first, at(1)],
      ]),
    );
    expect([changes.length, more]).toEqual([3, false]);
  });

  it('ends with the first page that holds a later millisecond than the last change of the page', async () => {
    const { read, limits } = await setUp(() => [change(1, 1), change(2, 1), change(3, 2)]);
    const { changes, more } = await read('live', start, 2);
    expect(changes.map(({ key }) => key)).toEqual(['live:order:1', 'live:order:2']);
    expect([more, limits]).toEqual([true, [3]]);
  });

  it('goes on in large pages until the millisecond ends', async () => {
    const pages = [[change(1, 1), change(2, 1)], [change(3, 1)], [change(0, 1), change(4, 2)]];
    const { read, limits } = await setUp((page) => pages[page] ?? []);
    const { changes, more } = await read('live', start, 1);
    expect([changes.length, more]).toEqual([1, true]);
    expect(limits).toEqual([2, 1_000, 1_000]);
  });

  it('fails after 20 pages of one millisecond, and names the partition', async () => {
    const { read, limits } = await setUp((page) => [change(page, 1)]);
    const message = 'The index partition live:0 did not end within 20 pages.';
    await expect(read('live', start, 1)).rejects.toThrow(message);
    expect(limits).toHaveLength(20);
  });
});
