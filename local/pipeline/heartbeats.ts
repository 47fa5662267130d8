import { parseObject } from '../live-log/entry.ts';

/** The latest heartbeat that returned, which `payhooks status` finds in a metric on AWS. */
export function createHeartbeats() {
  let returned: { readonly at: string; readonly seconds: number } | undefined;
  return {
    onLine(line: string): void {
      if (!line.includes('heartbeat returned')) return;
      const { timestamp, seconds } = parseObject(line) ?? {};
      if (typeof timestamp === 'string' && typeof seconds === 'number') returned = { at: timestamp, seconds };
    },
    view: () => ({ returned_at: returned?.at ?? null, seconds: returned?.seconds ?? null }),
  };
}
