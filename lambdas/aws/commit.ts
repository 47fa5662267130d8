import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { transactItemsMax } from '../contract/limits.ts';
import type { Committed, RepairStore } from '../ports/stores.ts';
import { type Write, writesOf } from './commit-writes.ts';
import { conditionOf, updateOf } from './expressions.ts';
import { toItem } from './items.ts';
import { itemTooLarge, type Table } from './table.ts';

type Tables = Readonly<Record<Write['table'], Table>>;

/** The one write of a repair: everything that changes in one transaction; SDK exceptions stop here. */
export function createCommit(tables: Tables, sequenceBase = 0): RepairStore['commit'] {
  return async function commit(changes) {
    const writes = writesOf(changes, sequenceBase);
    if (writes.length > transactItemsMax) return { kind: 'too_large' };
    const TransactItems = writes.map((item) => toTransactItem(item, tables[item.table].name));
    try {
      // The SDK repeats it with the same token, so that it is carried out once.
      if (writes.length > 0)
        await tables.events.client.send(new TransactWriteItemsCommand({ TransactItems }));
      return { kind: 'committed' };
    } catch (error) {
      const refusal = refusalOf(error, writes);
      if (refusal === undefined) throw error;
      return refusal;
    }
  };
}

function toTransactItem({ key: Key, condition, put, edit, isDeletion }: Write, TableName: string) {
  const conditions = condition && conditionOf(condition);
  if (put !== undefined) return { Put: { TableName, Item: toItem(put), ...conditions } };
  if (edit !== undefined) return { Update: { TableName, Key, ...updateOf(edit, condition) } };
  if (isDeletion) return { Delete: { TableName, Key, ...conditions } };
  return { ConditionCheck: { TableName, Key, ...conditions } } as TransactWriteItem;
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
  const refused: Error & { readonly CancellationReasons?: readonly Reason[] } = error;
  const { name, CancellationReasons: reasons = [] } = refused;
  const messages = [error.message, ...reasons.map(({ Message = '' }) => Message)];
  // The SDK's retry met its first attempt.
  if (name === 'TransactionInProgressException') return { kind: 'changed' };
  if (name !== 'TransactionCanceledException' && name !== 'ValidationException') return undefined;
  if (messages.some((message) => transactionTooLarge.test(message))) return { kind: 'too_large' };
  const orderIds = reasons.flatMap(({ Message = '' }, index) =>
    itemTooLarge.test(Message) ? [writes[index]?.orderId] : [],
  );
  if (reasons.some(({ Code = '' }) => changedCodes.includes(Code))) return { kind: 'changed' };
  if (orderIds.length === 0 || orderIds.includes(undefined)) return undefined;
  return { kind: 'full', orderIds: orderIds.filter((id) => id !== undefined) };
}
