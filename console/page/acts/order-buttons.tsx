import type { Order } from '@payhooks/order-client';
import { attentionWords, wordFor } from '../parts/words.ts';
import { useOpenAct } from './acts.tsx';
import { printableId } from './printable-id.ts';
import { unresolvable } from './sentences.ts';

interface OrderButtonsProps {
  readonly order: Pick<Order, 'order_id' | 'mode' | 'attention'>;
}

/** One button for each attention that an operator can resolve. */
export function OrderButtons({ order }: OrderButtonsProps) {
  const { order_id: orderId, mode, attention } = order;
  const open = useOpenAct();
  return (
    <div class="act-buttons">
      {attention.map((name) => {
        const words = wordFor(attentionWords, name);
        const obstacle = unresolvable(name);
        if (obstacle !== undefined) {
          return (
            <p key={name} class="act-obstacle">
              {obstacle}
            </p>
          );
        }
        return (
          <button
            key={name}
            type="button"
            class="button"
            aria-label={`Resolve ${words} of ${printableId(orderId)}`}
            onClick={() => open({ act: 'resolve', orderId, mode, attention: name })}
          >
            {attention.length === 1 ? 'Resolve' : `Resolve ${words}`}
          </button>
        );
      })}
    </div>
  );
}
