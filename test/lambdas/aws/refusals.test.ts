import type { Scripted } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTables } from '../../../lambdas/aws/tables.ts';
import { type Changes, PermanentStoreError } from '../../../lambdas/ports/stores.ts';
import { at } from '../../doubles/both-tables.ts';
import { failure, startDynamoDbServer, success } from '../../doubles/dynamodb-server.ts';
import { eventRow } from '../../doubles/event-rows.ts';

// The pause before a further attempt is a random part of a second or two.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
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

/** The ports over a DynamoDB that always responds like this. */
async function setUp(response: Scripted) {
  const { client, inputs } = await startDynamoDbServer(() => response);
  const { store, ...ports } = createTables(client, { events: 'events', orders: 'orders' });
  const calls = {
    commit: () => store.commit(changes),
    put: () => store.put(eventRow('e-1')),
    putBody: () => store.putBody({ key: 'live:event:e-1', bodySha256: 'ab', body: Buffer.from('{}') }),
    settle: () => store.settle({ mode: 'live', eventId: 'e-1', orderIds: ['o-1'] }),
    merge: () => store.merge({ order, facts: ['a'], now: () => new Date(at) }),
    bodiesOf: () => store.bodiesOf('live:event:e-1'),
    getEventName: () => ports.events.getEventName('live', 'n'),
    getTransaction: () => ports.transactions.getTransaction('live', 't-1'),
    transactionRows: () => store.transactionRows('live', ['t-1']),
    orderRows: () => store.orderRows('live', ['o-1']),
    eventRows: () => store.eventRows('live', ['e-1']),
    getOrder: () => ports.orders.get(order),
  };
  return { calls, inputs };
}
type Call = keyof Awaited<ReturnType<typeof setUp>>['calls'];

describe('a transaction that DynamoDB refuses', () => {
  it.each<[string, Scripted, object]>([
    ['a condition', reasons(none, { Code: 'ConditionalCheckFailed' }), { kind: 'changed' }],
    ['another transaction', reasons({ Code: 'TransactionConflict' }, none), { kind: 'changed' }],
    ['too many writes', reasons({ Code: 'ThrottlingError' }, none), { kind: 'changed' }],
    ['its own first attempt', failure(400, 'TransactionInProgressException'), { kind: 'changed' }],
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

  it.each<[string, Scripted, string]>([
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
});

it.each<Call>(['put', 'putBody', 'settle', 'merge'])(
  'an item above 400 KB is permanent for %s, and no other fault is',
  async (name) => {
    const { calls } = await setUp(failure(400, 'ValidationException', { message: tooLarge }));
    await expect(calls[name]()).rejects.toThrow(PermanentStoreError);
    for (const code of ['ValidationException', 'AccessDeniedException']) {
      const { calls: others } = await setUp(failure(400, code, { message: 'a name is unused' }));
      await expect(others[name]()).rejects.toMatchObject({ name: code });
    }
  },
);

it.each<Call>([
  ...(['bodiesOf', 'getEventName', 'getTransaction', 'transactionRows', 'orderRows'] as const),
  ...(['eventRows', 'getOrder'] as const),
])('a read on which a write depends is consistent: %s', async (name) => {
  const { calls, inputs } = await setUp(success({}));
  await calls[name]();
  expect(JSON.stringify(inputs[0])).toContain('"ConsistentRead":true');
});
