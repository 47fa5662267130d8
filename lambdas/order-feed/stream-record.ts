import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { orderAttributes as names, orderOfKey } from '../contract/schema.ts';
import type { OrderRef } from '../ports/rows.ts';

/** The consumer writes every row, so an unreadable one was written by something else. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  constructor(image: string, issue: v.BaseIssue<unknown>) {
    const path = [image, v.getDotPath(issue)].filter((part) => part !== null).join('.');
    super(`A record of the stream of orders cannot be read at ${path}: ${issue.message}.`);
  }
}

/** One write, as its record in the stream describes it. A caller of the function can make one up. */
export interface RecordedWrite {
  readonly order: OrderRef;
  /** `undefined` when the write created the row. */
  readonly before: readonly string[] | undefined;
  readonly publishedBefore: string | undefined;
  readonly after: readonly string[];
  /** As readers see it. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

const isOrder = (order: unknown): order is OrderRef => order !== undefined;
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));
const count = 'Expected a whole number above zero';

const oldImage = v.object({
  /** An order whose facts have all left has no such attribute. */
  [names.facts]: v.optional(v.object({ SS: v.array(v.string()) })),
  [names.published]: v.optional(v.object({ S: v.string() })),
});
const newImage = v.object({
  ...oldImage.entries,
  [names.key]: v.object({
    S: v.pipe(v.string(), v.transform(orderOfKey), v.guard(isOrder, 'Expected a mode, ":order:" and an id')),
  }),
  [names.updatedAt]: v.object({ S: v.pipe(v.string(), v.check(isTime, 'Expected a time')) }),
  [names.sequence]: v.object({
    N: v.pipe(v.string(), v.transform(Number), v.safeInteger(count), v.minValue(1, count)),
  }),
});

/**
 * The write that a record of the stream describes; `undefined` for a removed row: only rows of heartbeats
 * expire, and a removal means nothing for the payments of an order. Throws UnreadableRecordError.
 */
export function readOrderWrite(
  { eventName, dynamodb = {} }: DynamoDBRecord,
  sequenceBase: number,
): RecordedWrite | undefined {
  if (eventName === 'REMOVE') return undefined;
  const after = readImage(newImage, dynamodb.NewImage, 'NewImage');
  // No default: without its old image a change would look like a new order.
  const before = eventName === 'INSERT' ? undefined : readImage(oldImage, dynamodb.OldImage, 'OldImage');
  return {
    order: after.order_key.S,
    before: before && (before.facts?.SS ?? []),
    after: after.facts?.SS ?? [],
    sequence: after.sequence.N + sequenceBase,
    publishedBefore: before?.published?.S,
    updatedAt: after.updated_at.S,
  };
}

function readImage<Schema extends v.GenericSchema>(
  schema: Schema,
  image: unknown,
  name: string,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, image);
  if (success) return output;
  throw new UnreadableRecordError(name, issues[0]);
}
