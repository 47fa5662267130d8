import type { Mode, OrderChange } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { Icon } from '../parts/icon.tsx';
import { AttentionBadge, StatusPill } from '../parts/pills.tsx';
import { Id, Money } from '../parts/values.tsx';
import { diffOf, type TransactionMoney } from './money-diff.ts';

interface MoneyChangesProps {
  readonly orders: readonly OrderChange[];
  readonly mode: Mode;
}

/** What an act changes in each order: status, transactions and attention, before and after. */
export function MoneyChanges({ orders, mode }: MoneyChangesProps) {
  if (orders.length === 0) return <p class="money-changes-none">No order changes.</p>;
  return (
    <ul class="money-changes">
      {orders.map((change) => (
        <li key={change.order_id} class="money-change">
          <ChangedOrder change={change} mode={mode} />
        </li>
      ))}
    </ul>
  );
}

function ChangedOrder({ change, mode }: { readonly change: OrderChange; readonly mode: Mode }) {
  const { orderId, before, after, transactions, raised, ended, isHistoryOnly } = diffOf(change);
  return (
    <>
      <div class="money-change-order">
        <Id value={orderId} href={href.order(orderId, mode)} />
        <span class="before-after">
          {before === null ? <span class="faint">new</span> : <StatusPill status={before} />}
          {before === after ? <span class="faint">stays</span> : <Arrow />}
          {before !== after && <StatusPill status={after} />}
        </span>
      </div>
      {isHistoryOnly && <p class="faint">Only its history grows; its money stays the same.</p>}
      {transactions.map(({ id, before: was, after: is }, place) => (
        <div class="money-change-line" key={`${place}:${id}`}>
          {id === null ? <span class="faint">without a transaction</span> : <Id value={id} />}
          <span class="before-after">
            <MoneyState money={was} absent="new here" />
            <Arrow />
            <MoneyState money={is} absent="gone" />
          </span>
        </div>
      ))}
      {raised.length + ended.length > 0 && (
        <div class="money-change-attention">
          {raised.map((name) => (
            <span key={name}>
              <span class="sign added">+ </span>
              <span class="visually-hidden">then listed: </span>
              <AttentionBadge attention={name} />
            </span>
          ))}
          {ended.map((name) => (
            <span key={name}>
              <span class="sign removed">− </span>
              <span class="visually-hidden">no longer listed: </span>
              <AttentionBadge attention={name} />
            </span>
          ))}
        </div>
      )}
    </>
  );
}

function MoneyState({ money, absent }: { readonly money: TransactionMoney | null; readonly absent: string }) {
  if (money === null) return <span class="faint">{absent}</span>;
  return (
    <span class="money-state">
      <StatusPill status={money.status} />
      <Money amount={money.amount} currency={money.currency} />
    </span>
  );
}

function Arrow() {
  return (
    <>
      <Icon name="arrow" size={12} />
      <span class="visually-hidden"> becomes </span>
    </>
  );
}
