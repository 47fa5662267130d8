import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { orderAttributes, orderOfKey } from '../contract/schema.ts';
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
export function readOrderWrite(
  { eventName, dynamodb }: DynamoDBRecord,
  sequenceBase: number,
): OrderWrite | undefined {
  if (eventName === 'REMOVE') return undefined;
  const image = requiredImage(dynamodb?.NewImage, 'NewImage');
  const order = orderOfKey(text(image, orderAttributes.key));
  if (order === undefined)
    throw new UnreadableRecordError(orderAttributes.key, 'a mode, ":order:" and an id');
  const updatedAt = text(image, orderAttributes.updatedAt);
  if (Number.isNaN(Date.parse(updatedAt))) {
    throw new UnreadableRecordError(orderAttributes.updatedAt, 'a time');
  }
  const sequence = sequenceOf(image);
  if (sequence === undefined)
    throw new UnreadableRecordError(orderAttributes.sequence, 'a whole number above zero');
  // No default: without its old image a change would look like a new order.
  const before = eventName === 'INSERT' ? undefined : requiredImage(dynamodb?.OldImage, 'OldImage');
  const published = image[orderAttributes.published]?.S;
  return {
    order,
    before: before && factsOf(before),
    after: factsOf(image),
    sequence: sequence + sequenceBase,
    isPublishedAgain: published !== undefined && published !== before?.[orderAttributes.published]?.S,
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

/** An order whose facts have all left has no such attribute. */
const factsOf = (image: Image): readonly string[] => image[orderAttributes.facts]?.SS ?? [];

/** As stored; `undefined` when the image has none. */
function sequenceOf(image: Image | undefined): number | undefined {
  const sequence = Number(image?.[orderAttributes.sequence]?.N);
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : undefined;
}

/** The order of a record, for the log; empty where the record does not say. */
export function orderOfRecord({ dynamodb }: DynamoDBRecord): {
  readonly mode?: string;
  readonly id?: string;
} {
  return orderOfKey(dynamodb?.NewImage?.[orderAttributes.key]?.S ?? '') ?? {};
}
