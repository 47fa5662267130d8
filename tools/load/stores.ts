import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createEventScan } from '../../lambdas/aws/event-scan.ts';
import { createOrderScan } from '../../lambdas/aws/order-scan.ts';
import { parseFact } from '../../lambdas/domain/fact.ts';
import type { ScanPosition } from '../../lambdas/ports/scans.ts';
import { messagesIn } from '../drill/settled.ts';
import type { Recorded } from './judgement.ts';

interface StackView {
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoints: { readonly sqs: string; readonly dynamodb: string };
  readonly region: string;
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** The queue and the tables of local mode, from outside. */
export async function openStores(baseUrl: string) {
  const { outputs, endpoints, region } = (await (await fetch(`${baseUrl}/stack`)).json()) as StackView;
  const aws = { region, credentials: { accessKeyId: 'load', secretAccessKey: 'load' } };
  const sqs = new SQSClient({ ...aws, endpoint: endpoints.sqs });
  const dynamodb = new DynamoDBClient({ ...aws, endpoint: endpoints.dynamodb });
  const output = (name: string): string => {
    const value = outputs[name];
    if (value === undefined) throw new Error(`The stack of local mode has no output ${name}.`);
    return value;
  };
  const [queue, events, orders] = ['EventQueueUrl', 'EventsTableName', 'OrdersTableName'].map(output) as [
    string,
    string,
    string,
  ];
  return {
    /** How many acknowledged events are not recorded yet. */
    waiting: (): Promise<number> => messagesIn(sqs, queue),
    async recorded(): Promise<Recorded> {
      return { rows: await countRows(dynamodb, events), facts: await countFacts(dynamodb, orders) };
    },
    close(): void {
      sqs.destroy();
      dynamodb.destroy();
    },
  };
}

async function countRows(dynamodb: DynamoDBClient, table: string): Promise<ReadonlyMap<string, number>> {
  const scan = createEventScan(dynamodb, table);
  const counts = new Map<string, number>();
  let after: ScanPosition | undefined;
  do {
    const page = await scan.page({ mode: 'live', after });
    for (const { eventId } of page.events) count(counts, eventId);
    after = page.next;
  } while (after !== undefined);
  return counts;
}

async function countFacts(dynamodb: DynamoDBClient, table: string): Promise<ReadonlyMap<string, number>> {
  const scan = createOrderScan(dynamodb, table);
  const counts = new Map<string, number>();
  let after: string | undefined;
  do {
    const page = await scan.page({ mode: 'live', after });
    for (const fact of page.orders.flatMap(({ facts }) => facts.map(parseFact)))
      if ('eventId' in fact) count(counts, fact.eventId);
    after = page.next;
  } while (after !== undefined);
  return counts;
}

const count = (counts: Map<string, number>, id: string): void =>
  void counts.set(id, (counts.get(id) ?? 0) + 1);
