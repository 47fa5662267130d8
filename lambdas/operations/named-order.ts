import { eventRecord } from '../contract/schema.ts';
import { parseFact } from '../domain/fact.ts';
import type { EventRow } from '../ports/stores.ts';
import type { ReplayParts } from './replay-parts.ts';
import { subjectOf } from './replay-subject.ts';

/** The row of a payment, with the order and the transaction that the payment leaves. */
export type FormerRow = EventRow & { readonly orderId: string; readonly transactionId: string };

/** Whether another payment of the transaction names the order, as this version reads it. */
export async function isNamedByOther(parts: ReplayParts, former: FormerRow): Promise<boolean> {
  const { mode, orderId, eventId } = former;
  const order = await parts.orders.get({ mode, id: orderId });
  const payments = (order?.facts ?? [])
    .map(parseFact)
    .filter((fact) => fact.kind === 'event')
    // Of any transaction: this version may read this one in it.
    .filter((fact) => parts.meaningOf(fact.eventName) === 'paid');
  const others = new Set(payments.map((fact) => fact.eventId).filter((id) => id !== eventId));
  for (const id of others) {
    const rows = await parts.events.find(mode, id);
    const result = subjectOf(rows, parts);
    const bodies = result.ok
      ? [result.subject, ...result.subject.conflicts].map(({ row }) => row)
      : // Of one that this version cannot read, what an older one has read.
        rows.filter(({ record, judged }) => record === eventRecord.event || judged?.verdict === 'admitted');
    if (bodies.some((row) => isPaymentIn(parts, row, former))) return true;
  }
  return false;
}

export const isPaymentIn = (
  { meaningOf }: ReplayParts,
  { eventName = '', orderId, transactionId }: EventRow,
  former: FormerRow,
): boolean =>
  meaningOf(eventName) === 'paid' && orderId === former.orderId && transactionId === former.transactionId;
