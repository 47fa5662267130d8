import { bodyOf, type Call } from './caller.ts';

const eventsPerPage = 20;

/** Has all events read again, page by page, as after the deployment of a version that reads otherwise. */
export async function replayAll(call: Call): Promise<void> {
  for (const mode of ['live', 'sandbox'] as const) {
    let cursor: string | null = null;
    do {
      const body = { mode, limit: eventsPerPage, reason: 'read again', ...(cursor !== null && { cursor }) };
      const page = await call({ stage: 'operations', routeKey: 'POST /operations/replay', body });
      cursor = bodyOf<{ readonly next_cursor: string | null }>(page)?.next_cursor ?? null;
    } while (cursor !== null);
  }
}
