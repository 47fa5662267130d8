import { createClassify } from '../../lambdas/consumer/receive.ts';
import type { fitsOrderItem } from '../../lambdas/contract/order-item.ts';
import type { Meaning } from '../../lambdas/domain/assumptions.ts';
import type { ParsedEvent } from '../../lambdas/domain/payment-event.ts';
import { withoutTransactions } from '../../lambdas/projection/without-transactions.ts';
import { consumerOver } from '../doubles/consumer.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { createMemoryTables, type Hooks } from '../doubles/memory-store.ts';
import { operationsOver } from '../doubles/operations.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';

/** Two releases, which read the same body differently. */
export type Version = 'v1' | 'v2';

/** What a version reads in a body. */
export interface Said {
  readonly name: string;
  readonly order: string | null;
  readonly transaction: string | null;
  readonly amount: string;
}

export interface HistoryBody {
  readonly id: string;
  /** `false` is in order, for a live key; anything else is quarantined. */
  readonly sandbox: boolean;
  readonly v1: Said;
  readonly v2: Said;
}

const meanings: Readonly<Record<Version, Readonly<Record<string, Meaning>>>> = {
  v1: { paid: 'paid', refunded: 'refunded', failed: 'failed', note: 'history' },
  v2: { paid: 'paid', refunded: 'refunded', failed: 'failed', note: 'history', returned: 'refunded' },
};

const parse =
  (version: Version) =>
  (bytes: Uint8Array): ParsedEvent => {
    const body = JSON.parse(Buffer.from(bytes).toString()) as HistoryBody;
    const { name, order, transaction, amount } = body[version];
    const fields = {
      ...{ eventName: name, orderId: order, transactionId: transaction },
      ...{ amount, currency: 'EUR', createdAt: null },
    };
    const event = { id: body.id, sandbox: body.sandbox, fields, invalidId: undefined };
    return { ok: true, event };
  };

const meaningOf = (version: Version) => (name: string) => meanings[version][name];
export const classifyAs = (version: Version) => createClassify(meaningOf(version), parse(version));
const bytesOf = (body: HistoryBody): Uint8Array => Buffer.from(JSON.stringify(body));

export interface WorldOptions {
  readonly now: () => number;
  readonly eventRetentionDays: number | undefined;
  readonly fits?: typeof fitsOrderItem | undefined;
  /** The setting `transactionRows`. */
  readonly keepsTransactions: boolean;
}

/** Tables in memory, of a deployment with or without rows of transactions. */
export function createWorldTables(keepsTransactions: boolean, fits?: typeof fitsOrderItem) {
  const tables = createMemoryTables(fits);
  const open = (hooks?: Hooks) => {
    const ports = tables.open(hooks);
    return keepsTransactions ? ports : { ...ports, store: withoutTransactions(ports.store) };
  };
  return { ...tables, open };
}

/** The real consumer and the real operations over tables in memory; every call of an actor passes its gate. */
export function createWorld({ now, eventRetentionDays, fits, keepsTransactions }: WorldOptions) {
  const tables = createWorldTables(keepsTransactions, fits);
  const parts = (hooks: Hooks, version: Version) => ({
    eventRetentionDays,
    ...(fits && { fits }),
    now: () => new Date(now()),
    pause: async () => hooks.gate?.({ name: 'pause', args: [] }),
    classify: classifyAs(version),
  });
  return {
    ...{ tables, keepsTransactions },
    /** Whether the message may be deleted. */
    async deliver(hooks: Hooks, version: Version, body: HistoryBody): Promise<boolean> {
      const consume = consumerOver(tables.open(hooks).store, parts(hooks, version));
      const response = await consume(sqsEvent({ body: bytesOf(body) }));
      return response.batchItemFailures.length === 0;
    },
    /** A request to the operations API, by its route. */
    async request(hooks: Hooks, version: Version, [route, body]: readonly [string, object]) {
      const meanings = { meaningOf: meaningOf(version), meaningsId: version };
      const api = operationsOver(tables, { hooks, ...parts(hooks, version), ...meanings });
      const { statusCode = 0, body: text = '' } = await api(
        gatewayEvent({ routeKey: `POST /operations/${route}`, body: JSON.stringify(body) }),
      );
      return { status: statusCode, body: JSON.parse(text) as Record<string, unknown> };
    },
  };
}
