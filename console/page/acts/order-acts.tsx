import type { Order } from '@payhooks/order-client';
import { EraseCommand } from './erase-command.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { useActs } from './use-acts.tsx';

/** What an operator can do about an order: resolve what it lists, and have its events read again. */
export function OrderActs({ order }: { readonly order: Pick<Order, 'order_id' | 'mode' | 'attention'> }) {
  const { open, dialog } = useActs();
  const { order_id: orderId, mode } = order;
  return (
    <div class="acts">
      <OrderButtons order={order} open={open} />
      <div class="act-buttons">
        <button
          type="button"
          class="button"
          onClick={() => open({ act: 'replay', subject: { orderId, mode } })}
        >
          Replay its events
        </button>
      </div>
      <EraseCommand subject={{ orderId }} mode={mode} />
      {dialog}
    </div>
  );
}
