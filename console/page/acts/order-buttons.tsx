import type { Order } from '@payhooks/order-client';
import { attentionWords, wordFor } from '../parts/words.ts';
import { printableId } from './printable-id.ts';
import { unresolvable } from './sentences.ts';
import type { OpenAct } from './use-acts.tsx';

interface OrderButtonsProps {
  readonly order: Pick<Order, 'order_id' | 'mode' | 'attention'>;
  readonly open: OpenAct;
}

/** One button for each attention that an operator can resolve. */
export function OrderButtons({ order, open }: OrderButtonsProps) {
  const { order_id: orderId, mode, attention } = order;
  const several = attention.length > 1;
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
            {several ? `Resolve ${words}` : 'Resolve'}
          </button>
        );
      })}
    </div>
  );
}
