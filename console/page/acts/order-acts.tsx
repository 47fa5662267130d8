import type { Mode } from '@payhooks/order-client';
import { useOpenAct } from './acts.tsx';
import { EraseCommand } from './erase-command.tsx';

interface OrderActsProps {
  readonly orderId: string;
  readonly mode: Mode;
}

/** What an operator can do about all events of an order. */
export function OrderActs({ orderId, mode }: OrderActsProps) {
  const open = useOpenAct();
  return (
    <div class="acts">
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
    </div>
  );
}
