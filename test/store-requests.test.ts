import { describe, expect, it } from 'vitest';
import { createActTable } from '../lambdas/aws/act-table.ts';
import { createChangeIndex } from '../lambdas/aws/change-index.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createJudgementTable } from '../lambdas/aws/judgement-table.ts';
import { createOrderScan } from '../lambdas/aws/order-scan.ts';
import { createOrderTable } from '../lambdas/aws/order-table.ts';
import { createTransactionTable } from '../lambdas/aws/transaction-table.ts';
import { createWaitingIndex } from '../lambdas/aws/waiting-index.ts';
import { type DynamoDbResponse, failure, startDynamoDbServer, success } from './doubles/dynamodb-server.ts';

const at = '2026-11-21T10:00:00.000Z';
const act = { act: 'admit', by: 'ann', at, reason: 'checked', eventId: 'e1' } as const;
const judged = { verdict: 'dismissed', by: 'ann', at, reason: 'not ours' } as const;
const judgement = { row: { key: 'k', record: 'event', mode: 'live' }, expected: {}, judged } as const;
const start = { updatedAt: at, tie: '' };
const order = { mode: 'live', id: 'o1' } as const;

/** The adapters over a DynamoDB that responds with these in turn, and repeats the last one. */
async function setUp(...responses: readonly [DynamoDbResponse, ...DynamoDbResponse[]]) {
  const last = responses.at(-1) ?? responses[0];
  const { client, requests } = await startDynamoDbServer((_, count) => responses[count] ?? last);
  const [acts, changes] = [createActTable(client, 'events'), createChangeIndex(client, 'orders')];
  const [judgements, scan] = [createJudgementTable(client, 'events'), createOrderScan(client, 'orders')];
  const [orders, waiting] = [createOrderTable(client, 'orders'), createWaitingIndex(client, 'events')];
  const transactions = createTransactionTable(client, 'events');
  const events = createEventTable(client, 'events');
  const selection = { mode: 'live', kind: 'order_refused', limit: 3 } as const;
  const calls = {
    actsOf: () => acts.actsOf('live:event:e1'),
    putAct: () => acts.putAct(act, ['live:event:e1']),
    changesAfter: () => changes.after('live', start, 3),
    changesBefore: () => changes.before('live', start, 3),
    judge: () => judgements.judge(judgement),
    getEventName: () => judgements.getEventName('live', 'a.b'),
    scan: () => scan.page({ mode: 'live' }),
    getOrder: () => orders.get(order),
    getOrders: () => orders.getAll(['live:order:o1']).then((rows) => [...rows]),
    merge: () => orders.merge({ order, facts: ['a'], now: () => new Date(at) }),
    getTransaction: () => transactions.get('live', 't1'),
    join: () => transactions.join({ mode: 'live', transactionId: 't1', add: { orderId: 'o1' } }),
    leave: () => transactions.leave({ mode: 'live', transactionId: 't1', orderId: 'o1' }),
    list: () => waiting.list(selection),
    count: () => waiting.count('live', 'conflict'),
    oldest: () => waiting.oldest('live', 'conflict'),
    eventNames: () => waiting.eventNames('live'),
    summaries: () => events.summaries('live', ['e1']).then((found) => [...found]),
  };
  return { calls, inputs: () => requests.map(({ input }) => input), requests };
}
type Calls = Awaited<ReturnType<typeof setUp>>['calls'];

describe('a read on which a write depends', () => {
  it.each<keyof Calls>(['actsOf', 'getEventName', 'getOrder', 'getTransaction'])(
    'is consistent: %s',
    async (name) => {
      const { calls, inputs } = await setUp(success({}));
      await calls[name]();
      expect(inputs()).toMatchObject([{ ConsistentRead: true }]);
    },
  );

  it('is consistent for the orders that a page of changes lists, so that no reader moves past an old row', async () => {
    const { calls, inputs } = await setUp(success({}));
    await calls.getOrders();
    expect(inputs()).toMatchObject([{ RequestItems: { orders: { ConsistentRead: true } } }]);
  });
});

const noRow = { orderIds: [], facts: [] };
it.each<[keyof Calls, unknown]>([
  ['actsOf', []],
  ['changesAfter', { changes: [], more: false }],
  ['getEventName', undefined],
  ['scan', { orders: [], next: undefined }],
  ['getOrder', undefined],
  ['getOrders', []],
  ['merge', { facts: [], changed: true }],
  ['getTransaction', noRow],
  ['join', noRow],
  ['leave', noRow],
  ['list', { rows: [], next: undefined }],
  ['count', 0],
  ['oldest', undefined],
  ['eventNames', []],
  ['summaries', []],
])('an empty response is nothing to %s', async (name, nothing) => {
  const { calls } = await setUp(success({}));
  expect(await calls[name]()).toEqual(nothing);
});

it.each<keyof Calls>(['putAct', 'judge', 'merge', 'join'])(
  'an error that is no failed condition is thrown by %s',
  async (name) => {
    const { calls } = await setUp(failure(400, 'AccessDeniedException'));
    await expect(calls[name]()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  },
);

describe('a condition that is not met', () => {
  const refused = (more: object = {}) => failure(400, 'ConditionalCheckFailedException', more);
  const row = { facts: { SS: ['a'] }, order_ids: { SS: ['o2'] } };
  const joined = { orderIds: ['o2'], facts: ['a'] };

  it.each<[keyof Calls, unknown]>([
    ['merge', { facts: ['a'], changed: false }],
    ['join', joined],
  ])('costs %s no read: the response has the row', async (name, result) => {
    const { calls, inputs } = await setUp(refused({ Item: row }));
    expect(await calls[name]()).toEqual(result);
    expect(inputs()).toMatchObject([{ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }]);
  });

  it.each<[keyof Calls, unknown]>([
    ['merge', { facts: ['a'], changed: false }],
    ['join', joined],
  ])('lets %s read the row when the response lacks it', async (name, result) => {
    const { calls, requests } = await setUp(refused(), success({ Item: row }));
    expect(await calls[name]()).toEqual(result);
    expect(requests.at(-1)).toMatchObject({ operation: 'GetItem', input: { ConsistentRead: true } });
  });

  it.each<[keyof Calls, unknown]>([
    ['putAct', undefined],
    ['judge', false],
  ])('is a result of %s', async (name, result) => {
    const { calls, requests } = await setUp(refused());
    expect(await calls[name]()).toBe(result);
    expect(requests).toHaveLength(1);
  });
});

describe('a row that is not as payhooks writes it', () => {
  const row = { order_key: { S: 'live:order:o1' }, updated_at: { S: at } };

  it('is an order without facts when it has none', async () => {
    const { calls } = await setUp(success({ Item: row }));
    expect(await calls.getOrder()).toEqual({ order, facts: [], updatedAt: at });
  });

  it('is refused under a key that is none of an order, which the error names', async () => {
    const { calls } = await setUp(success({ Items: [{ ...row, order_key: { S: 'live:"other"' } }] }));
    const message = 'The table of orders has the key "live:\\"other\\"".';
    await expect(calls.scan()).rejects.toThrow(new TypeError(message));
  });

  it('is refused without an attribute that each row has, which the error names', async () => {
    const message = 'An item of the table has no text attribute "recorded_at".';
    const { calls } = await setUp(success({ Items: [{ recorded_at: { N: '1' } }] }));
    await expect(calls.oldest()).rejects.toThrow(new TypeError(message));
    const { calls: others } = await setUp(success({ Items: [{ event_name: { S: 'a.b' } }] }));
    await expect(others.eventNames()).rejects.toThrow(new TypeError(message));
  });
});

describe('a request', () => {
  it.each<[keyof Calls, object]>([
    ['count', { Select: 'COUNT' }],
    ['oldest', { Limit: 1 }],
    // One more shows whether there is another page.
    ['list', { Limit: 4 }],
    ['eventNames', { ProjectionExpression: 'event_name, recorded_at' }],
  ])('reads no more than it needs: %s', async (name, bounds) => {
    const { calls, inputs } = await setUp(success({}));
    await calls[name]();
    expect(inputs()).toMatchObject([bounds]);
  });

  it('reads only the attributes of a summary', async () => {
    const { calls, inputs } = await setUp(success({}));
    await calls.summaries();
    const { ProjectionExpression, ExpressionAttributeNames: names } = inputs()[0].RequestItems.events;
    const read = ProjectionExpression.split(', ').map((name: string) => names[name]);
    expect(read).toEqual(expect.arrayContaining(['event_key', 'received_at', 'key_id', 'body_sha256']));
    expect(read).not.toContain('body');
  });

  it('has no empty text in the condition on a key, which DynamoDB refuses', async () => {
    const { calls, inputs } = await setUp(success({}));
    await calls.list();
    const values: { S: string }[] = Object.values(inputs()[0].ExpressionAttributeValues);
    expect(values.map(({ S }) => S)).not.toContain('');
  });
});
