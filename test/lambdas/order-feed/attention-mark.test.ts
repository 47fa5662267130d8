import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createAttentionTable } from '../../../lambdas/aws/attention-table.ts';
import { createWaitingIndex } from '../../../lambdas/aws/waiting-index.ts';
import { fact, paid } from '../../doubles/facts.ts';
import { startTables } from '../../doubles/local-tables.ts';
import { setUpFeed } from '../../doubles/stream-event.ts';

const one = [paid('a')];
/** Two payments of different transactions. */
const twice = [paid('a'), paid('b', { transactionId: 'T-2' })];
const charge = 'multiple_paid_transactions';
const times = ['2026-11-21T10:00:00.000Z', '2026-11-21T11:00:00.000Z'] as const;
const begins = { before: one, after: twice, sequence: 2, updatedAt: times[0], sequenceNumber: '2' };
const ends = { before: twice, after: one, sequence: 3, updatedAt: times[1], sequenceNumber: '3' };

it('an order is marked when its attention changes, and otherwise only when it is published again', async () => {
  const { publish, marks } = setUpFeed({ sequenceBase: 1_000 });
  const more = [...twice, paid('c', { transactionId: 'T-3' })];
  const publishedAgain = { before: one, after: one, published: 'r-1', sequence: 9 };
  const middle = { before: twice, after: more, sequence: 2 };
  const disputed = { before: more, after: [...more, fact('d', 'disputed')], sequence: 3 };
  for (const write of [{ after: one }, begins, middle, disputed, ends, publishedAgain]) await publish(write);
  await publish({ ...begins, mode: 'heartbeat' });
  const mark = { mode: 'live', orderId: 'order-1' };
  expect(marks).toMatchObject([
    { ...mark, attention: [charge], sequence: 1_002, changedAt: times[0] },
    { ...mark, attention: [charge, 'disputed'], sequence: 1_003 },
    { ...mark, attention: [], sequence: 1_003 },
    { ...mark, attention: [], sequence: 1_009 },
  ]);
});

it('the end of an attention is marked although its beginning is repeated in the same batch', async () => {
  const { publish, marks, requests } = setUpFeed();
  const refunded = [...one, fact('r', 'refunded')];
  await publish(begins);
  await publish(begins, { ...ends, after: refunded });
  expect(marks.map(({ attention }) => attention)).toEqual([[charge], []]);
  expect(requests.flat()).toHaveLength(2);
});

it('a change whose mark cannot be stored is published, and the stream returns to it', async () => {
  const { publish, requests, telemetry } = setUpFeed({
    markAttention: async ({ sequence }) => {
      if (sequence === 2) throw new Error('throttled');
    },
  });
  const other = { ...begins, orderId: 'order-2', sequence: 3, sequenceNumber: '3' };
  expect(await publish(begins, other)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  expect(requests.flat()).toHaveLength(2);
  const [line] = telemetry.lines.filter(({ level }) => level === 'error');
  expect(line?.fields).toMatchObject({ order_id: 'order-1', error_message: 'throttled' });
});

it('an order waits from the beginning of its attention to its end, whatever is repeated or late', async () => {
  const tables = await startTables();
  const events = { client: tables.client, name: 'events' };
  const waiting = createWaitingIndex(events);
  const feed = setUpFeed({ markAttention: createAttentionTable(events) });
  const waits = async () => [
    await waiting.count('live', 'attention'),
    await waiting.oldest('live', 'attention'),
    await waiting.attentions('live'),
  ];
  try {
    await feed.publish(begins, begins);
    await feed.publish({ ...begins, sequence: 3, published: 'r-1', before: twice, updatedAt: times[1] });
    expect(await waits()).toEqual([1, times[0], { [charge]: 1 }]);
    const selection = { mode: 'live', kind: 'attention', limit: 10 } as const;
    expect((await waiting.list(selection)).rows).toMatchObject([{ orderId: 'order-1' }]);
    await feed.publish({ ...ends, sequence: 4 }, begins);
    expect(await waits()).toEqual([0, undefined, {}]);
    await feed.publish({ ...begins, sequence: 5, updatedAt: times[1] });
    const disputed = { after: [...twice, fact('d', 'disputed')], updatedAt: times[1] };
    await feed.publish({ ...begins, sequence: 6, before: twice, ...disputed });
    expect(await waits()).toEqual([1, times[1], { [charge]: 1, disputed: 1 }]);
    // An order without attention that is published again gets no row.
    await feed.publish({ before: one, after: one, published: 'r-2', orderId: 'order-2' });
    const { Count } = await tables.client.send(new ScanCommand({ TableName: 'events' }));
    expect(Count).toBe(1);
  } finally {
    await tables.close();
  }
});
