import type { Difference } from '../../lambdas/operations/differences.ts';
import type { OperationsParts } from '../../lambdas/operations/parts.ts';
import type { Verified } from '../../lambdas/operations/verify.ts';
import { memoryActStores } from './act-stores.ts';
import { consumerOver } from './consumer.ts';
import { fold } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { intercepted } from './intercepted.ts';
import { memoryActs } from './memory-acts.ts';
import { memoryJudgements } from './memory-judgements.ts';
import { type MemoryRoom, memoryStores } from './memory-stores.ts';
import { operationsOver } from './operations.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import type { Gate } from './turns.ts';

export interface ActDone {
  readonly status: number;
  readonly changed: boolean | undefined;
  readonly detail: string;
  /** Of a replay: the events that it left as they are. */
  readonly left?: readonly { readonly event_id: string; readonly reason: string }[];
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

  function partsBehind(gate: Gate): Partial<OperationsParts> {
    const { writer, reader } = stores;
    const { events, transactions, orders } = memoryActStores(stores);
    return {
      events: behind(gate, { ...writer, ...reader, ...events }),
      transactions: behind(gate, transactions),
      orders: behind(gate, { ...writer, ...reader, ...orders }),
      judgements: behind(gate, judgements),
      acts: behind(gate, memoryActWriter),
      ...{ eventRetentionDays, now },
    };
  }

  return {
    ...stores,
    acts,
    async act(
      name: 'admit' | 'dismiss' | 'resolve' | 'erase' | 'replay',
      fields: object,
      by = 'ann',
      gate = open,
    ) {
      const api = operationsOver(stores, partsBehind(gate));
      const body = JSON.stringify({ reason: `checked by ${by}`, ...fields });
      const event = gatewayEvent({ routeKey: `POST /operations/${name}`, body });
      const requestContext = { ...event.requestContext, authorizer: { iam: { userArn: by } } };
      const response = await api({ ...event, requestContext } as typeof event);
      const { changed, detail = '', left } = JSON.parse(response.body ?? '{}');
      return { status: response.statusCode, changed, detail, ...(left && { left }) } as ActDone;
    },
    async consume(sent: SentBody | readonly SentBody[], gate = open): Promise<void> {
      const writer = behind(gate, stores.writer);
      const consumer = consumerOver({ writer }, { eventRetentionDays, now });
      const { batchItemFailures } = await consumer(sqsEvent(...[sent].flat()));
      if (batchItemFailures.length > 0) throw new Error('The consumer has failed.');
    },
    /** What a comparison of all events and orders finds. */
    async differences(): Promise<readonly Difference[]> {
      // Later than `now`, so that no event may still be on its way.
      const api = operationsOver(stores, { now: () => new Date('2026-11-22T10:00:00.000Z') });
      const found: Difference[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const body = JSON.stringify(cursor === undefined ? {} : { cursor });
        const response = await api(gatewayEvent({ routeKey: 'POST /operations/verify', body }));
        const page: Verified = JSON.parse(response.body ?? '');
        found.push(...page.differences);
        cursor = page.next_cursor;
      }
      return found;
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

type Tables = ReturnType<typeof sharedTables>;

const copied = ['bodies', 'eventNames', 'transactions', 'keyUses', 'orders', 'acts'] as const;

/** Tables with the same content. Rows of events never change, and those of other kinds are copied. */
export function copyOf(tables: Tables): Tables {
  const copy = sharedTables();
  for (const [key, row] of tables.events) copy.events.set(key, row);
  for (const name of copied) {
    const rows: Map<string, unknown> = copy[name];
    for (const [key, row] of tables[name]) rows.set(key, structuredClone(row));
  }
  return copy;
}

/** A port whose every call first awaits the gate. */
const behind = <Port extends object>(gate: Gate, port: Port): Port =>
  intercepted(port, async (call) => {
    await gate(call);
    return call.carryOut();
  });
