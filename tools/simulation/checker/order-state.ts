import type { Transaction } from '@payhooks/order-client';
import { meanings } from './meanings.ts';
import { byAmount, currenciesOf, factText, meaningOf, movesMoney, type Status } from './money.ts';
import type { KnownOfOrder } from './projection.ts';
import type { SignedEvent } from './signed-body.ts';
import { type JudgedTransaction, transactionState } from './transaction-state.ts';

export interface OrderState {
  readonly status: Status;
  /** In alphabetical order. */
  readonly attention: readonly string[];
  readonly transactions: readonly Transaction[];
  /** One for each event id, sorted by it. */
  readonly events: readonly SignedEvent[];
}

/** docs/order-states.md, with A3 to A6 and A22 to A24 of docs/assumptions.md. */
export function orderState({ events, marks }: KnownOfOrder): OrderState {
  const bodies = Map.groupBy(events.toSorted(byId), ({ id }) => id);
  const rivals = [...bodies.values()].map(theOneThatCountsFirst);
  const counted = rivals.flatMap(([one]) => one ?? []);
  // A6: an event without a transaction id stands alone.
  const groups = Map.groupBy(counted, ({ id, transactionId }) =>
    JSON.stringify([transactionId ?? { event: id }]),
  );
  const transactions = [...groups.values()].map(transactionState);
  const holding = transactions.filter(holdsMoney);
  const attention = [
    ...marks.map((mark) => mark.attention),
    ...transactions.flatMap((transaction) => transaction.attention),
    ...(rivals.some(({ length }) => length > 1) ? ['conflicting_event'] : []),
    ...(holding.length > 1 ? ['multiple_paid_transactions'] : []),
    ...(currenciesOf(counted.filter(movesMoney)).size > 1 ? ['currency_mixed'] : []),
  ];
  return {
    status: statusOf(transactions, holding),
    attention: [...new Set(attention)].sort(),
    transactions: transactions.map(({ state }) => state).sort(byTimeThenId),
    events: counted,
  };
}

const holdsMoney = ({ state: { status } }: JudgedTransaction): boolean =>
  status === 'paid' || status === 'partially_refunded';

/** A5: what was returned in full does not count next to money that is held, unless its payment is missing. */
function statusOf(transactions: readonly JudgedTransaction[], holding: readonly JudgedTransaction[]): Status {
  const has = (wanted: Status) => transactions.some(({ state }) => state.status === wanted);
  if (holding.length === 0) return has('refunded') ? 'refunded' : has('failed') ? 'failed' : 'pending';
  const unmatched = transactions.some(({ attention }) => attention.includes('refund_without_payment'));
  return unmatched || has('partially_refunded') ? 'partially_refunded' : 'paid';
}

/** A22, for the different events under one id: two bodies with the same fact are one event. */
function theOneThatCountsFirst(bodies: readonly SignedEvent[]): readonly SignedEvent[] {
  const distinct = new Map(bodies.map((event) => [factText(event), event]));
  const rankOf = (event: SignedEvent): number => meanings.indexOf(meaningOf(event));
  return [...distinct.values()].sort(
    (a, b) => rankOf(a) - rankOf(b) || byAmount(a, b) || compare(factText(a), factText(b)),
  );
}

const byId = (a: SignedEvent, b: SignedEvent): number => compare(a.id, b.id);
const byTimeThenId = (a: Transaction, b: Transaction): number =>
  compare(a.created_at, b.created_at) || compare(a.id, b.id);

/** By code unit; `null` last. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
