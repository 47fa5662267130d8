import type { Mode, OrderChange } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { Diff } from '../parts/code.tsx';
import { Id } from '../parts/values.tsx';
import { changeLines } from './change-lines.ts';

interface ChangesProps {
  readonly orders: readonly OrderChange[];
  readonly mode?: Mode | undefined;
}

/** What an act changes in each order: status, transactions and attention. */
export function Changes({ orders, mode = 'live' }: ChangesProps) {
  if (orders.length === 0) return <p class="muted">No order changes.</p>;
  return orders.map((change, n) => {
    const lines = changeLines(change);
    return (
      <div key={change.order_id} class="stack">
        <Id value={change.order_id} href={href.order(change.order_id, mode)} />
        {lines.length === 0 ? (
          <p class="muted">Only its history grows; its money stays the same.</p>
        ) : (
          <Diff lines={lines} label={`What changes, ${n + 1}`} />
        )}
      </div>
    );
  });
}
