import type { Mode } from '@payhooks/order-client';
import { useOpenAct } from './acts.tsx';

interface ReplayButtonProps {
  readonly orderId: string;
  readonly mode: Mode;
}

/** Has all stored bodies of an order read again. */
export function ReplayButton({ orderId, mode }: ReplayButtonProps) {
  const open = useOpenAct();
  return (
    <button type="button" class="button" onClick={() => open({ act: 'replay', subject: { orderId, mode } })}>
      Replay its events
    </button>
  );
}
