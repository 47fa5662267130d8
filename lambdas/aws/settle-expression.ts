import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { eventAttributes, waitingPartition } from '../contract/schema.ts';
import type { Settlement } from '../ports/stores.ts';
import { text, textItem } from './dynamodb.ts';

/** The update of an event's row, on condition that the row is the one that the settlement is about. */
export function settleExpression(settlement: Settlement): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const { mode, from, outcome, reason, waiting, assignedOrderId: order, mergedInto, fact } = settlement;
  const bodySha256 = 'bodySha256' in settlement ? settlement.bodySha256 : undefined;
  const set = textItem({
    outcome,
    reason,
    [eventAttributes.waiting]: waiting && waitingPartition(mode, waiting),
    assigned_order_id: order,
    fact,
  });
  const removed = ['reason', eventAttributes.waiting].filter((name) => set[name] === undefined);
  // Only rows of 0.2.0 have it; what waits must not expire.
  if (waiting !== undefined) removed.push(eventAttributes.expiresAt);
  // What waits again was not judged for that reason.
  if (waiting !== undefined) removed.push(eventAttributes.judged);
  const names = Object.keys(set);
  const values = textItem({ bodySha256, from });
  const conditions = [bodySha256 === undefined ? '#fact = :fact' : 'body_sha256 = :bodySha256'];
  if (from !== undefined) conditions.push('#outcome = :from');
  // The same wait that an operator has ended, or is ending.
  if (waiting !== undefined) conditions.push('(attribute_not_exists(#judged) OR #outcome <> :outcome)');
  // Consumers that know different orders of a transaction settle in any order, and the row ends the same:
  // with the least of the orders, or with one that refused the event.
  const merged = outcome === 'applied' && order !== undefined ? (mergedInto ?? [order]) : [];
  const mergedValues = Object.fromEntries(merged.map((id, index) => [`:merged${index}`, text(id)]));
  if (merged.length > 0) {
    const assigned = '#assigned_order_id';
    const isKnown = `${assigned} IN (${Object.keys(mergedValues).join(', ')})`;
    const isLesser = `(#outcome = :outcome AND ${assigned} > :assigned_order_id)`;
    conditions.push(`(attribute_not_exists(${assigned}) OR ${isKnown} OR ${isLesser})`);
  }
  return {
    UpdateExpression:
      `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}` +
      (removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([...names, ...removed].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
      ...mergedValues,
    },
    ReturnValues: 'ALL_NEW',
  };
}
