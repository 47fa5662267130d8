import { describe, expect, it, vi } from 'vitest';
import { createEventRows } from '../../../lambdas/aws/event-rows.ts';
import { getItems } from '../../../lambdas/aws/table.ts';
import { startDynamoDbServer, success } from '../../doubles/dynamodb-server.ts';

type Key = { readonly id: { readonly S: string } };

const keysOf = (count: number): Key[] => Array.from({ length: count }, (_, n) => ({ id: { S: `${n}` } }));

/** A table that holds every item, and processes at most this many keys of a request. */
async function setUp(processedMax: (request: number) => number) {
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => void pauses.push(milliseconds);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { client, inputs } = await startDynamoDbServer((input, count) => {
    const keys: Key[] = input.RequestItems.things.Keys;
    const at = Math.min(processedMax(count), keys.length);
    const open = keys.slice(at);
    return success({
      Responses: { things: keys.slice(0, at) },
      UnprocessedKeys: open.length === 0 ? {} : { things: { Keys: open } },
    });
  });
  const read = async (count: number) => {
    const items = await getItems({ client, name: 'things' }, { keys: keysOf(count) }, pause);
    return items.map((item) => Number(item['id']?.S)).toSorted((a, b) => a - b);
  };
  const sizes = () => inputs.map((input) => input.RequestItems.things.Keys.length);
  return { read, sizes, pauses };
}

describe('getItems', () => {
  it('reads at most 100 keys in a request, and all that stay unprocessed in the next round', async () => {
    const { read, sizes, pauses } = await setUp((request) => (request < 3 ? 90 : 100));
    expect(await read(250)).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(sizes().slice(0, 3).toSorted()).toEqual([100, 100, 50]);
    expect(sizes().slice(3)).toEqual([20]);
    expect(pauses).toEqual([25]);
  });

  it('gives up after five rounds, and names the number of keys that it has not read', async () => {
    const { read, sizes, pauses } = await setUp(() => 1);
    await expect(read(10)).rejects.toThrow('DynamoDB left 5 of 10 keys unread after 5 rounds.');
    expect(sizes()).toEqual([10, 9, 8, 7, 6]);
    expect(pauses).toEqual([25, 50, 100, 200]);
  });
});

it('summaries of events are read once more, consistently, for those that the first read did not find', async () => {
  const item = (id: string) => ({
    ...{ event_key: { S: `live:event:${id}` }, record: { S: 'event' }, outcome: { S: 'applied' } },
    ...{ event_name: { S: 'transaction.paid' }, key_id: { S: 'abc' }, signature: { B: '3tQ=' } },
    ...{ received_at: { S: '2026-11-21T10:00:00.000Z' }, recorded_at: { S: '2026-11-21T10:00:01.000Z' } },
    body_sha256: { B: '3tQ=' },
  });
  const { client, inputs } = await startDynamoDbServer((input) => {
    const consistent = input.RequestItems.events.ConsistentRead;
    return success({ Responses: { events: consistent ? [item('new')] : [item('old')] } });
  });
  const { summaries } = createEventRows({ client, name: 'events' });
  expect([...(await summaries('live', ['old', 'new', 'expired'])).keys()]).toEqual(['old', 'new']);
  const [first, second] = inputs.map((input) => input.RequestItems.events);
  expect([first.ConsistentRead, second.ConsistentRead]).toEqual([false, true]);
  const again = second.Keys.map((key: { event_key: { S: string } }) => key.event_key.S);
  expect(again).toEqual(['live:event:new', 'live:event:expired']);
  // When all are found there is no second read.
  await summaries('live', ['old', 'old']);
  expect(inputs).toHaveLength(3);
});
