/**
 * The simulated DynamoDB and the emulator of local mode, dynalite over HTTP, give the same responses to the
 * same calls: to those of two whole runs, and to some at the limits.
 */

import { AwsError } from '@payhooks/cdk-local/aws-error';
import { type DynamoDbEmulator, startDynamoDb } from '@payhooks/cdk-local/emulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../clock.ts';
import { bundleToday, loadBundles } from '../../lambda/bundles.ts';
import { itemBytesMax, startedAt } from '../../plan.ts';
import { createRandom } from '../../random.ts';
import { runSeed } from '../../run.ts';
import type { Item, Parameters } from './dynalite.ts';
import { createDynamoDb } from './dynamodb.ts';
import { tables } from './tables.ts';

/** What a call returned, or the code of its error. */
type Result = Readonly<Record<string, unknown>>;

let emulator: DynamoDbEmulator;
beforeAll(async () => {
  emulator = await startDynamoDb();
});
afterAll(() => emulator.close());

async function emulated(operation: string, given: object): Promise<Result> {
  const response = await fetch(emulator.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20261102T090000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=a/20261102/us-east-1/dynamodb/aws4_request, SignedHeaders=a, Signature=a',
    },
    body: JSON.stringify(given),
  });
  const { __type, Message, ...result } = (await response.json()) as Result;
  return typeof __type === 'string' ? { code: __type.split('#').at(-1), ...result } : result;
}

/** Empty tables in both. */
async function startBoth() {
  for (const { TableStatus, ...table } of Object.values(tables)) {
    await emulated('DeleteTable', { TableName: table.TableName });
    await expect
      .poll(() => emulated('CreateTable', { ...table, BillingMode: 'PAY_PER_REQUEST' }))
      .toHaveProperty('TableDescription');
    const description = () => emulated('DescribeTable', { TableName: table.TableName });
    await expect.poll(description).toMatchObject({ Table: { TableStatus } });
  }
  // Nothing lags.
  const random = { ...createRandom('conformance'), chance: () => true };
  const simulation = createDynamoDb({
    ...{ clock: createClock(startedAt), random, onWrite() {}, onExpired() {} },
    itemBytesMax: { events: itemBytesMax, orders: itemBytesMax },
  });
  function simulated(operation: string, given: Parameters): Result {
    try {
      const result = simulation.operations[operation]?.(structuredClone(given), { isPartial: false });
      return JSON.parse(JSON.stringify(result));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { code: error.code, message: error.message, ...error.details };
    }
  }
  const both = async (operation: string, given: Parameters) => ({
    emulator: sorted(await emulated(operation, given)),
    simulation: sorted(simulated(operation, given)),
  });
  return { both, simulation };
}

/** A BatchGetItem returns its items in no order. */
function sorted(result: Result): Result {
  const responses = result['Responses'] as Record<string, object[]> | undefined;
  if (responses === undefined) return result;
  const text = (item: object): string => JSON.stringify(Object.entries(item).sort());
  const inOrder = Object.entries(responses).map(([table, items]) => [
    table,
    items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)),
  ]);
  return { ...result, Responses: Object.fromEntries(inOrder) };
}

describe('the simulated DynamoDB', () => {
  // With 5, compact rows are switched on in the middle.
  it.each([4, 5])(
    'responds to every call of the run with seed %i as the emulator does',
    async (seed) => {
      const today = await bundleToday();
      const calls: [string, Parameters][] = [];
      const onDynamoDb = (operation: string, given: Parameters) =>
        calls.push([operation, structuredClone(given)]);
      await runSeed({ seed, bundles: loadBundles({ today }), onDynamoDb });
      const { both } = await startBoth();
      const codes = new Set<unknown>();
      for (const [operation, given] of calls) {
        const results = await both(operation, given);
        expect(results.simulation, `${operation} ${JSON.stringify(given)}`).toEqual(results.emulator);
        codes.add(results.emulator['code']);
      }
      const operations = calls.map(([operation]) => operation);
      expect(operations).toEqual(
        expect.arrayContaining(['GetItem', 'PutItem', 'UpdateItem', 'Query', 'BatchGetItem']),
      );
      expect(codes).toEqual(new Set([undefined, 'ConditionalCheckFailedException']));
    },
    120_000,
  );

  const key = { event_key: { S: 'live:event:1' }, record: { S: 'event' } };
  const large = 'x'.repeat(400 * 1024);
  const refused: readonly (readonly [string, string, Parameters])[] = [
    ['an item above 400 KB', 'PutItem', { TableName: 'events', Item: { ...key, a: { S: large } } }],
    [
      'an update above 400 KB',
      'UpdateItem',
      {
        ...{ TableName: 'orders', Key: { order_key: { S: 'live:order:1' } } },
        ...{ UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': { S: large } } },
      },
    ],
    ['a key that is no key of the table', 'GetItem', { TableName: 'events', Key: { order_key: { S: '1' } } }],
    ['an empty key', 'GetItem', { TableName: 'events', Key: { ...key, record: { S: '' } } }],
    ['an unknown index', 'Query', queryOf('no-index', 'live:conflict')],
    [
      'a consistent read of an index',
      'Query',
      { ...queryOf('waiting', 'live:conflict'), ConsistentRead: true },
    ],
    ['a key twice in a batch', 'BatchGetItem', { RequestItems: { events: { Keys: [key, key] } } }],
  ];
  it.each(refused)('refuses %s with the words of the emulator', async (_, operation, given) => {
    const { both } = await startBoth();
    const { emulator, simulation } = await both(operation, given);
    expect(emulator).toEqual({ code: 'ValidationException', message: expect.any(String) });
    expect(simulation).toEqual(emulator);
  });

  it('refuses a batch of more than 100 keys and a table that does not exist, with the same codes', async () => {
    const { both } = await startBoth();
    const Keys = Array.from({ length: 101 }, (_, n) => ({ ...key, event_key: { S: `live:event:${n}` } }));
    const batch = await both('BatchGetItem', { RequestItems: { events: { Keys } } });
    const missing = await both('GetItem', { TableName: 'payments', Key: key });
    expect([batch, missing].map(({ emulator }) => emulator['code'])).toEqual([
      'ValidationException',
      'ResourceNotFoundException',
    ]);
    for (const { emulator, simulation } of [batch, missing])
      expect(simulation['code']).toBe(emulator['code']);
  });

  it('pages through an index in the same order, and returns what it projects', async () => {
    const { both } = await startBoth();
    for (let n = 1; n <= 5; n += 1) {
      const Item = {
        ...{ event_key: { S: `live:event:${n}` }, record: { S: 'event' }, waiting: { S: 'live:conflict' } },
        ...{ recorded_at: { S: `2026-11-0${6 - n}` }, outcome: { S: 'conflict' }, body: { B: 'eA==' } },
      };
      await both('PutItem', { TableName: 'events', Item });
    }
    const seen: unknown[] = [];
    let from: unknown;
    do {
      const page = { ...queryOf('waiting', 'live:conflict'), Limit: 2, ScanIndexForward: false };
      const { emulator, simulation } = await both('Query', {
        ...page,
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      expect(simulation).toEqual(emulator);
      seen.push(...(simulation['Items'] as Item[]));
      from = simulation['LastEvaluatedKey'];
    } while (from);
    expect(seen.map((item) => (item as Item)['event_key']?.['S'])).toEqual(
      [1, 2, 3, 4, 5].map((n) => `live:event:${n}`),
    );
    expect(seen[0]).not.toHaveProperty('body');
  });

  it('keeps a row whose time has passed until it is swept, as the emulator does', async () => {
    const { both, simulation } = await startBoth();
    await both('PutItem', { TableName: 'events', Item: { ...key, expires_at: { N: '1' } } });
    const get = { TableName: 'events', Key: key };
    const found = await both('GetItem', get);
    expect(found.emulator).toEqual({ Item: { ...key, expires_at: { N: '1' } } });
    expect(found.simulation).toEqual(found.emulator);
    expect(simulation.rows('events')).toHaveLength(1);
  });

  const order = { order_key: { S: 'live:order:1' } };
  const putOrder = (attributes = {}) => ({ Put: { TableName: 'orders', Item: { ...order, ...attributes } } });
  const updateEvent = {
    Update: {
      ...{
        TableName: 'events',
        Key: key,
        UpdateExpression: 'SET waiting = :waiting, recorded_at = :at ADD seen :one',
      },
      ConditionExpression: 'attribute_not_exists(seen) OR seen < :max',
      ExpressionAttributeValues: {
        ...{
          ':waiting': { S: 'live:conflict' },
          ':at': { S: '2026-11-01' },
          ':one': { N: '1' },
          ':max': { N: '2' },
        },
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
  const checkOrder = {
    ConditionCheck: { TableName: 'orders', Key: order, ConditionExpression: 'attribute_exists(order_key)' },
  };
  const removeEvent = { Delete: { TableName: 'events', Key: key } };

  it('carries out transactions with the effects, the reasons and the tokens of the emulator', async () => {
    const { both } = await startBoth();
    const transactions = [
      [[putOrder(), updateEvent], undefined],
      [[checkOrder, updateEvent], 'token-1'],
      [[checkOrder, updateEvent], 'token-1'],
      [[putOrder(), updateEvent], 'token-1'],
      [[putOrder({ a: { S: 'x' } }), updateEvent], undefined],
      [[putOrder({ a: { S: large } }), removeEvent], undefined],
      [[{ Delete: { TableName: 'orders', Key: key } }, updateEvent, checkOrder], undefined],
      [[removeEvent, removeEvent], undefined],
      [[{ ...putOrder(), ...removeEvent }], undefined],
      [[{}], undefined],
      [[], undefined],
      [[putOrder(), { ...removeEvent }], 'token-2'],
    ] as const;
    const codes: unknown[] = [];
    for (const [TransactItems, ClientRequestToken] of transactions) {
      const request = { TransactItems, ...(ClientRequestToken && { ClientRequestToken }) };
      for (const [operation, given] of [
        ['TransactWriteItems', request] as const,
        ['GetItem', { TableName: 'events', Key: key, ConsistentRead: true }] as const,
        ['GetItem', { TableName: 'orders', Key: order, ConsistentRead: true }] as const,
        ['Query', queryOf('waiting', 'live:conflict')] as const,
      ]) {
        const { emulator, simulation } = await both(operation, given);
        expect(simulation, `${operation} ${JSON.stringify(given).slice(0, 500)}`).toEqual(emulator);
        if (operation === 'TransactWriteItems') codes.push(emulator['code']);
      }
    }
    expect(codes).toEqual([
      ...[undefined, undefined, undefined, 'IdempotentParameterMismatchException'],
      ...['TransactionCanceledException', 'TransactionCanceledException', 'TransactionCanceledException'],
      ...['ValidationException', 'ValidationException', 'ValidationException', 'ValidationException'],
      undefined,
    ]);
  });
});

function queryOf(IndexName: string, waiting: string): Parameters {
  return {
    ...{ TableName: 'events', IndexName, KeyConditionExpression: 'waiting = :waiting' },
    ExpressionAttributeValues: { ':waiting': { S: waiting } },
  };
}
