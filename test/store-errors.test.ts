import { describe, expect, it } from 'vitest';
import { asStoreError, conditionFailure } from '../lambdas/aws/dynamodb.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { failure, startDynamoDbServer } from './doubles/dynamodb-server.ts';

const at = '2026-11-21T10:00:00.000Z';
const row: EventRow = {
  ...{ key: 'live:event:e', record: 'event', mode: 'live', outcome: 'applied', eventId: 'e', orderId: 'A' },
  ...{ body: Uint8Array.of(1), bodySha256: 'ab', keyId: 'abc', receivedAt: at, recordedAt: at },
};

/** The error of a put to which DynamoDB always responds like this. */
async function errorOf(status: number, name: string, message: string) {
  const { client } = await startDynamoDbServer(() => failure(status, name, { message }));
  return createEventTable(client, 'events')
    .put(row)
    .catch((error: unknown) => error);
}

describe('a write that DynamoDB refuses', () => {
  it.each([
    ['put', 'Item size has exceeded the maximum allowed size'],
    ['update', 'Item size to update has exceeded the maximum allowed size'],
  ])('is permanent when the item of a %s is too large, and says so', async (_, message) => {
    const error = await errorOf(400, 'ValidationException', message);
    expect(error).toBeInstanceOf(PermanentStoreError);
    expect(error).toMatchObject({
      name: 'PermanentStoreError',
      message: `DynamoDB refused the write: ${message}`,
      cause: { name: 'ValidationException' },
    });
  });

  it.each([
    ['ProvisionedThroughputExceededException', 'The level of configured throughput was exceeded.'],
    ['ThrottlingException', 'Rate exceeded'],
    ['RequestLimitExceeded', 'Throughput exceeds the current limit'],
    ['AccessDeniedException', 'User is not authorized'],
    ['ValidationException', 'One or more parameter values were invalid'],
    ['InternalServerError', 'Item size has exceeded the maximum allowed size'],
  ])('is tried again after a %s: %s', (name, message) => {
    const error = Object.assign(new Error(message), { name });
    expect(asStoreError(error)).toBe(error);
  });
});

it('an error that is none of DynamoDB stays as it is, and is no failed condition', () => {
  for (const thrown of [
    'ValidationException',
    new Error('Item size has exceeded the maximum allowed size'),
  ]) {
    expect(asStoreError(thrown)).toBe(thrown);
    expect(conditionFailure(thrown)).toBeUndefined();
  }
});
