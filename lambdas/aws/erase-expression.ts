import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { compactAttributes, eventAttributes, eventRecord } from '../contract/schema.ts';
import type { BodyErasure } from '../ports/decisions.ts';
import { text } from './dynamodb.ts';
import { erasureItem } from './event-item.ts';

/**
 * The update that removes a body; a repetition changes nothing. It creates the row of a body that has expired
 * or is not stored yet, and no other: of a row that expires in this moment it would create a part, which
 * nothing could read, under an id that a later delivery needs.
 */
export function eraseExpression({
  record,
  erased,
  fact,
}: BodyErasure): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const set = ['#erased = if_not_exists(#erased, :erased)'];
  if (fact !== undefined) set.push('fact = if_not_exists(fact, :fact)');
  const isBody = record.startsWith(eventRecord.body(''));
  return {
    ...(isBody ? {} : { ConditionExpression: `attribute_exists(${eventAttributes.key})` }),
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
