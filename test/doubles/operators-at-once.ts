import { createHttpApi } from '../../lambdas/http-api/http-api.ts';
import type { ActParts } from '../../lambdas/operations/act-parts.ts';
import { postAdmit } from '../../lambdas/operations/admit.ts';
import { postDismiss } from '../../lambdas/operations/dismiss.ts';
import { postErase } from '../../lambdas/operations/erase.ts';
import { postResolve } from '../../lambdas/operations/resolve.ts';
import { memoryActStores } from './act-stores.ts';
import { consumerOver } from './consumer.ts';
import { fold, meaningOf } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { memoryActs } from './memory-acts.ts';
import { memoryJudgements } from './memory-judgements.ts';
import { type MemoryRoom, memoryStores } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';
import type { Gate } from './turns.ts';

const routes = {
  'POST /operations/admit': postAdmit,
  'POST /operations/dismiss': postDismiss,
  'POST /operations/resolve': postResolve,
  'POST /operations/erase': postErase,
};

export interface ActDone {
  readonly status: number;
  readonly changed: boolean | undefined;
  readonly detail: string;
}

export interface SharedTables {
  readonly eventRetentionDays?: number | undefined;
  readonly room?: Partial<MemoryRoom>;
}

const open: Gate = async () => {};

/** One pair of tables in memory, on which operators and consumers work, each behind a gate of its own. */
export function sharedTables({ eventRetentionDays, room }: SharedTables = {}) {
  const stores = memoryStores(undefined, room);
  const { acts, ...memoryActWriter } = memoryActs();
  const judgements = memoryJudgements(stores);
  const now = () => new Date('2026-11-22T09:00:00.000Z');

  function partsBehind(gate: Gate): ActParts {
    const { events, transactions, orders } = memoryActStores(stores);
    return {
      events: behind(gate, events),
      transactions: behind(gate, transactions),
      orders: behind(gate, orders),
      judgements: behind(gate, judgements),
      acts: behind(gate, memoryActWriter),
      ...{ meaningOf, eventRetentionDays, now, telemetry: recordTelemetry() },
    };
  }

  return {
    ...stores,
    acts,
    async act(name: 'admit' | 'dismiss' | 'resolve' | 'erase', fields: object, by = 'ann', gate = open) {
      const api = createHttpApi({ routes, parts: partsBehind(gate) });
      const body = JSON.stringify({ reason: `checked by ${by}`, ...fields });
      const event = gatewayEvent({ routeKey: `POST /operations/${name}`, body });
      const requestContext = { ...event.requestContext, authorizer: { iam: { userArn: by } } };
      const response = await api({ ...event, requestContext } as typeof event);
      const { changed, detail = '' } = JSON.parse(response.body ?? '{}');
      return { status: response.statusCode, changed, detail } as ActDone;
    },
    async consume(sent: SentBody | readonly SentBody[], gate = open): Promise<void> {
      const writer = behind(gate, stores.writer);
      const consumer = consumerOver({ writer }, { eventRetentionDays, now });
      const { batchItemFailures } = await consumer(sqsEvent(...[sent].flat()));
      if (batchItemFailures.length > 0) throw new Error('The consumer has failed.');
    },
    /** Everything that is stored. */
    state: () =>
      structuredClone({
        events: stores.events,
        bodies: stores.bodies,
        orders: stores.orders,
        transactions: stores.transactions,
        acts,
      }),
    /** The rows that wait, by key and record. */
    waiting: () => [...stores.events].flatMap(([key, { waiting }]) => (waiting === undefined ? [] : [key])),
    /** The events of each live order that has facts, and what it lists. */
    orderViews: () =>
      Object.fromEntries(
        [...stores.orders.values()].map(({ order, facts }) => {
          const { status, attention, events } = fold(facts);
          return [order.id, { status, attention, events: events.map(({ id }) => id) }];
        }),
      ),
    /** The records that hold a body. */
    bodyHolders: () => [
      ...[...stores.events.values()].flatMap(({ record, body }) => (body === undefined ? [] : [record])),
      ...[...stores.bodies.values()].flatMap(({ body }) => (body === undefined ? [] : ['body'])),
    ],
  };
}

/** A port whose every call first awaits the gate. */
function behind<Port extends object>(gate: Gate, port: Port): Port {
  const calls = Object.entries(port).map(([name, call]: [string, (...given: never[]) => unknown]) => [
    name,
    async (...given: never[]) => {
      await gate();
      return call(...given);
    },
  ]);
  return Object.fromEntries(calls) as Port;
}
