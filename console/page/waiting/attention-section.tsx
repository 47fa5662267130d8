import type { Mode, Order } from '@payhooks/order-client';
import { OrderButtons } from '../acts/order-buttons.tsx';
import { href } from '../data/href.ts';
import { Section } from '../parts/page.tsx';
import { AttentionBadges, StatusPill } from '../parts/pills.tsx';
import { Id, Moment, Money } from '../parts/values.tsx';
import { More } from './more.tsx';
import type { OrderPages } from './use-attention.ts';

interface AttentionSectionProps {
  readonly pages: OrderPages;
  readonly mode: Mode;
}

/** The orders that a person must look at, until an operator has resolved what they list. */
export function AttentionSection({ pages, mode }: AttentionSectionProps) {
  const orders = (pages.data ?? []).flatMap((page) => page.orders);
  if (orders.length === 0 && !pages.isPending && pages.error === null) return null;
  return (
    <Section title="Orders that need attention" note="The latest change first.">
      <dl class="choices">
        <dt>Resolve</dt>
        <dd>
          The order no longer lists it, until a new fact arrives. No money moves: settle the money at the
          payment service first.
        </dd>
      </dl>
      <ul class="waiting-items">
        {orders.map((order) => (
          <li key={order.order_id} class="waiting-item">
            <Row order={order} mode={mode} />
            <OrderButtons order={order} />
          </li>
        ))}
      </ul>
      <More pages={pages} what="orders" />
    </Section>
  );
}

function Row({ order, mode }: { readonly order: Order; readonly mode: Mode }) {
  const { order_id, status, attention, transactions, updated_at } = order;
  return (
    <div class="waiting-what">
      <div class="waiting-title">
        <Id value={order_id} href={href.order(order_id, mode)} />
        <StatusPill status={status} />
        <AttentionBadges attention={attention} />
      </div>
      <div class="waiting-meta">
        <Moment at={updated_at} />
        {transactions.slice(0, 3).map(({ id, amount, currency }, place) => (
          <Money key={`${place}:${id}`} amount={amount} currency={currency} />
        ))}
        {transactions.length > 3 && <span>and {transactions.length - 3} more transactions</span>}
      </div>
    </div>
  );
}
