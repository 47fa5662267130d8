import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Scripted } from '@payhooks/payment-service/testing';
import { describe, expect, it, vi } from 'vitest';
import { callMilliseconds } from '../../../lambdas/aws/client-options.ts';
import { createSingleAttemptClient, stampedWrite } from '../../../lambdas/aws/dynamodb.ts';
import { createOrderTable } from '../../../lambdas/aws/order-table.ts';
import { failure, startDynamoDbServer, success } from '../../doubles/dynamodb-server.ts';

const silence: Scripted = { fault: 'hang' };
const stored = success({});

/**
 * The order table over a server that sends these responses in turn, and repeats the last one. The time of an
 * attempt ends once the server has its request and is silent.
 */
async function setUp(...responses: readonly Scripted[]) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let endTime = (): void => {};
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const time = new AbortController();
    endTime = () => time.abort(new DOMException('The time is up.', 'TimeoutError'));
    return time.signal;
  });
  const server = await startDynamoDbServer((_, count) => {
    const response = responses[count] ?? responses.at(-1) ?? silence;
    if (response === silence) endTime();
    return response;
  });
  const table = createOrderTable({ client: server.client, name: 'orders' });
  let seconds = 0;
  const now = (): Date => {
    seconds += 1;
    return new Date(Date.UTC(2026, 10, 21, 10, 0, seconds));
  };
  const order = { mode: 'live', id: 'order-1' } as const;
  const merge = () => table.merge({ order, facts: ['a fact'], now });
  const stamps = (): string[] =>
    server.inputs.map((input) => input.ExpressionAttributeValues[':set_updated_at'].S);
  return { merge, stamps };
}

const attempts = ['2026-11-21T10:00:01.000Z', '2026-11-21T10:00:02.000Z', '2026-11-21T10:00:03.000Z'];

describe('a merge into an order', () => {
  it.each<[string, Scripted]>([
    ['a 500', failure(500, 'InternalServerError')],
    ['a 503', failure(503, 'ServiceUnavailable')],
    ['a throttle', failure(400, 'ProvisionedThroughputExceededException')],
    ['a request limit', failure(400, 'RequestLimitExceeded')],
    ['a closed connection', { fault: 'cut' }],
    ['no response in time', silence],
  ])('is repeated with a new time stamp after %s', async (_, response) => {
    const { merge, stamps } = await setUp(response, response, stored);
    await merge();
    expect(stamps()).toEqual(attempts);
  });

  it('fails after three attempts, with the error of the last one', async () => {
    const { merge, stamps } = await setUp(
      failure(503, 'ServiceUnavailable'),
      failure(500, 'InternalServerError'),
    );
    await expect(merge()).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(stamps()).toEqual(attempts);
  });

  it.each(['ValidationException', 'AccessDeniedException'])('is not repeated after %s', async (name) => {
    const { merge, stamps } = await setUp(failure(400, name));
    await expect(merge()).rejects.toMatchObject({ name });
    expect(stamps()).toHaveLength(1);
  });

  it('waits before each repetition up to twice as long as before the last one', async () => {
    const pauses: number[] = [];
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const error = Object.assign(new Error('no'), { name: 'ThrottlingException' });
    const refused = stampedWrite(
      () => Promise.reject(error),
      async (milliseconds) => pauses.push(milliseconds),
    );
    await expect(refused).rejects.toBe(error);
    expect(pauses).toEqual([50, 100]);
  });

  it('has a third of the time of a call for each of its three attempts', async () => {
    const { client } = await startDynamoDbServer(() => success({}));
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await createSingleAttemptClient(client).send(new ListTablesCommand({}));
    const [milliseconds] = timeout.mock.calls[0] ?? [];
    expect(timeout).toHaveBeenCalledTimes(1);
    expect(3 * (milliseconds ?? 0)).toBeGreaterThan(callMilliseconds - 3);
    expect(3 * (milliseconds ?? 0)).toBeLessThanOrEqual(callMilliseconds);
  });

  it('uses the connections of the reads', async () => {
    const { client } = await startDynamoDbServer(() => success({}));
    const { requestHandler } = createSingleAttemptClient(client).config;
    expect(requestHandler).toBe(client.config.requestHandler);
  });
});
