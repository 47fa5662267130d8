import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { compactAttributes, eventAttributes, waitingPartition } from '../contract/schema.ts';
import { packFact } from '../domain/stored-fact.ts';
import type { Settlement } from '../ports/stores.ts';
import { bytesOrText } from './attribute-values.ts';
import { type Item, text, textItem } from './dynamodb.ts';

/** The update of an event's row, on condition that the row is the one that the settlement is about. */
export function settleExpression(settlement: Settlement): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const { mode, from, outcome, reason, waiting, assignedOrderId: order, mergedInto } = settlement;
  const identity = identityOf(settlement);
  const set = textItem({
    outcome,
    reason,
    [eventAttributes.waiting]: waiting && waitingPartition(mode, waiting),
    assigned_order_id: order,
    // A row that is found by its fact has it.
    fact: 'bodySha256' in settlement ? settlement.fact : undefined,
  });
  // Never empty: what waits loses two attributes, and the rest the wait.
  const removed = ['reason', eventAttributes.waiting].filter((name) => set[name] === undefined);
  // Only rows of 0.2.0 expire, and what waits must not. What waits again was not judged for that reason.
  if (waiting !== undefined) removed.push(eventAttributes.expiresAt, eventAttributes.judged);
  const conditions = [identity.condition];
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
  const names = Object.keys(set);
  return {
    UpdateExpression:
      `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ` +
      `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      [...names, ...removed, ...identity.names].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...textItem({ ':from': from }),
      ...identity.values,
      ...mergedValues,
    },
    ReturnValues: 'ALL_NEW',
  };
}

interface Identity {
  readonly condition: string;
  readonly names: readonly string[];
  readonly values: Item;
}

/**
 * By body or by fact, in either form. A fact as text replaces a compact one. A fact settles only an event
 * without an order id: since the fact joined its transaction, a replay may have read one in the body.
 */
function identityOf(settlement: Settlement): Identity {
  if ('bodySha256' in settlement) {
    const hash = compactAttributes.bodySha256;
    const { bodySha256 } = settlement;
    return {
      condition: `(#body_sha256 = :body_sha256 OR #${hash} = :${hash})`,
      names: ['body_sha256', hash],
      values: { ':body_sha256': text(bodySha256), [`:${hash}`]: bytesOrText(bodySha256) },
    };
  }
  const { details } = packFact(settlement.fact) ?? {};
  const { fact: compact, orderId: compactOrderId } = compactAttributes;
  const isUnnamed = `attribute_not_exists(#order_id) AND attribute_not_exists(#${compactOrderId})`;
  const asText = '#fact = :is_fact';
  const asCompact = `(attribute_not_exists(#fact) AND #${compact} = :${compact})`;
  return {
    condition: `${isUnnamed} AND ${details === undefined ? asText : `(${asText} OR ${asCompact})`}`,
    names: ['order_id', compactOrderId, 'fact', ...(details === undefined ? [] : [compact])],
    values: {
      ':is_fact': text(settlement.fact),
      ...(details !== undefined && { [`:${compact}`]: text(details) }),
    },
  };
}
