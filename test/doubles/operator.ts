import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { createOperatorTables } from '../../lambdas/aws/operator-tables.ts';
import { createOperations } from '../../lambdas/operations/operations.ts';
import type { OperationsParts } from '../../lambdas/operations/parts.ts';
import { memoryActStores, memoryScans } from './act-stores.ts';
import { consumerOver } from './consumer.ts';
import { fold, meaningOf } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startTables } from './local-tables.ts';
import { memoryActs } from './memory-acts.ts';
import { memoryJudgements } from './memory-judgements.ts';
import { type MemoryRoom, memoryStores } from './memory-stores.ts';
import { memoryWaiting } from './memory-waiting.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

export type Backend = 'memory' | 'tables';

export interface OperatorSetUp {
  readonly backend?: Backend;
  readonly eventRetentionDays?: number;
  /** In memory only. */
  readonly room?: Partial<MemoryRoom>;
  readonly parts?: (parts: OperationsParts) => Partial<OperationsParts>;
}

/** An operator at work on what a consumer has stored. */
export async function setUpOperator(setUp: OperatorSetUp = {}) {
  const { eventRetentionDays, backend = 'memory', room } = setUp;
  const stores = backend === 'tables' ? await tables() : memory(room);
  let seconds = 0;
  const now = () => new Date(Date.parse('2026-11-22T09:00:00.000Z') + 1000 * seconds++);
  const telemetry = recordTelemetry();
  const settings = { meaningOf, eventRetentionDays, now, telemetry };
  const parts: OperationsParts = { ...stores, ...settings };
  const api = createOperations({ ...parts, ...setUp.parts?.(parts) });
  const { events, transactions, orders } = parts;
  const writer = { ...events, ...transactions, ...orders, putKeyUse: async () => {} };
  const consumer = consumerOver({ writer }, { eventRetentionDays });

  async function post(act: keyof typeof acts, body: string, caller = 'arn:aws:iam::1:user/ann') {
    const event = gatewayEvent({ routeKey: acts[act], body });
    const requestContext = { ...event.requestContext, authorizer: { iam: { userArn: caller } } };
    const { statusCode, body: response = '' } = await api({ ...event, requestContext } as typeof event);
    return { status: statusCode, body: JSON.parse(response) };
  }

  return {
    ...parts,
    bodyExpiry: stores.bodyExpiry,
    setRoom: (orderBytesMax: number) => stores.setRoom?.({ orderBytesMax }),
    telemetry,
    post,
    /** Sends a request for an act, with a reason. */
    act: (name: keyof typeof acts, fields: object, caller?: string) =>
      post(name, JSON.stringify({ reason: 'checked with the customer', ...fields }), caller),
    async consume(...sent: SentBody[]) {
      const { batchItemFailures } = await consumer(sqsEvent(...sent));
      if (batchItemFailures.length > 0) throw new Error('The consumer has failed.');
    },
    /** What a live event's rows are, by record. */
    async rows(eventId: string) {
      const found = await events.find('live', eventId);
      return Object.fromEntries(
        found.map(({ record, outcome, waiting }) => [record.split(':')[0], [outcome, waiting ?? null]]),
      );
    },
    async row(eventId: string, kind = 'event') {
      const row = (await events.find('live', eventId)).find(({ record }) => record.startsWith(kind));
      if (row === undefined) throw new Error(`The event ${eventId} has no row ${kind}.`);
      return row;
    },
    /** The live order as the order query shows it; `undefined` without facts. */
    async order(id: string) {
      const facts = (await orders.get({ mode: 'live', id }))?.facts;
      if (facts === undefined) return undefined;
      const { status, attention, events: counted } = fold(facts);
      return { status, attention, events: counted.map((event) => event.id), sequence: facts.length };
    },
  };
}

const acts = {
  admit: 'POST /operations/admit',
  dismiss: 'POST /operations/dismiss',
  resolve: 'POST /operations/resolve',
  erase: 'POST /operations/erase',
} as const;

function memory(room: Partial<MemoryRoom> = {}) {
  const stores = memoryStores(undefined, room);
  const { bodies, writer, reader } = stores;
  return {
    ...memoryScans(stores),
    events: { ...writer, ...reader, ...memoryActStores(stores).events },
    transactions: memoryActStores(stores).transactions,
    orders: { ...writer, ...reader },
    setRoom: stores.setRoom,
    judgements: memoryJudgements(stores),
    acts: memoryActs(),
    keyUses: { keyUses: async () => [] },
    waiting: memoryWaiting(stores),
    /** When the body of an event expires; `null` never, `undefined` without a row of its own. */
    bodyExpiry: async (key: string, bodySha256: string) => {
      const body = bodies.get(`${key} body:${bodySha256}`);
      return body && (body.expiresAt ?? null);
    },
  };
}

async function tables() {
  const { client, close } = await startTables();
  onTestFinished(close);
  return {
    ...createOperatorTables(client, { events: 'events', orders: 'orders' }),
    setRoom: undefined,
    bodyExpiry: async (key: string, bodySha256: string) => {
      const Key = { event_key: { S: key }, record: { S: `body:${bodySha256}` } };
      const { Item } = await client.send(new GetItemCommand({ TableName: 'events', Key }));
      return Item && (Item['expires_at']?.N === undefined ? null : Number(Item['expires_at'].N));
    },
  };
}
