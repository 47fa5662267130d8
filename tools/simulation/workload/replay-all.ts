import { responseOf } from '../checker/order-views.ts';
import type { World } from '../world.ts';
import { busyMillisecondsOf, type Call } from './caller.ts';

const eventsPerPage = 20;

/** Has all events read again, page by page, as after the deployment of a version that reads otherwise. */
export async function replayAll({ clock }: World, call: Call): Promise<void> {
  for (const mode of ['live', 'sandbox'] as const) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const body = { mode, limit: eventsPerPage, reason: 'read again', ...(cursor && { cursor }) };
      const page = await call({ stage: 'operations', routeKey: 'POST /operations/replay', body });
      // Without a next page the same one is tried again: a consumer may still be working on its events.
      await clock.pause(busyMillisecondsOf(page) ?? 0);
      const next = responseOf<{ readonly next_cursor: string | null }>(page)?.next_cursor;
      cursor = next === undefined ? cursor : next;
    }
  }
}
