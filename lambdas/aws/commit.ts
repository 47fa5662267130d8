import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { transactItemsMax } from '../contract/limits.ts';
import type { Committed, RepairStore } from '../ports/stores.ts';
import { toTransactItem, type Write, writesOf } from './commit-writes.ts';
import { itemTooLarge } from './dynamodb.ts';
import type { TableNames } from './items.ts';
import type { OrderTableSettings } from './order-table.ts';

/** The one write of a repair: everything that changes in one transaction; SDK exceptions stop here. */
export function createCommit(
  client: DynamoDBClient,
  tables: TableNames,
  { sequenceBase = 0 }: OrderTableSettings = {},
): RepairStore['commit'] {
  return async function commit(changes) {
    const writes = writesOf(changes, sequenceBase);
    if (writes.length > transactItemsMax) return { kind: 'too_large' };
    const TransactItems = writes.map((item) => toTransactItem(item, tables[item.table]));
    try {
      // The SDK repeats it with the same token, so that it is carried out once.
      if (writes.length > 0) await client.send(new TransactWriteItemsCommand({ TransactItems }));
      return { kind: 'committed' };
    } catch (error) {
      const refusal = refusalOf(error, writes);
      if (refusal === undefined) throw error;
      return refusal;
    }
  };
}

interface Reason {
  readonly Code?: string | undefined;
  readonly Message?: string | undefined;
}

/** Reasons that pass, or that a new read shows. */
const changedCodes = [
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
const transactionTooLarge = /aggregate size|4 ?MB|length less than or equal to 100/i;

function refusalOf(error: unknown, writes: readonly Write[]): Committed | undefined {
  if (!(error instanceof Error)) return undefined;
  const reasons = ('CancellationReasons' in error ? error.CancellationReasons : undefined) as
    | readonly Reason[]
    | undefined;
  const messages = [error.message, ...(reasons ?? []).map(({ Message = '' }) => Message)];
  const { name } = error;
  // The SDK's retry met its first attempt.
  if (name === 'TransactionInProgressException') return { kind: 'changed' };
  if (name !== 'TransactionCanceledException' && name !== 'ValidationException') return undefined;
  if (messages.some((message) => transactionTooLarge.test(message))) return { kind: 'too_large' };
  const orderIds = (reasons ?? []).flatMap(({ Message = '' }, index) =>
    itemTooLarge.test(Message) ? [writes[index]?.orderId] : [],
  );
  if (reasons?.some(({ Code = '' }) => changedCodes.includes(Code))) return { kind: 'changed' };
  if (orderIds.length === 0 || orderIds.includes(undefined)) return undefined;
  return { kind: 'full', orderIds: orderIds.filter((id) => id !== undefined) };
}
