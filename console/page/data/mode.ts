import type { Mode } from '@payhooks/order-client';
import { useLocation } from 'preact-iso/router';
import { useFilters } from './filters.ts';

/** Whether the page shows live or sandbox orders: from the address, live by default. */
export function useMode(): Mode {
  return useLocation().query['mode'] === 'sandbox' ? 'sandbox' : 'live';
}

/** Changes the mode of this page and keeps the rest of its address. */
export function useSetMode(): (mode: Mode) => void {
  const { set } = useFilters();
  return (mode) => set({ mode: mode === 'live' ? undefined : mode });
}
