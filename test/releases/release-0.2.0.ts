import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB JSON as text files hold it: binary attributes in base64. */
export type StoredItem = Readonly<Record<string, StoredValue>>;

interface StoredValue {
  readonly S?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
  readonly B?: string;
}

/** A response of the order query of release 0.1.0 to a GET request, over the stored rows. */
interface StoredResponse {
  readonly path: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const folder = join(import.meta.dirname, '0.1.0');
const readLines = <Line>(file: string): readonly Line[] =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Rows that 0.1.0 wrote: one or more of each kind, in the format of DynamoDB's own exports. */
export const storedEvents = readLines<StoredItem>('events.jsonl');
export const storedOrders = readLines<StoredItem>('orders.jsonl');
export const storedResponses = readLines<StoredResponse>('responses.jsonl');
/** When the responses were made: a cursor holds this time. */
export const respondedAt = '2026-11-21T16:11:17.122Z';

/**
 * The resources of 0.1.0 that hold data, have an address that others use, or remember how far they have read, each
 * with the properties that CloudFormation cannot change without replacing the resource.
 */
export const statefulResourcesFile = join(folder, 'stateful-resources.json');
export const statefulResources: Readonly<Record<string, { readonly Type: string }>> = JSON.parse(
  readFileSync(statefulResourcesFile, 'utf8'),
).Resources;

/** The settings under which 0.1.0 was deployed and synthesised. */
export const settings = {
  environmentName: 'ministack',
  keepData: true,
  consumerConcurrencyMax: 4,
  // Nothing listens on this port.
  paymentServiceBaseUrl: 'https://localhost:9',
  paymentServiceAuthentication: 'oauth',
} as const;

/** A stored item as the AWS SDK takes it. */
export function toItem(stored: StoredItem): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      value.B === undefined ? (value as AttributeValue) : { B: Buffer.from(value.B, 'base64') },
    ]),
  );
}
