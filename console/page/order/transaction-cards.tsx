import type { Mode, Order, OrderEventDetail, OrderEvents, Transaction } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { StatusPill } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import { type Role, rolesOf } from './roles.ts';

/** Every transaction of an order: its amount, what came in and what went back. */
export function Transactions({ order, details }: { readonly order: Order; readonly details: OrderEvents }) {
  const { transactions, mode } = order;
  const roles = rolesOf(details.reasons);
  return (
    <section class="transactions" aria-label={counted(transactions.length, 'transaction')}>
      {transactions.map((transaction, n) => (
        <TransactionCard
          key={transaction.id ?? n}
          transaction={transaction}
          events={details.events.filter((event) => event.transaction_id === transaction.id)}
          roles={roles}
          mode={mode}
        />
      ))}
    </section>
  );
}

interface TransactionCardProps {
  readonly transaction: Transaction;
  readonly events: readonly OrderEventDetail[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly mode: Mode;
}

function TransactionCard({ transaction, events, roles, mode }: TransactionCardProps) {
  const { id, status, amount, currency } = transaction;
  const of = (role: Role) => events.filter((event) => roles.get(event.id) === role);
  return (
    <article class="transaction">
      <header class="transaction-head">
        <span class="transaction-amount">
          <Money amount={amount} currency={currency} />
        </span>
        <StatusPill status={status} />
      </header>
      <p class="transaction-id">
        <span class="faint">transaction</span>{' '}
        {id === null ? 'without an id' : <Id value={id} href={href.transaction(id, mode)} copy />}
      </p>
      <dl class="transaction-moves">
        <Moves
          name="Came in"
          events={of('payment')}
          none={status === 'failed' ? 'nothing: the payment failed' : 'no payment known'}
        />
        <Moves name="Went back" events={of('refund')} none="nothing" />
      </dl>
    </article>
  );
}

function Moves(props: {
  readonly name: string;
  readonly events: readonly OrderEventDetail[];
  readonly none: string;
}) {
  const { name, events, none } = props;
  return (
    <div class="transaction-move">
      <dt>{name}</dt>
      <dd>
        {events.length === 0 && <span class="muted">{none}</span>}
        {events.map((event) => (
          <span key={event.id} class="transaction-event">
            <Money amount={event.amount} currency={event.currency} />{' '}
            <span class="faint">
              <Moment at={event.received_at} />
            </span>
          </span>
        ))}
      </dd>
    </div>
  );
}
