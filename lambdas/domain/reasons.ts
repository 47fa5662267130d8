import { parseAmount } from './amount.ts';
import type { Meaning } from './assumptions.ts';
import type { Attention } from './attention.ts';
import { type CountedEvents, countEvents } from './counted-events.ts';
import type { EventFact } from './fact.ts';
import { foldOrder, groupByTransaction, holdsMoney } from './fold-order.ts';
import type { Reason, ReasonRule } from './reason.ts';
import { type FoldedTransaction, foldTransaction } from './transaction.ts';

/** The events of one transaction, by what they mean, and its state. */
interface Explained {
  readonly folded: FoldedTransaction;
  readonly of: (meaning: Meaning) => readonly EventFact[];
}

/**
 * Why the state of an order is what it is: a pure function of its set of facts. An event that no reason names
 * changes neither status nor attention.
 */
export function reasonsOf(facts: Iterable<string>): readonly Reason[] {
  const all = [...facts];
  const counted = countEvents(all);
  const transactions = [...groupByTransaction(counted.events)].toSorted(byKey).map(([, group]): Explained => {
    const byMeaning = Map.groupBy(group, ({ meaning }) => meaning);
    return { folded: foldTransaction(group), of: (meaning) => byMeaning.get(meaning) ?? [] };
  });
  const isHeld = transactions.some(({ folded }) => holdsMoney(folded));
  const ofStatus = transactions.flatMap((transaction) => statusReasons(transaction, isHeld));
  const { attention } = foldOrder(all);
  return [
    ...(ofStatus.length === 0 ? [reason('nothing_decides', null, [])] : ofStatus),
    ...attention.flatMap((name) => attentionReasons(name, transactions, counted)),
  ];
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function statusReasons({ folded, of }: Explained, isHeld: boolean): readonly Reason[] {
  const [payments, failures, refunds] = [of('paid'), of('failed'), of('refunded')];
  const { id, status, amount, currency } = folded.view;
  if (status === 'failed') return [{ ...reason('payment_failed', id, failures), amount, currency }];
  const paid = { ...reason('payment_counted', id, payments), amount, currency };
  const refund = refunds.length === 1 ? refunds[0] : undefined;
  const returned = { amount: refund?.amount ?? null, currency: refund?.currency ?? currency };
  return [
    ...(payments.length > 0 ? [paid] : []),
    ...(status === 'partially_refunded' ? [{ ...reason('refund_partial', id, refunds), ...returned }] : []),
    ...(status === 'refunded' ? [{ ...reason(fullRule(folded, isHeld), id, refunds), ...returned }] : []),
  ];
}

/** A refund without a payment counts: nothing shows that it belongs to a payment of its own. */
const fullRule = ({ attention }: FoldedTransaction, isHeld: boolean): ReasonRule =>
  isHeld && !attention.has('refund_without_payment') ? 'transaction_returned_in_full' : 'refund_full';

function attentionReasons(
  name: Attention,
  transactions: readonly Explained[],
  { contested, shared }: CountedEvents,
): readonly Reason[] {
  const ofOrder = (events: readonly Pick<EventFact, 'eventId'>[]) => [reason(name, null, events)];
  switch (name) {
    case 'multiple_paid_transactions': {
      const held = transactions.filter(({ folded }) => holdsMoney(folded));
      return ofOrder(held.flatMap(({ of }) => of('paid')));
    }
    case 'currency_mixed': {
      const moving = transactions.flatMap(decisive);
      return ofOrder(moving.filter(({ currency }) => currency !== null));
    }
    case 'conflicting_event':
      return ofOrder([...contested].map((eventId) => ({ eventId })));
    case 'transaction_in_two_orders':
      return shared.map((id) => {
        const named = transactions.filter(({ folded }) => folded.view.id === id);
        return reason(
          name,
          id,
          named.flatMap((transaction) => [...decisive(transaction), ...transaction.of('disputed')]),
        );
      });
    case 'too_many_events':
    case 'unreadable_fact':
      return ofOrder([]);
    default: {
      const raised = transactions.filter(({ folded }) => folded.attention.has(name));
      return raised.map((transaction) =>
        reason(name, transaction.folded.view.id, raisedBy(name, transaction)),
      );
    }
  }
}

/** The events by which money moved, or failed to. */
const decisive = ({ of }: Explained): readonly EventFact[] =>
  (['paid', 'failed', 'refunded'] as const).flatMap(of);

function raisedBy(name: Attention, { of }: Explained): readonly EventFact[] {
  if (name === 'disputed') return of('disputed');
  if (name === 'failure_and_payment') return [...of('failed'), ...of('paid')];
  if (name === 'payment_amount_ambiguous') return of('paid');
  if (name === 'payment_amount_unreadable')
    return of('paid').filter(({ amount }) => parseAmount(amount) === undefined);
  return of('refunded');
}

const reason = (
  rule: ReasonRule,
  transaction_id: string | null,
  events: readonly Pick<EventFact, 'eventId'>[],
): Reason => ({
  rule,
  transaction_id,
  event_ids: [...new Set(events.map(({ eventId }) => eventId))].sort(),
  amount: null,
  currency: null,
});
