import { eventNameKey, eventRecord } from '../../lambdas/contract/schema.ts';
import type { WaitingKind } from '../../lambdas/contract/waiting-kinds.ts';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import type { EventNameRow, EventRow } from '../../lambdas/ports/stores.ts';
import type { WaitingPosition, WaitingReader, WaitingRow } from '../../lambdas/ports/waiting-reader.ts';

/** As the index sorts: by time, then by key. */
const placeOf = ({ recordedAt, key, record }: WaitingPosition): string =>
  JSON.stringify([recordedAt, key, record]);

/** The index of what waits, over tables in memory. */
export function memoryWaiting({
  events,
  eventNames,
}: {
  readonly events: ReadonlyMap<string, EventRow>;
  readonly eventNames: ReadonlyMap<string, EventNameRow>;
}): WaitingReader {
  const rowsOf = (mode: AnyMode, kind: WaitingKind): (WaitingRow & Pick<EventRow, 'assignedOrderId'>)[] => {
    const names = [...eventNames.values()].map((row) => ({
      ...row,
      key: eventNameKey(row.mode, row.eventName),
      record: eventRecord.eventName,
      waiting: 'event_name',
    }));
    return [...events.values(), ...names]
      .filter((row) => row.mode === mode && row.waiting === kind)
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  };
  return {
    async list({ mode, kind, orderId, transactionId, since = '0', until = '9999', limit, after }) {
      const rows = rowsOf(mode, kind)
        .filter((row) => orderId === undefined || [row.orderId, row.assignedOrderId].includes(orderId))
        .filter((row) => transactionId === undefined || row.transactionId === transactionId)
        .filter(({ recordedAt }) => recordedAt >= since && recordedAt <= until)
        .filter((row) => after === undefined || placeOf(row) > placeOf(after));
      const page = rows.slice(0, limit);
      return { rows: page, next: rows.length > limit ? page.at(-1) : undefined };
    },
    count: async (mode, kind) => rowsOf(mode, kind).length,
    oldest: async (mode, kind) => rowsOf(mode, kind)[0]?.recordedAt,
    eventNames: async (mode) =>
      rowsOf(mode, 'event_name').map(({ eventName = '', recordedAt }) => ({ eventName, recordedAt })),
  };
}
