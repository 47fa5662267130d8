import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { compactAttributes, eventAttributes } from '../contract/schema.ts';
import type { BodyErasure } from '../ports/decisions.ts';
import { text } from './dynamodb.ts';
import { erasureItem } from './event-item.ts';

/**
 * The update that removes a body. Without a condition: it creates the row of a body that has expired or is
 * not stored yet, and a repetition changes nothing.
 */
export function eraseExpression({
  erased,
  fact,
}: BodyErasure): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const set = ['#erased = if_not_exists(#erased, :erased)'];
  if (fact !== undefined) set.push('fact = if_not_exists(fact, :fact)');
  return {
    UpdateExpression: `SET ${set.join(', ')} REMOVE body, body_encoding, #body, #expiresAt`,
    ExpressionAttributeNames: {
      '#erased': eventAttributes.erased,
      '#expiresAt': eventAttributes.expiresAt,
      '#body': compactAttributes.body,
    },
    ExpressionAttributeValues: {
      ':erased': erasureItem(erased),
      ...(fact === undefined ? {} : { ':fact': text(fact) }),
    },
  };
}
