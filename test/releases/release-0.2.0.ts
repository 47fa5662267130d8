import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { type AttributeValue, BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** DynamoDB JSON as text files hold it: binary attributes in base64. */
export type StoredItem = Readonly<Record<string, StoredValue>>;

interface StoredValue {
  readonly S?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
  readonly B?: string;
}

/** A response of the order query of release 0.2.0 to a GET request, over the stored rows. */
interface StoredResponse {
  readonly path: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The parameters of SendMessage, without the URL of the queue. */
interface StoredMessage {
  readonly MessageBody: string;
  readonly MessageAttributes: Readonly<
    Record<string, { readonly DataType: 'String'; readonly StringValue: string }>
  >;
}

const folder = join(import.meta.dirname, '0.2.0');
const readLines = <Line>(file: string): readonly Line[] =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Rows that 0.2.0 wrote: one or more of each kind, in the format of DynamoDB's own exports. */
export const storedEvents = readLines<StoredItem>('events.jsonl');
export const storedOrders = readLines<StoredItem>('orders.jsonl');
export const storedResponses = readLines<StoredResponse>('responses.jsonl');
/** When the responses were made: a cursor holds this time. */
export const respondedAt = '2026-11-21T18:10:00.000Z';
/** What the verifier of 0.2.0 sent to the event queue. */
export const storedMessages = readLines<StoredMessage>('messages.jsonl');

/**
 * The resources of 0.2.0 that hold data, have an address that others use, or remember how far they have read, each
 * with the properties that CloudFormation cannot change without replacing the resource.
 */
export const statefulResourcesFile = join(folder, 'stateful-resources.json');
export const statefulResources: Readonly<Record<string, { readonly Type: string }>> = JSON.parse(
  readFileSync(statefulResourcesFile, 'utf8'),
).Resources;

/** The settings under which 0.2.0 was deployed and synthesised. */
export const settings = {
  environmentName: 'ministack',
  keepData: true,
  consumerConcurrencyMax: 4,
  // Nothing listens on this port.
  paymentServiceBaseUrl: 'https://localhost:9',
  paymentServiceAuthentication: 'oauth',
} as const;

/** The signed bytes in a stored row of `events`. */
export function bodyOf(item: StoredItem): Uint8Array {
  const bytes = Buffer.from(item['body']?.B ?? '', 'base64');
  return item['body_encoding']?.S === 'deflate' ? inflateSync(bytes) : bytes;
}

/** Writes stored rows into tables, by the name of the table. */
export async function putRows(
  client: DynamoDBClient,
  tables: Readonly<Record<string, readonly StoredItem[]>>,
): Promise<void> {
  for (const [table, items] of Object.entries(tables)) {
    // BatchWriteItem takes 25 rows at most.
    for (let at = 0; at < items.length; at += 25) {
      const puts = items.slice(at, at + 25).map((item) => ({ PutRequest: { Item: toItem(item) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
    }
  }
}

/** A stored item as the AWS SDK takes it. */
function toItem(stored: StoredItem): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      value.B === undefined ? (value as AttributeValue) : { B: Buffer.from(value.B, 'base64') },
    ]),
  );
}
