import type { Attention, Reason, ReasonRule } from './attention.ts';
import { type CountedEvents, countEvents } from './counted-events.ts';
import type { EventFact } from './fact.ts';
import { foldOrder, groupByTransaction, holdsMoney } from './fold-order.ts';
import { type FoldedTransaction, foldTransaction } from './transaction.ts';

/**
 * Why the state of an order is what it is: a pure function of its set of facts. An event that no reason names
 * changes neither status nor attention.
 */
export function reasonsOf(facts: Iterable<string>): readonly Reason[] {
  const all = [...facts];
  const counted = countEvents(all);
  const groups = [...groupByTransaction(counted.events)].toSorted(byKey);
  const transactions = groups.map(([, group]) => foldTransaction(group));
  const isHeld = transactions.some(holdsMoney);
  const ofStatus = transactions.flatMap((transaction) => statusReasons(transaction, isHeld));
  const { attention } = foldOrder(all);
  return [
    ...(ofStatus.length === 0 ? [reason('nothing_decides', null, [])] : ofStatus),
    ...attention.flatMap((name) => attentionReasons(name, transactions, counted)),
  ];
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function statusReasons(folded: FoldedTransaction, isHeld: boolean): readonly Reason[] {
  const [payments, failures, refunds] = [folded.of('paid'), folded.of('failed'), folded.of('refunded')];
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
  transactions: readonly FoldedTransaction[],
  { contested, shared }: CountedEvents,
): readonly Reason[] {
  const ofOrder = (events: readonly Pick<EventFact, 'eventId'>[]) => [reason(name, null, events)];
  switch (name) {
    case 'multiple_paid_transactions': {
      const held = transactions.filter(holdsMoney);
      return ofOrder(held.flatMap(({ of }) => of('paid')));
    }
    case 'currency_mixed': {
      const moving = transactions.flatMap(({ decisive }) => decisive);
      return ofOrder(moving.filter(({ currency }) => currency !== null));
    }
    case 'conflicting_event':
      return ofOrder([...contested].map((eventId) => ({ eventId })));
    case 'transaction_in_two_orders':
      return shared.map((id) => {
        const named = transactions.filter(({ view }) => view.id === id);
        const concerned = named.flatMap(({ decisive, of }) => [...decisive, ...of('disputed')]);
        return reason(name, id, concerned);
      });
    case 'too_many_events':
    case 'unreadable_fact':
      return ofOrder([]);
    default:
      return transactions.flatMap(({ view, attention }) => {
        const raisedBy = attention.get(name);
        return raisedBy === undefined ? [] : [reason(name, view.id, raisedBy)];
      });
  }
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
