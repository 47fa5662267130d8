import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { orderAttributes, orderOfKey } from '../contract/schema.ts';
import { factOfStored } from '../domain/stored-fact.ts';
import type { OrderWrite } from './order-change.ts';

type Image = Readonly<Record<string, AttributeValue>>;

/** The consumer writes every row, so an unreadable one was written by something else. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  constructor(part: string, expected: string) {
    super(`A record of the stream of orders has no usable ${part}; expected ${expected}.`);
  }
}

/**
 * The write that a record of the stream describes; `undefined` for a removed row: only rows of heartbeats
 * expire, and a removal means nothing for the payments of an order. Throws UnreadableRecordError.
 */
export function readOrderWrite({ eventName, dynamodb }: DynamoDBRecord): OrderWrite | undefined {
  if (eventName === 'REMOVE') return undefined;
  const image = requiredImage(dynamodb?.NewImage, 'NewImage');
  const order = orderOfKey(text(image, orderAttributes.key));
  if (order === undefined)
    throw new UnreadableRecordError(orderAttributes.key, 'a mode, ":order:" and an id');
  const updatedAt = text(image, orderAttributes.updatedAt);
  if (Number.isNaN(Date.parse(updatedAt))) {
    throw new UnreadableRecordError(orderAttributes.updatedAt, 'a time');
  }
  return {
    order,
    // No default: without its old image a change would look like a new order.
    before: eventName === 'INSERT' ? undefined : factsOf(requiredImage(dynamodb?.OldImage, 'OldImage')),
    after: factsOf(image),
    updatedAt,
  };
}

function requiredImage(image: Image | undefined, name: string): Image {
  if (image === undefined) throw new UnreadableRecordError(name, 'a stream of new and old images');
  return image;
}

function text(image: Image, name: string): string {
  const value = image[name]?.S;
  if (value === undefined) throw new UnreadableRecordError(name, 'a string');
  return value;
}

/** The feed compares facts, so a fact that is stored in a second form changes nothing. */
const factsOf = (image: Image): readonly string[] => [
  ...new Set((image[orderAttributes.facts]?.SS ?? []).map(factOfStored)),
];

/** The order of a record, for the log; empty where the record does not say. */
export function orderOfRecord({ dynamodb }: DynamoDBRecord): {
  readonly mode?: string;
  readonly id?: string;
} {
  return orderOfKey(dynamodb?.NewImage?.[orderAttributes.key]?.S ?? '') ?? {};
}
