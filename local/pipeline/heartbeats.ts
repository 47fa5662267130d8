import { parseObject } from '../live-log/entry.ts';

/**
 * The latest heartbeat that returned, which `payhooks status` finds in a metric on AWS. It returned by the
 * clock of the alarms (milliseconds since the epoch).
 */
export function createHeartbeats(clock: () => number) {
  let returned: { readonly at: string; readonly seconds: number; readonly orderId: string } | undefined;
  return {
    onLine(line: string): void {
      if (!line.includes('heartbeat returned')) return;
      const { seconds, order_id: orderId } = parseObject(line) ?? {};
      if (typeof seconds !== 'number' || typeof orderId !== 'string') return;
      returned = { at: new Date(clock()).toISOString(), seconds, orderId };
    },
    view: () => ({
      returned_at: returned?.at ?? null,
      seconds: returned?.seconds ?? null,
      order_id: returned?.orderId ?? null,
    }),
  };
}
