import { consumerOver } from './consumer.ts';
import { eventBody } from './event-body.ts';
import type { PortCall } from './intercepted.ts';
import { memoryStores } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { rowText } from './store-states.ts';

type Stores = ReturnType<typeof memoryStores>;

export const positions: readonly number[] = Array.from({ length: 10 }, (_, n) => n);
export const messageId = (n: number): string => `m${n}`;

/**
 * A batch of ten refunds that name no order. Their payments are recorded, so each passes every step: its row
 * is put, joined to its transaction, merged into the order of the payment, and settled.
 */
export const tenRefunds: readonly SentBody[] = positions.map((n) => ({
  body: eventBody({ id: `r${n}`, action: 'refunded', transaction: `T${n}`, amount: '1.00' }),
  messageId: messageId(n),
}));

/** The tables with the payments, each of an order of its own. */
export async function paidOrders(eventRetentionDays?: number): Promise<Stores> {
  const stores = memoryStores();
  const payments = positions.map((n) => ({
    body: eventBody({ id: `p${n}`, order: `O${n}`, transaction: `T${n}` }),
  }));
  await consumerOver(stores, { eventRetentionDays })(sqsEvent(...payments));
  return stores;
}

/** The record of the batch that makes a call; `undefined` for one that concerns none. */
export function recordOf({ name, given: [first] }: PortCall): number | undefined {
  const names = first as unknown as { readonly [key: string]: string | { readonly id: string } };
  const { eventId, transactionId, order, key } = names;
  const subject = { put: eventId, join: transactionId, merge: (order as { id: string })?.id, settle: key }[
    name
  ];
  return subject === undefined ? undefined : Number(String(subject).at(-1));
}

/** All that the tables hold of one record: its row, its transaction and its order. */
export function textOfRecord({ events, transactions, orders }: Stores, n: number): string {
  const transaction = transactions.get(`live:transaction:T${n}`);
  const [row, order] = [events.get(`live:event:r${n} event`), orders.get(`live:order:O${n}`)];
  const joined = [transaction?.orderIds, transaction?.facts].map((set) => [...(set ?? [])].sort());
  return JSON.stringify([row && rowText(row), order && rowText(order), joined]);
}
