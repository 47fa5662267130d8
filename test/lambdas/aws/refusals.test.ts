import { describe, expect, it } from 'vitest';
import { createTables } from '../../../lambdas/aws/tables.ts';
import { type Changes, PermanentStoreError } from '../../../lambdas/ports/stores.ts';
import { at } from '../../doubles/both-tables.ts';
import {
  type DynamoDbResponse,
  failure,
  startDynamoDbServer,
  success,
} from '../../doubles/dynamodb-server.ts';
import { eventRow } from '../../doubles/event-rows.ts';

const order = { mode: 'live', id: 'o-1' } as const;
const row = { order, facts: ['a'], updatedAt: at, sequence: 1 };
const changes: Changes = {
  events: [{ before: undefined, after: eventRow('e-1') }],
  orders: [{ before: undefined, after: row }],
  ...{ transactions: [], names: [], acts: [] },
};
const reasons = (...CancellationReasons: object[]) =>
  failure(400, 'TransactionCanceledException', { CancellationReasons });
const [none, tooLarge] = [{ Code: 'None' }, 'Item size to update has exceeded the maximum allowed size'];

/** The ports over a DynamoDB that responds with these in turn, and repeats the last one. */
async function setUp(...responses: readonly DynamoDbResponse[]) {
  const { client, requests } = await startDynamoDbServer(
    (_, n) => responses[n] ?? responses.at(-1) ?? 'hang up',
  );
  const { store, ...ports } = createTables(client, { events: 'events', orders: 'orders' });
  const calls = {
    commit: () => store.commit(changes),
    put: () => store.put(eventRow('e-1')),
    putBody: () => store.putBody({ key: 'live:event:e-1', bodySha256: 'ab', body: Buffer.from('{}') }),
    putEventName: () => store.putEventName({ mode: 'live', eventName: 'n', eventId: 'e-1', recordedAt: at }),
    settle: () => store.settle({ mode: 'live', eventId: 'e-1', orderIds: ['o-1'] }),
    expireBody: () => store.expireBody({ key: 'live:event:e-1', bodySha256: 'ab' }, 1),
    merge: () => store.merge({ order, facts: ['a'], now: () => new Date(at) }),
    join: () => store.join({ mode: 'live', transactionId: 't-1', entry: 'a', at }),
    putKeyUse: () => ports.keyUses.putKeyUse({ mode: 'live', keyId: 'k', matchedAt: at }),
    keyUses: () => ports.keyUses.keyUses('live'),
    bodiesOf: () => store.bodiesOf('live:event:e-1'),
    getEventName: () => ports.events.getEventName('live', 'n'),
    getTransaction: () => ports.transactions.getTransaction('live', 't-1'),
    transactionRows: () => store.transactionRows('live', ['t-1']),
    orderRows: () => store.orderRows('live', ['o-1']),
    eventRows: () => store.eventRows('live', ['e-1']),
    getOrder: () => ports.orders.get(order),
    actsOf: () => ports.acts.actsOf('live:event:e-1'),
  };
  return { calls, requests };
}
type Call = keyof Awaited<ReturnType<typeof setUp>>['calls'];

describe('a transaction that DynamoDB refuses', () => {
  it.each<[string, DynamoDbResponse, object]>([
    ['a condition', reasons(none, { Code: 'ConditionalCheckFailed' }), { kind: 'changed' }],
    ['another transaction', reasons({ Code: 'TransactionConflict' }, none), { kind: 'changed' }],
    ['too many writes', reasons({ Code: 'ThrottlingError' }, none), { kind: 'changed' }],
    [
      'an order that is full',
      reasons(none, { Code: 'ValidationError', Message: tooLarge }),
      { kind: 'full', orderIds: ['o-1'] },
    ],
    [
      'more than 4 MB',
      failure(400, 'ValidationException', { message: 'Transaction payload size cannot exceed 4 MB' }),
      { kind: 'too_large' },
    ],
  ])('for %s has a result', async (_, response, result) => {
    const { calls } = await setUp(response);
    expect(await calls.commit()).toEqual(result);
  });

  it.each<[string, DynamoDbResponse, string]>([
    [
      'a row of an event',
      reasons({ Code: 'ValidationError', Message: tooLarge }, none),
      'TransactionCanceledException',
    ],
    ['a fault of the request', failure(400, 'ValidationException'), 'ValidationException'],
    ['a permission', failure(400, 'AccessDeniedException'), 'AccessDeniedException'],
  ])('for %s fails', async (_, response, name) => {
    const { calls } = await setUp(response);
    await expect(calls.commit()).rejects.toMatchObject({ name });
  });

  it('because its first attempt is under way has changed the rows', async () => {
    const { calls } = await setUp(failure(400, 'TransactionInProgressException'));
    expect(await calls.commit()).toEqual({ kind: 'changed' });
  });

  it('is sent again with the same token after a lost response', async () => {
    const { calls, requests } = await setUp('hang up', success({}));
    expect(await calls.commit()).toEqual({ kind: 'committed' });
    const tokens = requests.map(({ input }) => input.ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0]]);
  });
});

describe('a write whose condition does not hold', () => {
  const refused = (more = {}) => failure(400, 'ConditionalCheckFailedException', more);

  it.each<[Call, unknown]>([
    ['put', false],
    ['putBody', undefined],
    ['putEventName', undefined],
    ['settle', false],
    ['expireBody', undefined],
    ['putKeyUse', undefined],
  ])('is a result of %s', async (name, result) => {
    const { calls } = await setUp(refused());
    expect(await calls[name]()).toBe(result);
  });

  it('returns the facts of the order to merge, without another call', async () => {
    const { calls, requests } = await setUp(refused({ Item: { facts: { SS: ['a'] } } }));
    expect(await calls.merge()).toEqual(['a']);
    expect(requests).toHaveLength(1);
  });
});

it.each<Call>(['put', 'putBody', 'putEventName', 'settle', 'expireBody', 'putKeyUse', 'merge', 'join'])(
  'any other error is thrown by %s',
  async (name) => {
    const { calls } = await setUp(failure(400, 'AccessDeniedException'));
    await expect(calls[name]()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  },
);

it.each<Call>(['put', 'putBody', 'settle', 'merge'])(
  'an item above 400 KB is permanent for %s',
  async (name) => {
    const { calls } = await setUp(failure(400, 'ValidationException', { message: tooLarge }));
    await expect(calls[name]()).rejects.toThrow(PermanentStoreError);
  },
);

it('a fault of the request is not permanent', async () => {
  const { calls } = await setUp(
    failure(400, 'ValidationException', { message: 'ExpressionAttributeNames unused' }),
  );
  await expect(calls.put()).rejects.toMatchObject({ name: 'ValidationException' });
});

it.each<[Call, unknown]>([
  ['keyUses', []],
  ['bodiesOf', { kind: 'found', rows: [] }],
  ['getEventName', undefined],
  ['getTransaction', { entries: [], version: 0 }],
  ['transactionRows', new Map()],
  ['orderRows', new Map()],
  ['eventRows', new Map()],
  ['getOrder', undefined],
  ['actsOf', []],
])('an empty response is nothing to %s', async (name, nothing) => {
  const { calls } = await setUp(success({}));
  expect(await calls[name]()).toEqual(nothing);
});

it.each<Call>([
  'bodiesOf',
  'getEventName',
  'getTransaction',
  'transactionRows',
  'orderRows',
  'eventRows',
  'getOrder',
])('a read on which a write depends is consistent: %s', async (name) => {
  const { calls, requests } = await setUp(success({}));
  await calls[name]();
  expect(JSON.stringify(requests[0]?.input)).toContain('"ConsistentRead":true');
});
