import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { type AttributeValue, BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';

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

/** Where today's order query responds otherwise on purpose: the fields that differ. */
const changedOnPurpose: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // One of two paid transactions was refunded in full: the order holds the money of the other.
  '/orders/twice': { status: 'paid' },
  '/orders?status=partially_refunded': { orders: [expect.objectContaining({ order_id: 'partly' })] },
  // Two refunds of 100.00 for a payment of 100.00.
  '/orders/over': { attention: ['refund_exceeds_payment'] },
  // Its amount is "1e2".
  '/orders/unreadable': { attention: ['payment_amount_unreadable'] },
  '/orders/disputed': { attention: ['disputed'] },
  // Its order was full and refused it.
  '/events/evt-refused': { outcome: 'pending' },
};
/** What today's order query responds over the stored rows. Fields may have been added since. */
export const expectedResponses = storedResponses.map(({ path, status, body }) => {
  return { path, status, body: { ...body, ...changedOnPurpose[path] } };
});

/** What the app of 0.2.0 synthesised with `settings`, without paths and bundles. */
export const templateFile = join(folder, 'template.json');
export const template: {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
} = JSON.parse(readFileSync(templateFile, 'utf8'));

const statefulTypes = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::Table',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Logs::LogGroup',
  'AWS::SecretsManager::Secret',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
];

/** The resources that hold data, have an address that others use, or remember how far they have read. */
export const statefulResources = Object.fromEntries(
  Object.entries(template.Resources).filter(([, { Type }]) => statefulTypes.includes(Type)),
);

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

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

/** The bytes that came first under the id of a stored event. */
export const bodyOfEvent = (eventId: string): Uint8Array =>
  bodyOf(storedEvents.find((item) => item['event_id']?.S === eventId && item['record']?.S === 'event') ?? {});

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
export function toItem(stored: StoredItem): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      value.B === undefined
        ? (value as AttributeValue)
        : { B: new Uint8Array(Buffer.from(value.B, 'base64')) },
    ]),
  );
}
