import { changeOf, comparePositions } from '../../lambdas/contract/change-position.ts';
import type { LevelKind } from '../../lambdas/contract/metrics.ts';
import { eventNameKey, eventRecord, orderKey, proposalKey } from '../../lambdas/contract/schema.ts';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import type { ReceiptReader, ReceiptRow } from '../../lambdas/ports/receipt-reader.ts';
import { type EventRow, isReplaced } from '../../lambdas/ports/rows.ts';
import type { ChangeReader } from '../../lambdas/ports/stores.ts';
import type { WaitingPosition, WaitingReader, WaitingRow } from '../../lambdas/ports/waiting-reader.ts';
import type { createMemoryTables } from './memory-store.ts';

type MemoryTables = ReturnType<typeof createMemoryTables>;

/** The index of changes, over tables in memory. */
export function memoryChanges({ orders }: Pick<MemoryTables, 'orders'>): ChangeReader {
  const changesOf = (mode: AnyMode) =>
    [...orders.values()]
      .filter(({ order }) => order.mode === mode)
      .map(({ order, updatedAt }) => changeOf(updatedAt, orderKey(mode, order.id)))
      .toSorted(comparePositions);
  return {
    async after(mode, position, limit) {
      const found = changesOf(mode).filter((change) => comparePositions(change, position) > 0);
      return { changes: found.slice(0, limit), more: found.length > limit };
    },
    async before(mode, position, limit) {
      const found = changesOf(mode).filter((change) => comparePositions(change, position) < 0);
      return { changes: found.toReversed().slice(0, limit), more: found.length > limit };
    },
  };
}

/** What an index holds of a row: the fields of its reading that have a value, and no body. */
function listedRow({ reading, body: _, ...row }: EventRow) {
  const { createdAt: __, ...named } = reading ?? {};
  const present = Object.entries(named).filter(([, value]) => value !== null);
  return { ...row, ...(Object.fromEntries(present) as Partial<Record<keyof typeof named, string>>) };
}

/** The index of what was received, over tables in memory. */
export function memoryReceipts({ events }: Pick<MemoryTables, 'events'>): ReceiptReader {
  return {
    async before({ mode, position, since = '0', limit }) {
      const end = { updatedAt: position.receivedAt, tie: position.tie };
      if (since > end.updatedAt)
        throw new Error('ValidationException: the lower bound of BETWEEN is above the upper');
      const found = [...events.values()]
        .filter((row) => row.mode === mode && !isReplaced(row) && row.receivedAt >= since)
        .map((row) => ({ row, ...changeOf(row.receivedAt, JSON.stringify([row.key, row.record])) }))
        .filter((change) => comparePositions(change, end) < 0)
        .toSorted((a, b) => comparePositions(b, a));
      const rows = found.slice(0, limit).map(({ row, tie }): ReceiptRow => ({ ...listedRow(row), tie }));
      return { rows, more: found.length > limit };
    },
  };
}

/** As the index sorts: by time, then by key. */
const placeOf = ({ recordedAt, key, record }: WaitingPosition): string =>
  JSON.stringify([recordedAt, key, record]);

/** The index of what waits, over tables in memory. */
export function memoryWaiting({
  events,
  names,
  proposals,
}: Pick<MemoryTables, 'events' | 'names' | 'proposals'>): WaitingReader {
  const rowsOf = (mode: AnyMode, kind: LevelKind): WaitingRow[] => {
    const ofProposals = [...proposals.values()].map(({ mode: of, id, at, waits }) => {
      const row = { key: proposalKey(of, id), record: eventRecord.proposal, recordedAt: at };
      return { mode: of, waiting: waits && 'approval', row: { ...row, assignedOrderIds: [] } };
    });
    const ofNames = [...names.values()].map(({ mode: of, waiting, ...row }) => {
      const place = { key: eventNameKey(of, row.eventName), record: eventRecord.eventName };
      return { mode: of, waiting, row: { ...row, ...place, assignedOrderIds: [] } };
    });
    const ofEvents = [...events.values()].map((row) => {
      const { mode: of, waiting, ...listed } = listedRow(row);
      return { mode: of, waiting, row: listed };
    });
    return [...ofEvents, ...ofNames, ...ofProposals]
      .filter(({ mode: of, waiting }) => of === mode && waiting === kind)
      .map(({ row }) => row)
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  };
  return {
    async list({ mode, kind, orderId, transactionId, since = '0', until = '9999', limit, after }) {
      if (since > until)
        throw new Error('ValidationException: the lower bound of BETWEEN is above the upper');
      const rows = rowsOf(mode, kind)
        .filter((row) => orderId === undefined || [row.orderId, ...row.assignedOrderIds].includes(orderId))
        .filter((row) => transactionId === undefined || row.transactionId === transactionId)
        .filter(({ recordedAt }) => recordedAt >= since && recordedAt <= until)
        .filter((row) => after === undefined || placeOf(row) > placeOf(after));
      const page = rows.slice(0, limit);
      return { rows: page, next: rows.length > limit ? page.at(-1) : undefined };
    },
    count: async (mode, kind) => rowsOf(mode, kind).length,
    oldest: async (mode, kind) => rowsOf(mode, kind)[0]?.recordedAt,
    // No row in memory is one of an order with attention.
    attentions: async () => ({}),
    eventNames: async (mode) =>
      rowsOf(mode, 'event_name').map(({ eventName = '', recordedAt }) => ({ eventName, recordedAt })),
  };
}
