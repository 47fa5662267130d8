import type { Mode, WaitingCounts } from '@payhooks/order-client';
import { useApi } from './use-api.ts';

/** How much waits for a person in a mode; 0 until it is known, or when it may not be read. */
export function useWaitingCount(mode: Mode): number {
  const { data } = useApi<WaitingCounts>('/operations/waiting/counts');
  return (data?.counts ?? [])
    .filter((entry) => entry.mode === mode)
    .reduce((sum, { count }) => sum + count, 0);
}
