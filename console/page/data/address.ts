import type { Mode } from '@payhooks/order-client';
import { useLocation } from 'preact-iso/router';

/** The filters of a page are the query string of its address: a reload and a shared link keep them. */
export function useFilters() {
  const { path, query, route } = useLocation();
  return {
    filters: query as Readonly<Record<string, string>>,
    /** Sets parameters of the address; `undefined` removes one. */
    set(changes: Readonly<Record<string, string | undefined>>): void {
      const next = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      route(text === '' ? path : `${path}?${text}`);
    },
  };
}

/** Whether the page shows live or sandbox orders: from the address, live by default. */
export function useMode(): Mode {
  return useLocation().query['mode'] === 'sandbox' ? 'sandbox' : 'live';
}
